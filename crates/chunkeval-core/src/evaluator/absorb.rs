//! Counts made under a part of a label list.

use crate::{ChunkEvaluator, ChunkState, Result, TagSet};

impl ChunkEvaluator {
    /// Adds what an evaluator has counted whose labels are all in this one's list, wherever they
    /// stand in it: for streams whose labels are not known beforehand, and for shards that saw
    /// some of them only.
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
    ///
    /// let mut first = ChunkEvaluator::new(["O", "B-PER"])?;
    /// first.update(TagBatch::new(&[1, 0], &[1, 1], &[2])?)?;
    ///
    /// // Then a B-LOC turns up.
    /// let mut whole = ChunkEvaluator::new(["B-LOC", "B-PER", "O"])?;
    /// whole.absorb(&first)?;
    /// whole.update(TagBatch::new(&[0, 2], &[0, 2], &[2])?)?;
    /// assert_eq!(whole.accumulate().overall.precision, 2.0 / 3.0);
    /// assert_eq!(whole.accumulate().get("PER").unwrap().counts.predicted, 2);
    /// assert!(first.absorb(&whole).is_err());
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Incompatible`](crate::ErrorKind::Incompatible) if a label is not in this one's list or
    /// the labels are read in another way; or a sum overflows. Nothing is changed then.
    pub fn absorb(&mut self, part: &Self) -> Result<()> {
        let state = part.state.moved(&part.tags, &self.tags)?;
        self.state.add(&state)
    }
}

impl ChunkState {
    /// The same counts under a list that has all labels of the one they were made under.
    pub(crate) fn moved(&self, from: &TagSet, to: &TagSet) -> Result<Self> {
        let mut moved = Self::new(to);
        for (counts, at) in self.per_type.iter().zip(from.types_in(to)?) {
            if let Some(place) = moved.per_type.get_mut(at) {
                *place = *counts;
            }
        }
        Ok(Self { total: self.total, diagnostics: self.diagnostics, ..moved })
    }
}

#[cfg(test)]
mod tests {
    use crate::{ChunkEvaluator, ErrorKind, Metric, Mode, Scheme, TagBatch, TagStyle};

    #[test]
    fn types_find_their_place() {
        let part = |labels: [&str; 3]| {
            let mut metric = ChunkEvaluator::new(labels).unwrap();
            metric.update(TagBatch::new(&[0, 1, 2], &[0, 1, 1], &[3]).unwrap()).unwrap();
            metric
        };
        let mut whole = ChunkEvaluator::new(["O", "B-A", "B", "B-C", "B-B", "B-D"]).unwrap();
        for labels in [["B-D", "B-B", "B"], ["B", "O", "B-C"], ["B-A", "B-C", "B-D"]] {
            whole.absorb(&part(labels)).unwrap();
        }
        let report = whole.accumulate();
        let gold = |name| report.get(name).unwrap().counts.gold;
        assert_eq!(["A", "B", "C", "D", "_"].map(gold), [1, 1, 2, 2, 2]);
        assert_eq!(report.overall.counts.gold, 8);
        assert_eq!(report.diagnostics.rows, 3);
    }

    #[test]
    fn what_reads_otherwise_is_refused() {
        let builder = || ChunkEvaluator::builder(["O", "B-X"]);
        let mut whole = builder().build().unwrap();
        let strict = builder().mode(Mode::Strict(Scheme::Iob2)).build().unwrap();
        let suffix = ChunkEvaluator::builder(["O"]).style(TagStyle::Suffix).build().unwrap();
        let more = ChunkEvaluator::new(["O", "B-Y"]).unwrap();
        for other in [strict, suffix, more] {
            let error = whole.absorb(&other).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Incompatible { .. }));
        }
    }
}
