//! One labelled sentence, in one buffer.

mod cells;

use std::fmt;

use chunkeval_core::{ErrorKind, Result};

pub use cells::Cells;
use cells::Texts;

/// A place in a file: line and character column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

/// Tokens with gold tags, and with predicted tags and a label of the whole where there are any.
///
/// The texts of each kind lie in one string, so a reader that fills the same sentence again and
/// again allocates nothing once the longest has been seen.
///
/// Two sentences are equal when their texts are: positions do not count.
///
/// ```
/// use chunkeval_data::Sentence;
///
/// let mut sentence = Sentence::new();
/// sentence.push("Ada", "B-PER");
/// sentence.push("sleeps", "O");
/// sentence.set_predicted(["B-PER", "B-LOC"])?;
/// assert_eq!(sentence.gold().get(0), Some("B-PER"));
/// assert_eq!(sentence.predicted().map(|p| p.iter().collect()), Some(vec!["B-PER", "B-LOC"]));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Sentence {
    tokens: Texts,
    gold: Texts,
    /// Empty where there are no predictions.
    predicted: Texts,
    /// Where new predictions are put together.
    spare: Texts,
    /// One text, or none.
    label: Texts,
}

impl Sentence {
    /// An empty sentence.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> Cells<'_> {
        Cells(&self.tokens)
    }

    /// The gold tags, as many as tokens; none where a reader read tokens alone. In a file of
    /// predictions only, these.
    #[must_use]
    pub fn gold(&self) -> Cells<'_> {
        Cells(&self.gold)
    }

    /// The predicted tags, as many as tokens, where there are any.
    #[must_use]
    pub fn predicted(&self) -> Option<Cells<'_>> {
        (!self.predicted.is_empty()).then_some(Cells(&self.predicted))
    }

    /// The label of the whole sentence, for example its intent.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        Cells(&self.label).get(0)
    }

    /// Where the first token stands in its file.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.tokens().position(0)
    }

    /// Adds a token with its gold tag. Predictions that were set before are taken away.
    pub fn push(&mut self, token: &str, gold: &str) {
        self.predicted.clear();
        self.push_token(token, None);
        self.push_gold(gold, None);
    }

    /// Sets the predicted tags, in place of those that were there.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] if they are not as many as the tokens; nothing is changed then.
    pub fn set_predicted<T: AsRef<str>>(
        &mut self,
        tags: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        self.spare.clear();
        for tag in tags {
            self.spare.push(tag.as_ref(), None);
        }
        let (expected, found) = (self.len(), self.spare.len());
        if expected != found {
            let what = "predicted tags";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        std::mem::swap(&mut self.predicted, &mut self.spare);
        Ok(())
    }

    /// Sets the label of the whole sentence.
    pub fn set_label(&mut self, label: &str) {
        self.put_label(label, None);
    }

    /// Takes everything out and keeps the memory.
    pub fn clear(&mut self) {
        let Self { tokens, gold, predicted, spare, label } = self;
        for texts in [tokens, gold, predicted, spare, label] {
            texts.clear();
        }
    }

    pub(crate) fn push_token(&mut self, token: &str, at: Option<Position>) {
        self.tokens.push(token, at);
    }

    pub(crate) fn push_gold(&mut self, tag: &str, at: Option<Position>) {
        self.gold.push(tag, at);
    }

    pub(crate) fn push_predicted(&mut self, tag: &str, at: Option<Position>) {
        self.predicted.push(tag, at);
    }

    /// Takes the gold tags of another sentence for predictions.
    pub(crate) fn predict_gold_of(&mut self, other: &Self) {
        self.predicted.copy(&other.gold);
    }

    pub(crate) fn put_label(&mut self, label: &str, at: Option<Position>) {
        self.label.clear();
        self.label.push(label, at);
    }
}

impl PartialEq for Sentence {
    fn eq(&self, other: &Self) -> bool {
        self.tokens() == other.tokens()
            && self.gold() == other.gold()
            && self.predicted() == other.predicted()
            && self.label() == other.label()
    }
}

impl Eq for Sentence {}

impl fmt::Debug for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sentence")
            .field("tokens", &self.tokens())
            .field("gold", &self.gold())
            .field("predicted", &self.predicted())
            .field("label", &self.label())
            .field("position", &self.position())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_must_be_as_many_as_tokens() {
        let mut s = Sentence::new();
        s.push("a", "O");
        s.set_predicted(["X"]).unwrap();
        let before = s.clone();
        let error = s.set_predicted(["O", "O"]).unwrap_err();
        assert_eq!(error.to_string(), "predicted tags: expected 1, found 2");
        assert_eq!(s, before);
        s.set_predicted(["Y"]).unwrap();
        assert_eq!(s.predicted().unwrap().get(0), Some("Y"));
        s.push("b", "O");
        assert_eq!(s.predicted(), None);
    }

    #[test]
    fn clearing_leaves_nothing_behind() {
        let mut s = Sentence::new();
        s.push("a", "O");
        s.set_label("greeting");
        s.set_predicted(["O"]).unwrap();
        assert_eq!(s.label(), Some("greeting"));
        s.clear();
        assert_eq!(s, Sentence::new());
        s.push("b", "O");
        assert_eq!((s.predicted(), s.label()), (None, None));
        assert_eq!(s.tokens().iter().collect::<Vec<_>>(), ["b"]);
    }
}
