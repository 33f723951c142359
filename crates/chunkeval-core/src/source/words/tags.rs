//! Gold tags by word beside predictions by piece.

use std::ops::Deref;

use super::{WordIds, assemble_words};
use crate::adapter::{Grid, Logit, Logits, Predict, TagId};
use crate::{Result, Source, TagBatch, TagBuffer, Tagging};

/// Rows of gold tag ids, one for each word of a document, beside padded predictions for the pieces
/// of the words: ids `[rows, width]` or logits `[rows, width, classes]`, as plain slices, the last
/// dimension fastest.
///
/// One token is counted for each gold word, and one row for each gold row. Words without a piece
/// (beyond the model's longest input, or dropped by the tokenizer) read as `O` on the predicted
/// side, so their chunks are missed; the diagnostics count them as
/// [`missing_predicted`](crate::Diagnostics::missing_predicted). [`Pieces::All`] makes a token of
/// each piece instead, and of each word without one.
///
/// For gold labels by piece, with an ignore index where a piece has no label, see
/// [`PaddedTags::words`](crate::PaddedTags::words).
///
/// Errors name the row and column of a token where word ids or logits are wrong, and the document
/// and the word where a gold id is.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, WordIds, WordTags};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let gold = [vec![1, 2, 0, 0, 1]]; // the last two words were cut off
/// let row = [None, Some(0), Some(1), Some(1), Some(2), None];
/// let words = WordIds::new(Pieces::Majority).rows([row])?;
/// #[rustfmt::skip]
/// let logits = [
///     0f32, 9., 0.,  0., 9., 0.,  0., 0., 9.,  9., 0., 0.,  9., 0., 0.,  0., 9., 0.,
/// ];
/// let tags = WordTags::logits(&gold, &logits, 6, 3, &words)?;
/// metric.update(tags.load(&mut TagBuffer::default())?)?;
///
/// let report = metric.accumulate();
/// assert_eq!((report.overall.precision, report.overall.recall), (1.0, 0.5));
/// assert_eq!(report.diagnostics.missing_predicted, 2);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// [`Pieces::All`]: crate::Pieces::All
#[derive(Clone, Debug)]
#[must_use]
pub struct WordTags<'a, G, P> {
    gold: &'a [G],
    predicted: P,
    words: &'a WordIds,
    ignore_index: Option<i64>,
}

impl<'a, G, I: TagId> WordTags<'a, G, Grid<'a, I>> {
    /// Predicted ids, for each row of word ids one row of `width`.
    ///
    /// # Errors
    /// There are not that many predicted ids.
    pub fn ids(
        gold: &'a [G],
        predicted: &'a [I],
        width: usize,
        words: &'a WordIds,
    ) -> Result<Self> {
        let predicted = Grid::new("predicted ids", predicted, [words.len(), width])?;
        Ok(Self { gold, predicted, words, ignore_index: None })
    }
}

impl<'a, G, L: Logit> WordTags<'a, G, Logits<'a, L>> {
    /// Logits; the highest is the prediction, the lowest class if several are equal.
    ///
    /// # Errors
    /// There are not that many logits, or no classes.
    pub fn logits(
        gold: &'a [G],
        logits: &'a [L],
        width: usize,
        classes: usize,
        words: &'a WordIds,
    ) -> Result<Self> {
        let predicted = Logits::new(logits, [words.len(), width, classes])?;
        Ok(Self { gold, predicted, words, ignore_index: None })
    }
}

impl<G, P> WordTags<'_, G, P> {
    /// Words whose gold id is this do not count; they do not split a chunk.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }
}

impl<G, I, P> Source<Tagging> for WordTags<'_, G, P>
where
    G: Deref<Target = [I]>,
    I: TagId,
    P: Predict,
{
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        let rows = &mut buffer.rows;
        assemble_words(rows, self.gold, &self.predicted, self.words, self.ignore_index)
    }
}
