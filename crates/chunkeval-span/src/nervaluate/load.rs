//! Gold and predicted entities as nervaluate's loaders give them.

use chunkeval_core::{Result, Source};
use serde::{Deserialize, Serialize};

use super::LoadError;
use super::reader::{Opening, read, read_conll};
use crate::{End, Side, SpanBatch, SpanDocs, SpanError, Spans};

/// One entity in nervaluate's words. Offsets are taken as they are, reversed or negative.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entity {
    /// The entity type.
    pub label: String,
    /// Offset of the first position.
    pub start: i64,
    /// Offset of the last position, which belongs to the entity.
    pub end: i64,
}

/// Gold and predicted entities of the same documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents {
    gold: Vec<Vec<Entity>>,
    predicted: Vec<Vec<Entity>>,
}

impl Documents {
    /// As nervaluate's list loader: two lists of tag lists.
    ///
    /// A chunk opens at `B-` or `I-`, ends at `O`, at a tag that begins with `B` and at another
    /// type; any other tag of the same type goes on with it (`B-X E-X` is one chunk).
    ///
    /// # Errors
    /// The sides differ in the number of documents or tags, or a chunk opens otherwise.
    pub fn from_tags<D: AsRef<[S]>, S: AsRef<str>>(
        gold: &[D],
        predicted: &[D],
    ) -> Result<Self, LoadError> {
        check_count(gold.len(), predicted.len())?;
        let lengths = |(gold, predicted): (&D, &D)| (gold.as_ref().len(), predicted.as_ref().len());
        check_lengths(gold.iter().zip(predicted).map(|pair| Ok(lengths(pair))))?;
        let side = |side: &[D]| -> Result<Vec<_>, LoadError> {
            side.iter().map(|doc| read(doc.as_ref(), Opening::Checked)).collect()
        };
        Self::from_entities(side(gold)?, side(predicted)?)
    }

    /// As nervaluate's CoNLL loader: documents parted by an empty line, the tag in the second
    /// column of tabs, offsets counting lines.
    ///
    /// # Errors
    /// The sides differ in the number of documents (not of lines), a line has no tab, or a chunk
    /// opens with neither `B-` nor `I-`.
    pub fn from_conll(gold: &str, predicted: &str) -> Result<Self, LoadError> {
        Self::from_entities(read_conll(gold)?, read_conll(predicted)?)
    }

    /// As nervaluate's dict loader: entities as they are.
    ///
    /// # Errors
    /// The sides differ in the number of documents.
    pub fn from_entities(
        gold: Vec<Vec<Entity>>,
        predicted: Vec<Vec<Entity>>,
    ) -> Result<Self, LoadError> {
        check_count(gold.len(), predicted.len())?;
        Ok(Self { gold, predicted })
    }

    /// The gold entities of each document.
    #[must_use]
    pub fn gold(&self) -> &[Vec<Entity>] {
        &self.gold
    }

    /// The predicted entities of each document.
    #[must_use]
    pub fn predicted(&self) -> &[Vec<Entity>] {
        &self.predicted
    }
}

pub(super) fn check_count(gold: usize, predicted: usize) -> Result<(), LoadError> {
    if gold != predicted {
        return Err(LoadError::DocumentCount { gold, predicted });
    }
    Ok(())
}

/// What the list loader checks of the lengths of gold and predicted documents before it reads.
pub(super) fn check_lengths(
    lengths: impl Iterator<Item = Result<(usize, usize), LoadError>>,
) -> Result<(), LoadError> {
    for (document, lengths) in lengths.enumerate() {
        let (gold, predicted) = lengths?;
        if gold != predicted {
            return Err(LoadError::DocumentLength { document, gold, predicted });
        }
    }
    Ok(())
}

/// Reversed and negative offsets pass; only nervaluate's rule takes the reversed, also those that end
/// one position before they start.
impl Source<Spans> for Documents {
    fn load<'b>(&'b self, buffer: &'b mut SpanDocs) -> Result<SpanBatch<'b>> {
        buffer.refill(|buffer| {
            for (document, (gold, predicted)) in self.gold.iter().zip(&self.predicted).enumerate() {
                for (side, entities) in [(Side::Gold, gold), (Side::Predicted, predicted)] {
                    for (index, entity) in entities.iter().enumerate() {
                        let too_large = || {
                            let offset = usize::try_from(entity.end).unwrap_or(usize::MAX);
                            SpanError::TooLarge { offset }.at(document, side, index)
                        };
                        let end = entity.end.checked_add(1).ok_or_else(too_large)?;
                        buffer.add(side, &entity.label, (entity.start, end), End::Inclusive);
                    }
                }
                buffer.close(0);
            }
            Ok(())
        })
    }
}
