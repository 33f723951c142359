//! Rows that another metric has counted.

use std::collections::BTreeSet;

use super::{Entry, RowCounts, entry};
use crate::{ChunkCounts, Error, Fingerprint, Protocol, Result};

impl RowCounts {
    /// No rows yet, for types of any metric that counts entities; add rows with
    /// [`push_counts`](RowCounts::push_counts). `fingerprint` names the metric and its
    /// configuration, `protocol` is the signature of its reports.
    ///
    /// ```
    /// use chunkeval_core::{ChunkCounts, Fingerprint, Protocol, RowCounts};
    ///
    /// let types = ["PER", "LOC"].map(str::to_owned).into();
    /// let protocol = Protocol::default().with("metric", "mine");
    /// let mut rows = RowCounts::of_types(Fingerprint::new("mine"), protocol, types)?;
    /// assert_eq!(rows.types(), ["LOC", "PER"]);
    /// rows.push_counts([(1, ChunkCounts { gold: 2, predicted: 1, correct: 1 })])?;
    /// assert_eq!(rows.row_total(0).recall(), Some(0.5));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are 2³² types or more.
    pub fn of_types(
        fingerprint: Fingerprint,
        protocol: Protocol,
        types: BTreeSet<String>,
    ) -> Result<Self> {
        if u32::try_from(types.len()).is_err() {
            return Err(Error::config("rows", "there are 2^32 or more types"));
        }
        let types = types.into_iter().collect();
        Ok(Self { fingerprint, protocol, types, ends: Vec::new(), entries: Vec::new() })
    }

    /// Adds a row that was counted elsewhere: indices of [`types`](RowCounts::types), rising, each
    /// with its counts.
    ///
    /// # Errors
    /// An index does not rise or is no type's, or counts are impossible or too many; nothing is
    /// added then.
    pub fn push_counts(
        &mut self,
        row: impl IntoIterator<Item = (usize, ChunkCounts)>,
    ) -> Result<()> {
        let mut entries: Vec<Entry> = Vec::new();
        for (index, counts) in row {
            counts.check()?;
            let number = u32::try_from(index).ok().filter(|_| index < self.types.len());
            let number = number.filter(|n| entries.last().is_none_or(|last| last[0] < *n));
            let number = number.ok_or_else(|| {
                Error::config("rows", format!("type {index} is not listed, or does not rise"))
            })?;
            if counts != ChunkCounts::default() {
                entries.push(entry(number, counts)?);
            }
        }
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_counted_elsewhere_are_checked() {
        let types = ["A", "B"].map(str::to_owned).into();
        let mut rows =
            RowCounts::of_types(Fingerprint::new("f"), Protocol::default(), types).unwrap();
        let one = ChunkCounts { gold: 1, predicted: 1, correct: 1 };
        let wide = ChunkCounts { gold: 1 << 32, ..one };
        let impossible = ChunkCounts { correct: 2, ..one };
        for bad in [vec![(2, one)], vec![(1, one), (0, one)], vec![(0, one), (0, one)]] {
            assert!(rows.push_counts(bad).is_err());
        }
        assert!(
            rows.push_counts([(0, wide)]).is_err() && rows.push_counts([(0, impossible)]).is_err()
        );
        assert_eq!(rows.len(), 0);
        rows.push_counts([]).unwrap();
        rows.push_counts([(0, ChunkCounts::default()), (1, one)]).unwrap();
        assert_eq!(rows.row(1).collect::<Vec<_>>(), [(1, one)]);
        assert_eq!((rows.len(), rows.total()), (2, one));
    }
}
