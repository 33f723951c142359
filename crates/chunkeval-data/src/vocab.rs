//! Texts to ids and back.

mod builder;
mod file;

pub use builder::{Order, VocabBuilder};

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use chunkeval_core::{Error, Result};

use crate::Cells;

/// A table of that many rows is the largest an id may ask for: a mistyped id in a dictionary must
/// not ask for all memory.
const MOST_ROWS: usize = 1 << 24;

/// Texts with ids: tokens or characters of a model, or its labels in class-index order.
///
/// Ids are positions, from 0, so the texts of a label vocabulary in order are a label list. A
/// dictionary file may leave ids out; such an id has no text, and a lookup table still needs its
/// row.
///
/// ```
/// use chunkeval_data::Vocab;
///
/// let labels = Vocab::new(["O", "B-PER", "I-PER"])?;
/// assert_eq!((labels.id("I-PER"), labels.text(1), labels.rows()), (Some(2), Some("B-PER"), 3));
///
/// let mut counts = Vocab::builder();
/// counts.extend(["a", "b", "a"]);
/// let tokens = counts.padding("<pad>").unknown("<unk>").min_count(2).build()?;
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), [(0, "<pad>"), (1, "<unk>"), (2, "a")]);
/// assert_eq!(tokens.id_or_unknown("b"), Some(1));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocab {
    texts: Vec<Option<Arc<str>>>,
    ids: HashMap<Arc<str>, u32>,
    padding: Option<u32>,
    unknown: Option<u32>,
}

impl Vocab {
    /// The texts in order of their ids.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) if a text occurs twice or is empty.
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Self> {
        let mut vocab = Self::default();
        for (id, text) in texts.into_iter().enumerate() {
            vocab.insert(id, text.as_ref()).map_err(refused)?;
        }
        Ok(vocab)
    }

    /// Counts texts and makes a vocabulary of them.
    #[must_use]
    pub fn builder() -> VocabBuilder {
        VocabBuilder::default()
    }

    /// The rows a lookup table needs: one more than the largest id.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.texts.len()
    }

    /// The number of texts. Less than [`rows`](Self::rows) where ids are left out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The id of a text.
    #[must_use]
    pub fn id(&self, text: &str) -> Option<u32> {
        self.ids.get(text).copied()
    }

    /// The id of a text, or that of unknown texts where there is one.
    #[must_use]
    pub fn id_or_unknown(&self, text: &str) -> Option<u32> {
        self.id(text).or(self.unknown)
    }

    /// The text of an id.
    #[must_use]
    pub fn text(&self, id: u32) -> Option<&str> {
        self.texts.get(id as usize).and_then(Option::as_deref)
    }

    /// Ids and texts, in order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..).zip(&self.texts).filter_map(|(id, text)| Some((id, text.as_deref()?)))
    }

    /// The id that fills rows up.
    #[must_use]
    pub fn padding(&self) -> Option<u32> {
        self.padding
    }

    /// The id of texts that are not in the vocabulary.
    #[must_use]
    pub fn unknown(&self) -> Option<u32> {
        self.unknown
    }

    /// Says which text fills rows up.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) if the vocabulary does not have it.
    pub fn with_padding(mut self, text: &str) -> Result<Self> {
        self.padding = Some(self.existing(text)?);
        Ok(self)
    }

    /// Says which text stands for those that are not in the vocabulary.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) if the vocabulary does not have it.
    pub fn with_unknown(mut self, text: &str) -> Result<Self> {
        self.unknown = Some(self.existing(text)?);
        Ok(self)
    }

    /// The ids of the tokens or tags of a sentence of the file `path`, in place of what is in
    /// `ids`.
    ///
    /// # Errors
    /// At the place in the file for a text that is not in the vocabulary when that has no entry for
    /// unknown texts; `ids` is empty then.
    pub fn encode(&self, cells: Cells<'_>, path: &Path, ids: &mut Vec<u32>) -> Result<()> {
        ids.clear();
        for (i, text) in cells.iter().enumerate() {
            let Some(id) = self.id_or_unknown(text) else {
                ids.clear();
                return Err(cells.error(i, path, format!("{text:?} is not in the vocabulary")));
            };
            ids.push(id);
        }
        Ok(())
    }

    /// Checks that the vocabulary has all these texts: made from the training split, it should have
    /// the labels of the others. `split` is their name in the error.
    ///
    /// ```
    /// use chunkeval_data::Vocab;
    ///
    /// let train = Vocab::new(["O", "B-PER"])?;
    /// let error = train.require("dev", ["O", "B-LOC", "I-LOC", "B-LOC"]).unwrap_err();
    /// assert_eq!(error.to_string(), r#"vocabulary: dev has "B-LOC", "I-LOC", which it lacks"#);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) that names all that are missing, in order of
    /// first occurrence.
    pub fn require<T: AsRef<str>>(
        &self,
        split: &str,
        texts: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        let mut missing: Vec<String> = Vec::new();
        let mut named = HashSet::new();
        for text in texts {
            let text = text.as_ref();
            if self.id(text).is_none() && named.insert(text.to_owned()) {
                missing.push(text.to_owned());
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let quoted: Vec<_> = missing.iter().map(|text| format!("{text:?}")).collect();
        Err(refused(format!("{split} has {}, which it lacks", quoted.join(", "))))
    }

    /// Puts a text at an id that is free.
    fn insert(&mut self, id: usize, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err(format!("the text of id {id} is empty"));
        }
        if id >= MOST_ROWS {
            return Err(format!("id {id} is more than {}", MOST_ROWS - 1));
        }
        if let Some(first) = self.id(text) {
            return Err(format!("{text:?} occurs twice, as id {first} and as id {id}"));
        }
        if self.texts.len() <= id {
            self.texts.resize(id + 1, None);
        }
        let Some(place) = self.texts.get_mut(id).filter(|place| place.is_none()) else {
            return Err(format!("id {id} occurs twice"));
        };
        let text: Arc<str> = text.into();
        *place = Some(Arc::clone(&text));
        // The limit on rows is far below 32 bits.
        self.ids.insert(text, id as u32);
        Ok(())
    }

    fn existing(&self, text: &str) -> Result<u32> {
        self.id(text).ok_or_else(|| refused(format!("there is no {text:?} in it")))
    }
}

fn refused(reason: String) -> Error {
    Error::config("vocabulary", reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conll, ConllReader};

    #[test]
    fn a_text_has_one_id() {
        let error = Vocab::new(["a", "b", "a"]).unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: \"a\" occurs twice, as id 0 and as id 2");
        let error = Vocab::new(["a", ""]).unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: the text of id 1 is empty");
    }

    #[test]
    fn special_texts_must_be_there() {
        let vocab = Vocab::new(["<pad>", "OOV"]).unwrap();
        let vocab = vocab.with_padding("<pad>").unwrap().with_unknown("OOV").unwrap();
        assert_eq!((vocab.padding(), vocab.unknown()), (Some(0), Some(1)));
        assert_eq!(vocab.id_or_unknown("x"), Some(1));
        let error = vocab.with_unknown("<unk>").unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: there is no \"<unk>\" in it");
    }

    #[test]
    fn a_tag_without_an_id_is_named_with_its_place() {
        let text = "a\tO\n省\tB-X\n";
        let mut reader = ConllReader::new(text.as_bytes(), "f", &Conll::two_columns()).unwrap();
        let sentence = reader.next().unwrap().unwrap();
        let labels = Vocab::new(["O"]).unwrap();
        let mut ids = vec![7];
        let error = labels.encode(sentence.gold(), Path::new("f"), &mut ids).unwrap_err();
        assert_eq!(error.to_string(), "f:2:3: \"B-X\" is not in the vocabulary");
        assert!(ids.is_empty());
        let labels = Vocab::new(["B-X", "O"]).unwrap();
        labels.encode(sentence.gold(), Path::new("f"), &mut ids).unwrap();
        assert_eq!(ids, [1, 0]);
    }
}
