//! Padded arrays of any integer or float type.

use super::argmax::{Logit, Logits};
use super::assemble::{Keep, Predict, assemble};
use super::ids::{Grid, TagId};
use super::words::{WordIds, assemble_pieces};
use crate::{ErrorKind, Result, Source, TagBatch, TagBuffer, Tagging};

/// Padded gold labels `[rows, width]` beside predicted ids `[rows, width]` or logits
/// `[rows, width, classes]`, as plain slices, the last dimension fastest.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, PaddedTags, Source, TagBuffer};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let mut buffer = TagBuffer::default();
///
/// let gold = [1i64, 2, 0, 0, /* row 1 */ 1, -100, 2, 0];
/// let predicted = [1i64, 2, 1, 1, /* row 1 */ 1, 0, 2, 0];
/// let tags = PaddedTags::ids(&gold, &predicted, 4)?.lengths(&[2, 4]).ignore_index(-100);
/// metric.update(tags.load(&mut buffer)?)?;
/// assert_eq!(metric.accumulate().overall.f1, 1.0);
/// assert_eq!(metric.accumulate().diagnostics.ignored, 1);
///
/// let logits = [0.1f32, 2.0, 0.3, /* next token */ 0.9, 0.1, 0.0];
/// let tags = PaddedTags::logits(&[1u32, 0], &logits, 2, 3)?;
/// metric.update(tags.load(&mut buffer)?)?;
/// assert_eq!(metric.accumulate().overall.counts.correct, 3);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct PaddedTags<'a, G, P> {
    gold: Grid<'a, G>,
    predicted: P,
    lengths: Option<&'a [usize]>,
    mask: Option<&'a [bool]>,
    words: Option<&'a WordIds>,
    ignore_index: Option<i64>,
}

impl<'a, G: TagId, I: TagId> PaddedTags<'a, G, Grid<'a, I>> {
    /// Predicted ids. All positions count until [`lengths`](PaddedTags::lengths) or
    /// [`mask`](PaddedTags::mask) says otherwise.
    ///
    /// # Errors
    /// The slices differ in length, or are no whole number of rows of `width`.
    pub fn ids(gold: &'a [G], predicted: &'a [I], width: usize) -> Result<Self> {
        let shape = [rows(gold.len(), width)?, width];
        let predicted = Grid::new("predicted ids", predicted, shape)?;
        Ok(Self::new(Grid::new("gold ids", gold, shape)?, predicted))
    }
}

impl<'a, G: TagId, L: Logit> PaddedTags<'a, G, Logits<'a, L>> {
    /// Logits; the highest is the prediction, the lowest class if several are equal.
    ///
    /// # Errors
    /// The slices do not fit each other, or are no whole number of rows of `width`.
    pub fn logits(gold: &'a [G], logits: &'a [L], width: usize, classes: usize) -> Result<Self> {
        let rows = rows(gold.len(), width)?;
        let logits = Logits::new(logits, [rows, width, classes])?;
        Ok(Self::new(Grid::new("gold ids", gold, [rows, width])?, logits))
    }
}

impl<'a, G: TagId, P: Predict> PaddedTags<'a, G, P> {
    fn new(gold: Grid<'a, G>, predicted: P) -> Self {
        Self { gold, predicted, lengths: None, mask: None, words: None, ignore_index: None }
    }

    /// Only the first `lengths[row]` positions of each row count. Takes the place of a mask or
    /// word ids.
    pub fn lengths(self, lengths: &'a [usize]) -> Self {
        Self { lengths: Some(lengths), mask: None, words: None, ..self }
    }

    /// Only positions whose mask is true count, one entry for each position. Takes the place of
    /// lengths or word ids.
    pub fn mask(self, mask: &'a [bool]) -> Self {
        Self { mask: Some(mask), lengths: None, words: None, ..self }
    }

    /// The tokens are pieces of words, and words are counted: only tokens of words count, and which
    /// of a word's labels and predictions is its tag, say the word ids. Takes the place of lengths
    /// or a mask.
    ///
    /// A word whose labels are all the ignore index is left out; so is what was cut off before
    /// there were labels. [`WordTags`](crate::WordTags) takes gold tags by word and counts that as
    /// missed.
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, Metric, PaddedTags, Pieces, Source, TagBuffer, WordIds};
    ///
    /// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
    /// let words = WordIds::new(Pieces::First).rows([[None, Some(0), Some(0), Some(1), None]])?;
    /// let labels = [-100, 1, -100, 2, -100];
    /// let predicted = [0, 1, 0, 2, 0];
    /// let tags = PaddedTags::ids(&labels, &predicted, 5)?.ignore_index(-100).words(&words);
    /// metric.update(tags.load(&mut TagBuffer::default())?)?;
    /// assert_eq!(metric.accumulate().overall.counts.correct, 1);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn words(self, words: &'a WordIds) -> Self {
        Self { words: Some(words), lengths: None, mask: None, ..self }
    }

    /// Positions whose gold id is this do not count; they do not split a chunk.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }
}

impl<G: TagId, P: Predict> Source<Tagging> for PaddedTags<'_, G, P> {
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        let rows = &mut buffer.rows;
        if let Some(words) = self.words {
            return assemble_pieces(rows, self.gold, &self.predicted, words, self.ignore_index);
        }
        let mask = self.mask.map(|mask| Grid::new("mask", mask, self.gold.shape())).transpose()?;
        let counts = |row, column| mask.is_none_or(|m| m.get(row, column));
        let keep = match (self.lengths, mask) {
            (Some(lengths), _) => Keep::Lengths(lengths),
            (None, Some(_)) => Keep::Mask(&counts),
            (None, None) => Keep::All,
        };
        assemble(rows, self.gold, &self.predicted, keep, self.ignore_index)
    }
}

/// How many rows of `width` there are.
fn rows(length: usize, width: usize) -> Result<usize> {
    match length.checked_rem(width) {
        Some(0) => Ok(length / width),
        None if length == 0 => Ok(0),
        _ => {
            let what = "gold ids, a whole number of rows";
            let expected = length.checked_div(width).unwrap_or(0) * width;
            Err(ErrorKind::Length { what, row: None, expected, found: length }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Error, Place};

    fn load(tags: &PaddedTags<'_, i64, Grid<'_, i64>>) -> (Vec<Vec<i32>>, Vec<usize>) {
        let mut buffer = TagBuffer::default();
        let batch = tags.load(&mut buffer).unwrap();
        let rows: Vec<Vec<i32>> = batch.iter_rows().map(|(g, _)| g.to_vec()).collect();
        let columns = (0..batch.len())
            .flat_map(|r| (0..rows[r].len()).map(move |c| batch.place(r, c).1))
            .collect();
        (rows, columns)
    }

    #[test]
    fn masks_and_ignored_positions_vanish() {
        let gold = [1, 2, 3, 4, -100, 6];
        let tags = PaddedTags::ids(&gold, &gold, 3).unwrap();
        assert_eq!(load(&tags.clone().lengths(&[2, 0])).0, [vec![1, 2], vec![]]);
        let (rows, columns) = load(&tags.clone().ignore_index(-100));
        assert_eq!(rows, [vec![1, 2, 3], vec![4, 6]]);
        assert_eq!(columns, [0, 1, 2, 0, 2]);
        let mask = [false, true, false, true, true, true];
        let (rows, columns) = load(&tags.clone().mask(&mask).ignore_index(-100));
        assert_eq!(rows, [vec![2], vec![4, 6]]);
        assert_eq!(columns, [1, 0, 2]);
        let (rows, _) = load(&tags.lengths(&[3, 2]).ignore_index(-100));
        assert_eq!(rows, [vec![1, 2, 3], vec![4]]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let gold = [1i64, 2, 3, 4];
        assert!(PaddedTags::ids(&gold, &gold, 3).is_err());
        assert!(PaddedTags::ids(&gold, &gold, 0).is_err());
        assert!(PaddedTags::ids(&gold, &gold[..2], 2).is_err());
        assert!(PaddedTags::ids(&gold[..0], &gold[..0], 0).is_ok());
        assert!(PaddedTags::logits(&gold, &[0.0f32; 9], 2, 2).is_err());
        assert!(PaddedTags::logits(&gold, &[0.0f32; 0], 2, 0).is_err());

        let mut buffer = TagBuffer::default();
        let tags = PaddedTags::ids(&gold, &gold, 2).unwrap();
        let place = |e: &Error| e.place().map(|p| format!("{p:?}"));
        let e = tags.clone().lengths(&[2, 3]).load(&mut buffer).unwrap_err();
        assert_eq!(place(&e), Some(format!("{:?}", Place::Row(1))));
        assert!(tags.clone().lengths(&[2]).load(&mut buffer).is_err());
        assert!(tags.mask(&[true]).load(&mut buffer).is_err());
    }

    #[test]
    fn gold_ids_beyond_32_bits_are_named_as_they_are() {
        let mut buffer = TagBuffer::default();
        let gold = [0, 1i64 << 40];
        let tags = PaddedTags::ids(&gold, &gold, 2).unwrap();
        let e = tags.clone().load(&mut buffer).unwrap_err();
        assert_eq!(e.place(), Some(Place::Cell { row: 0, column: 1 }));
        assert!(e.to_string().contains("1099511627776"), "{e}");
        assert!(tags.ignore_index(1 << 40).load(&mut buffer).is_ok());
    }

    #[test]
    fn nan_counts_only_where_the_token_counts() {
        let nan = f32::NAN;
        let logits = [0.0, 1.0, nan, 0.0, 1.0, 0.0, nan, nan];
        let gold = [0u8, 1, 0, 1];
        let mut buffer = TagBuffer::default();
        let tags = PaddedTags::logits(&gold, &logits, 2, 2).unwrap();
        assert!(tags.clone().lengths(&[1, 1]).load(&mut buffer).is_ok());
        assert!(tags.clone().ignore_index(1).load(&mut buffer).is_ok());
        let e = tags.lengths(&[1, 2]).load(&mut buffer).unwrap_err();
        assert_eq!(e.place(), Some(Place::Cell { row: 1, column: 1 }));
    }
}
