//! Rows sorted into buckets that are scored apart.

use clap::ValueEnum;

use super::rows::Rows;

/// What a report is split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Sentences by their number of tokens
    Length,
    /// Entity types, with what became of their chunks
    Type,
}

/// The longest sentence of each bucket but the last.
const LENGTHS: [usize; 5] = [5, 10, 20, 30, 50];

impl By {
    /// The names of the buckets; one of them all if rows are not sorted.
    pub(super) fn buckets(by: &[Self]) -> Vec<String> {
        if !by.contains(&Self::Length) {
            return vec!["all".to_owned()];
        }
        let mut names = Vec::new();
        let mut from = 1;
        for to in LENGTHS {
            names.push(format!("{from}–{to}"));
            from = to + 1;
        }
        names.push(format!("{from}+"));
        names
    }
}

/// Puts rows into buckets by length.
pub(super) fn sort(rows: &Rows, buckets: &mut [Rows]) {
    buckets.iter_mut().for_each(Rows::clear);
    let mut start = 0;
    for (&end, &text) in rows.ends.iter().zip(&rows.texts) {
        let length = end - start;
        let bucket = LENGTHS.partition_point(|&most| most < length);
        if let (Some(to), Some(gold), Some(predicted)) =
            (buckets.get_mut(bucket), rows.gold.get(start..end), rows.predicted.get(start..end))
        {
            to.gold.extend_from_slice(gold);
            to.predicted.extend_from_slice(predicted);
            to.end(text);
        }
        start = end;
    }
}
