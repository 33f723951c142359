//! [`Bigrams`]: how often each tag follows each, which is all that the faults of rows depend on.

use std::collections::HashMap;

use crate::TagBatch;

/// So many labels, and what follows what is counted in a table.
const FEW: usize = 62;

/// How often each tag follows each in the gold rows of a batch.
#[derive(Clone, Debug)]
pub(super) struct Bigrams {
    /// How many labels there are; the number behind the last stands for ids that are none, the next
    /// one for what is before and behind a row.
    labels: usize,
    /// By the tag before and the tag behind; empty if there are many labels.
    table: Vec<u64>,
    /// The same of many labels.
    map: HashMap<(usize, usize), u64>,
}

/// One tag behind another, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bigram {
    /// `None` before a row.
    pub(super) previous: Option<i32>,
    /// `None` behind a row.
    pub(super) current: Option<i32>,
    pub(super) count: u64,
}

/// What stands for ids that are no place in the list.
const NO_LABEL: i32 = -1;

impl Bigrams {
    /// Counts those of ids of so many labels.
    pub(super) fn of(batch: TagBatch<'_>, labels: usize) -> Self {
        let table = if labels <= FEW { vec![0; (labels + 2) * (labels + 2)] } else { Vec::new() };
        let mut all = Self { labels, table, map: HashMap::new() };
        let (none, border) = (labels, labels + 1);
        for (row, _) in batch.iter_rows() {
            let mut previous = border;
            for &id in row {
                let current = usize::try_from(id).map_or(none, |id| id.min(none));
                all.add(previous, current);
                previous = current;
            }
            all.add(previous, border);
        }
        all
    }

    #[inline]
    fn add(&mut self, previous: usize, current: usize) {
        match self.table.get_mut(previous * (self.labels + 2) + current) {
            Some(count) => *count += 1,
            None => *self.map.entry((previous, current)).or_default() += 1,
        }
    }

    /// Those that occur.
    pub(super) fn iter(&self) -> impl Iterator<Item = Bigram> {
        let size = self.labels + 2;
        let in_table = self.table.iter().enumerate().map(move |(at, &n)| (at / size, at % size, n));
        let all = in_table
            .chain(self.map.iter().map(|(&(previous, current), &n)| (previous, current, n)));
        all.filter(|(.., count)| *count > 0).map(|(previous, current, count)| {
            let (previous, current) = (self.id(previous), self.id(current));
            Bigram { previous, current, count }
        })
    }

    fn id(&self, at: usize) -> Option<i32> {
        let label = || i32::try_from(at).ok().filter(|_| at < self.labels);
        (at <= self.labels).then(|| label().unwrap_or(NO_LABEL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_labels_and_many_count_alike() {
        let ids = [0, 1, 1, 0, 0, -100, 70, 1];
        let batch = TagBatch::new(&ids, &ids, &[3, 3, 8]).unwrap();
        for (labels, last) in [(2, -1), (FEW, -1), (FEW + 1, -1), (1000, 70)] {
            let mut found: Vec<_> = Bigrams::of(batch, labels)
                .iter()
                .map(|Bigram { previous, current, count }| (previous, current, count))
                .collect();
            let mut expected = vec![
                (None, None, 1), // an empty row
                (None, Some(0), 2),
                (Some(0), Some(0), 1),
                (Some(0), Some(1), 1),
                (Some(0), Some(-1), 1),
                (Some(-1), Some(last), 1),
                (Some(last), Some(1), 1),
                (Some(1), Some(1), 1),
                (Some(1), None, 2),
            ];
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{labels}");
        }
    }
}
