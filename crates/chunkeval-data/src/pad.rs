//! Rows of one width.

use chunkeval_core::{ErrorKind, Result};

/// Chosen rows, filled up to the longest of them: `[B, T]` values row by row, with `B` lengths.
///
/// Fill one per feature (tokens, labels, …) with the same choice of rows. A filled one can be
/// filled again and uses its memory again.
///
/// ```
/// use chunkeval_data::Padded;
///
/// let tokens = [vec![1_u32, 2, 3], vec![4], vec![5, 6]];
/// let mut batch = Padded::new();
/// batch.fill(&tokens, &[2, 1], 0)?;
/// assert_eq!((batch.rows(), batch.width()), (2, 2));
/// assert_eq!(batch.values(), [5, 6, 4, 0]);
/// assert_eq!(batch.lengths(), [2, 1]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Padded<T> {
    values: Vec<T>,
    lengths: Vec<u32>,
    width: usize,
}

impl<T: Copy> Padded<T> {
    /// No rows.
    #[must_use]
    pub fn new() -> Self {
        Self { values: Vec::new(), lengths: Vec::new(), width: 0 }
    }

    /// Puts the rows with these indices in place of the old ones, filled up with `padding`.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] if an index is not in `table`; nothing is changed then.
    pub fn fill<R: AsRef<[T]>>(&mut self, table: &[R], rows: &[usize], padding: T) -> Result<()> {
        if let Some(&last) = rows.iter().max().filter(|&&last| last >= table.len()) {
            let (what, expected) = ("rows to choose from", last.saturating_add(1));
            return Err(ErrorKind::Length { what, row: None, expected, found: table.len() }.into());
        }
        let chosen = || rows.iter().filter_map(|&row| table.get(row)).map(AsRef::as_ref);
        self.width = chosen().map(<[T]>::len).max().unwrap_or(0);
        self.values.clear();
        self.lengths.clear();
        for row in chosen() {
            self.values.extend_from_slice(row);
            self.values.resize(self.values.len() + self.width - row.len(), padding);
            self.lengths.push(u32::try_from(row.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// `B`, the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// `T`, the length of the longest row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// `B` times `T` values, row by row.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The length of each row, without padding.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_is_not_there_changes_nothing() {
        let mut batch = Padded::new();
        batch.fill(&[[1_i64, 2]], &[0, 0], -100).unwrap();
        let before = batch.clone();
        let error = batch.fill(&[[1_i64, 2]], &[0, 4], -100).unwrap_err();
        assert_eq!(error.to_string(), "rows to choose from: expected 5, found 1");
        assert_eq!(batch, before);
    }

    #[test]
    fn no_rows_and_empty_rows_have_no_width() {
        let mut batch = Padded::new();
        batch.fill(&[vec![1_u32]], &[], 0).unwrap();
        assert_eq!((batch.rows(), batch.width(), batch.values().len()), (0, 0, 0));
        batch.fill(&[vec![], vec![1_u32]], &[0], 0).unwrap();
        assert_eq!((batch.rows(), batch.width(), batch.lengths()), (1, 0, [0].as_slice()));
    }
}
