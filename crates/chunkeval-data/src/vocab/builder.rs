//! Vocabularies from counts.

use std::collections::HashMap;

use chunkeval_core::Result;

use super::{Vocab, refused};

/// The order in which texts get their ids. Special entries stand before all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// As they were first counted.
    #[default]
    FirstSeen,
    /// The most frequent first; of equals the one first counted.
    Frequency,
    /// By code points.
    Sorted,
}

/// Counts texts and makes a [`Vocab`] of them.
///
/// Ids depend only on the texts counted and their order.
///
/// ```
/// use chunkeval_data::{Order, Vocab};
///
/// let mut tokens = Vocab::builder();
/// tokens.extend(["to", "be", "or", "not", "to", "be", "to"]);
/// assert_eq!(tokens.count("to"), 3);
/// let tokens = tokens.order(Order::Frequency).max_size(3).padding("<pad>").build()?;
/// let texts: Vec<_> = tokens.iter().map(|(_, text)| text).collect();
/// assert_eq!(texts, ["<pad>", "to", "be", "or"]); // "not" is as frequent as "or", but came later
/// # Ok::<(), chunkeval_data::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VocabBuilder {
    counts: HashMap<String, Count>,
    padding: Option<String>,
    unknown: Option<String>,
    min_count: u64,
    max_size: Option<usize>,
    order: Order,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    count: u64,
    /// How many texts were known before this one.
    rank: usize,
}

impl VocabBuilder {
    /// Counts one text once more.
    pub fn add(&mut self, text: &str) {
        if let Some(known) = self.counts.get_mut(text) {
            known.count += 1;
        } else {
            let rank = self.counts.len();
            self.counts.insert(text.to_owned(), Count { count: 1, rank });
        }
    }

    /// Counts many texts.
    pub fn extend<T: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = T>) {
        for text in texts {
            self.add(text.as_ref());
        }
    }

    /// How often a text was counted.
    #[must_use]
    pub fn count(&self, text: &str) -> u64 {
        self.counts.get(text).map_or(0, |known| known.count)
    }

    /// Adds an entry that fills rows up.
    #[must_use]
    pub fn padding(mut self, text: &str) -> Self {
        self.padding = Some(text.to_owned());
        self
    }

    /// Adds an entry for texts that are not in the vocabulary.
    #[must_use]
    pub fn unknown(mut self, text: &str) -> Self {
        self.unknown = Some(text.to_owned());
        self
    }

    /// Leaves out what was counted less often.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.min_count = count;
        self
    }

    /// Keeps only so many texts, the most frequent ones (of equals those first counted). Special
    /// entries come on top.
    #[must_use]
    pub fn max_size(mut self, texts: usize) -> Self {
        self.max_size = Some(texts);
        self
    }

    /// Sets the order; [`Order::FirstSeen`] if not called.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Makes the vocabulary: padding and unknown entry, if any, then the texts.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) if a special entry was also counted as a text
    /// (choose another name for it: padding and data must not be mixed up), or if a text is empty.
    pub fn build(self) -> Result<Vocab> {
        let specials = [&self.padding, &self.unknown];
        for special in specials.into_iter().flatten() {
            let count = self.count(special);
            if count > 0 {
                let reason =
                    format!("the special entry {special:?} occurs {count} times as a text");
                return Err(refused(reason));
            }
        }
        let mut texts: Vec<(&String, &Count)> =
            self.counts.iter().filter(|(_, known)| known.count >= self.min_count).collect();
        texts.sort_unstable_by_key(|(_, known)| (std::cmp::Reverse(known.count), known.rank));
        texts.truncate(self.max_size.unwrap_or(usize::MAX));
        match self.order {
            Order::FirstSeen => texts.sort_unstable_by_key(|(_, known)| known.rank),
            Order::Frequency => {}
            Order::Sorted => texts.sort_unstable_by_key(|(text, _)| *text),
        }
        let texts = texts.into_iter().map(|(text, _)| text);
        let mut vocab = Vocab::new(specials.into_iter().flatten().chain(texts))?;
        if let Some(padding) = &self.padding {
            vocab = vocab.with_padding(padding)?;
        }
        if let Some(unknown) = &self.unknown {
            vocab = vocab.with_unknown(unknown)?;
        }
        Ok(vocab)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted() -> VocabBuilder {
        let mut counts = Vocab::builder();
        counts.extend(["c", "b", "a", "b", "d", "a", "b"]);
        counts
    }

    fn texts(counts: VocabBuilder) -> String {
        counts.build().unwrap().iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn the_order_is_what_was_asked_for() {
        assert_eq!(texts(counted()), "cbad");
        assert_eq!(texts(counted().order(Order::Frequency)), "bacd");
        assert_eq!(texts(counted().order(Order::Sorted)), "abcd");
    }

    #[test]
    fn rare_texts_go_first() {
        assert_eq!(texts(counted().min_count(2)), "ba");
        assert_eq!(texts(counted().max_size(3)), "cba");
        assert_eq!(texts(counted().max_size(0).unknown("?")), "?");
        assert_eq!(
            texts(counted().min_count(2).max_size(3).padding("_").order(Order::Sorted)),
            "_ab"
        );
    }

    #[test]
    fn special_entries_are_no_texts() {
        let error = counted().unknown("b").build().unwrap_err();
        let reason = "vocabulary: the special entry \"b\" occurs 3 times as a text";
        assert_eq!(error.to_string(), reason);
        let error = counted().unknown("?").padding("?").build().unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: \"?\" occurs twice, as id 0 and as id 1");
    }
}
