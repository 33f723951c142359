//! Rows taken out.

use super::RowCounts;

impl RowCounts {
    /// The rows but for some, by their rising places: those that only one of two systems has, for
    /// example. Places behind the last row are none.
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, RowCounts, TagBatch};
    ///
    /// let metric = ChunkEvaluator::new(["O", "B-PER"])?;
    /// let mut rows = RowCounts::new(&metric);
    /// rows.push(&metric, TagBatch::new(&[1, 0, 1], &[1, 1, 0], &[1, 2, 3])?)?;
    /// let rest = rows.without(&[1]);
    /// assert_eq!((rest.len(), rest.total().predicted), (2, 1));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn without(self, rows: &[usize]) -> Self {
        if rows.is_empty() {
            return self;
        }
        let mut gone = rows.iter().peekable();
        let (mut ends, mut entries) = (Vec::new(), Vec::new());
        for row in 0..self.len() {
            while gone.next_if(|&&of| of < row).is_some() {}
            if gone.peek().is_none_or(|&&of| of != row) {
                entries.extend_from_slice(self.entries_of(row));
                ends.push(entries.len());
            }
        }
        Self { ends, entries, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;

    #[test]
    fn what_is_left_are_the_other_rows() {
        let rows = rows();
        let rest = rows.clone().without(&[0, 2, 2, 9]);
        assert_eq!(rest.len(), 2);
        assert_eq!([rest.row_total(0), rest.row_total(1)], [1, 3].map(|row| rows.row_total(row)));
        assert_eq!(rest.row(1).collect::<Vec<_>>(), rows.row(3).collect::<Vec<_>>());
        assert_eq!(rows.clone().without(&[4]), rows.clone().without(&[]));
        assert!(rows.without(&[0, 1, 2, 3]).is_empty());
    }
}
