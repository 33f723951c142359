//! Rows joined into documents.

use std::collections::HashMap;
use std::hash::Hash;

use super::{RowCounts, counts};
use crate::{ChunkCounts, ErrorKind, Result};

impl RowCounts {
    /// Rows joined into documents: document `d` has the rows `ends[d - 1]..ends[d]`.
    ///
    /// # Errors
    /// `ends` does not rise to exactly the number of rows, or a document has 2³² or more chunks of
    /// a type.
    pub fn documents(&self, ends: &[usize]) -> Result<Self> {
        let length = |row, expected, found| {
            let what = "rows up to the end of a document";
            Err(ErrorKind::Length { what, row, expected, found }.into())
        };
        let mut members = Vec::with_capacity(ends.len());
        let mut start = 0;
        for (document, &end) in ends.iter().enumerate() {
            if end < start || end > self.len() {
                return length(Some(document), start.max(self.len().min(end)), end);
            }
            members.push((start..end).collect());
            start = end;
        }
        if start != self.len() {
            return length(None, self.len(), start);
        }
        self.joined(&members)
    }

    /// Rows joined into documents by an id for each row. Documents stand in the order in which
    /// their ids first appear; their rows need not stand together.
    ///
    /// # Errors
    /// There are not as many ids as rows, or a document has 2³² or more chunks of a type. Of ids
    /// that are too many one is read and counted.
    pub fn documents_by_id<I: Eq + Hash>(&self, ids: impl IntoIterator<Item = I>) -> Result<Self> {
        let mut known: HashMap<I, usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut found = 0;
        for (row, id) in ids.into_iter().take(self.len().saturating_add(1)).enumerate() {
            found = row + 1;
            let document = *known.entry(id).or_insert(members.len());
            match members.get_mut(document) {
                Some(rows) => rows.push(row),
                None => members.push(vec![row]),
            }
        }
        if found != self.len() {
            let what = "document ids";
            return Err(ErrorKind::Length { what, row: None, expected: self.len(), found }.into());
        }
        self.joined(&members)
    }

    /// A row for each list of rows.
    fn joined(&self, documents: &[Vec<usize>]) -> Result<Self> {
        let mut joined = Self { ends: Vec::new(), entries: Vec::new(), ..self.clone() };
        let mut tally = vec![ChunkCounts::default(); self.types.len() + 1];
        for rows in documents {
            tally.fill(ChunkCounts::default());
            for &entry in rows.iter().flat_map(|&row| self.entries_of(row)) {
                if let Some(sum) = tally.get_mut(entry[0] as usize) {
                    sum.add(&counts(entry))?;
                }
            }
            joined.push_row(tally.iter().copied())?;
        }
        Ok(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    #[test]
    fn documents_by_ends_and_by_id() {
        let rows = rows();
        let by_ends = rows.documents(&[2, 2, 4]).unwrap();
        assert_eq!(by_ends.len(), 3);
        assert_eq!(by_ends.row_total(0), rows.row_total(0));
        assert_eq!(by_ends.row(1).count(), 0);
        assert_eq!(by_ends.row(2).count(), 2);
        assert_eq!(by_ends.total(), rows.total());
        assert_eq!(rows.documents_by_id(["a", "a", "b", "b"]).unwrap().len(), 2);
        let scattered = rows.documents_by_id(["a", "b", "b", "a"]).unwrap();
        assert_eq!(scattered.row_total(0), ChunkCounts { gold: 2, predicted: 1, correct: 1 });
        assert_eq!(rows.documents_by_id(0..4).unwrap(), rows);

        for ends in [&[][..], &[3], &[3, 2, 4], &[5], &[4, 5]] {
            let error = rows.documents(ends).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Length { .. }), "{ends:?}");
        }
        assert!(rows.documents_by_id([1, 2, 3]).is_err());
        assert!(rows.documents_by_id([1, 2, 3, 4, 5]).is_err());
    }

    #[test]
    fn ids_without_end_are_left() {
        let read = std::cell::Cell::new(0);
        let ids = (0..).inspect(|_| read.set(read.get() + 1));
        assert!(rows().documents_by_id(ids).is_err());
        assert_eq!(read.get(), 5); // one more than there are rows
    }
}
