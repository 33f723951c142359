//! Gold types and predicted types that met, and how often.

use super::confusion_matrix::Pairs;
use super::error_report::{ChunkErrorReport, ErrorCounts};

/// A gold type, a predicted type, and how many pairs of chunks are of them; one of the two is
/// missing where chunks have no partner.
pub type TypePair<'n> = (Option<&'n str>, Option<&'n str>, u64);

impl ChunkErrorReport {
    /// What a [`ConfusionMatrix`](crate::ConfusionMatrix) has in its cells, but for the zeros: where
    /// there are many types, the matrix is large and nearly empty.
    ///
    /// ```
    /// use chunkeval_core::{ChunkErrors, Metric, Pairs, TagBatch};
    ///
    /// let mut errors = ChunkErrors::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
    /// //    gold  PER PER  O  LOC            predicted  LOC LOC  O  O
    /// errors.update(TagBatch::new(&[1, 2, 0, 3], &[3, 4, 0, 0], &[4])?)?;
    ///
    /// let report = errors.accumulate();
    /// let pairs: Vec<_> = report.type_pairs(Pairs::SameSpan).collect();
    /// assert_eq!(pairs, [(Some("LOC"), None, 1), (Some("PER"), Some("LOC"), 1)]);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn type_pairs(&self, pairs: Pairs) -> impl Iterator<Item = TypePair<'_>> {
        let paired = move |same_span: u64, overlapping: u64| match pairs {
            Pairs::SameSpan => same_span,
            Pairs::Overlapping => same_span.saturating_add(overlapping),
        };
        let alone = move |side: &ErrorCounts| match pairs {
            Pairs::SameSpan => {
                let apart = side.boundary().saturating_add(side.type_and_boundary);
                apart.saturating_add(side.unmatched)
            }
            Pairs::Overlapping => side.unmatched,
        };
        let of_one = self.per_type.iter().flat_map(move |t| {
            let name = Some(&*t.entity_type);
            let right = paired(t.gold.correct, t.gold.boundary());
            [(name, name, right), (name, None, alone(&t.gold)), (None, name, alone(&t.predicted))]
        });
        let of_two = self.confusions.iter().map(move |c| {
            (Some(&*c.gold), Some(&*c.predicted), paired(c.same_span, c.overlapping))
        });
        of_one.chain(of_two).filter(|pair| pair.2 > 0)
    }
}
