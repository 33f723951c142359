//! The tagging task: rows of gold and predicted tag ids.

use std::ops::Range;

use crate::source::Word;
use crate::{Batch, ErrorKind, Result, Task};

/// The task of tagging tokens: NER, chunking, slot filling. Its batch is a [`TagBatch`].
#[derive(Debug)]
pub enum Tagging {}

impl Task for Tagging {
    type Batch<'a> = TagBatch<'a>;
    type Buffer = TagBuffer;
}

/// The predicted id of a token that was never predicted, such as one beyond a model's longest
/// input. It reads as `O` and is counted apart in the diagnostics.
pub const MISSING_PREDICTION: i32 = i32::MIN;

/// Gold and predicted tag ids of some rows, one behind the other without padding.
///
/// Build one from plain slices with [`TagBatch::new`], or let a [`Source`](crate::Source) such as
/// [`PaddedTags`](crate::PaddedTags) make one from padded data.
#[derive(Clone, Copy, Debug)]
pub struct TagBatch<'a> {
    gold: &'a [i32],
    predicted: &'a [i32],
    /// Where each row ends, counted from `base` positions before the slices.
    ends: &'a [usize],
    base: usize,
    first_row: usize,
    dropped: Option<Dropped<'a>>,
    classes: Option<usize>,
}

/// What a source left out, so that errors name places in the data as it was given.
#[derive(Clone, Copy, Debug)]
struct Dropped<'a> {
    /// The original column of each kept token.
    columns: &'a [u32],
    /// The original row of each kept token; empty if the rows are those of the batch.
    rows: &'a [u32],
    /// How many tokens of each row were left out.
    per_row: &'a [u32],
}

impl<'a> TagBatch<'a> {
    /// A batch of `ends.len()` rows; row `r` is `ends[r - 1]..ends[r]` of both slices.
    ///
    /// ```
    /// use chunkeval_core::{Batch, TagBatch};
    ///
    /// let batch = TagBatch::new(&[1, 2, 0, 1], &[1, 2, 0, 0], &[3, 4])?;
    /// assert_eq!(batch.len(), 2);
    /// assert_eq!(batch.row(1), Some((&[1][..], &[0][..])));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The slices differ in length, or `ends` does not rise to exactly that length.
    pub fn new(gold: &'a [i32], predicted: &'a [i32], ends: &'a [usize]) -> Result<Self> {
        let length = |what, row, expected, found| {
            Err(ErrorKind::Length { what, row, expected, found }.into())
        };
        if gold.len() != predicted.len() {
            return length("predicted ids", None, gold.len(), predicted.len());
        }
        if let Some(row) = (1..ends.len()).find(|&row| ends[row - 1] > ends[row]) {
            let what = "row end, at least that of the row before";
            return length(what, Some(row), ends[row - 1], ends[row]);
        }
        match ends.last().copied().unwrap_or(0) {
            last if last == gold.len() => Ok(Self::whole(gold, predicted, ends)),
            last => length("the last row end", None, gold.len(), last),
        }
    }

    /// A batch of slices that are known to fit each other.
    pub(crate) fn whole(gold: &'a [i32], predicted: &'a [i32], ends: &'a [usize]) -> Self {
        Self { gold, predicted, ends, base: 0, first_row: 0, dropped: None, classes: None }
    }

    /// The number of tokens in all rows.
    #[must_use]
    pub fn tokens(self) -> usize {
        self.gold.len()
    }

    /// How many classes the predictions were chosen from, if they came from logits. A metric
    /// refuses a batch whose classes are not its labels.
    #[must_use]
    pub fn classes(self) -> Option<usize> {
        self.classes
    }

    /// The number of tokens a source left out (mask, ignore index).
    #[must_use]
    pub fn ignored(self) -> u64 {
        self.dropped.map_or(0, |d| d.per_row.iter().map(|&n| u64::from(n)).sum())
    }

    /// That the batch fits a list of so many labels.
    ///
    /// # Errors
    /// The predictions were chosen from another number of classes, or the list lacks a gold id.
    pub(crate) fn check(self, labels: usize) -> Result<()> {
        if let Some(classes) = self.classes.filter(|&classes| classes != labels) {
            return Err(ErrorKind::Classes { classes, labels }.into());
        }
        let unknown = |&&id: &&i32| usize::try_from(id).map_or(true, |id| id >= labels);
        let Some((position, &id)) = self.gold.iter().enumerate().find(|(_, id)| unknown(id)) else {
            return Ok(());
        };
        let (row, column) = self.place_of(position);
        Err(ErrorKind::UnknownGold { row, column, id: i64::from(id), labels }.into())
    }

    /// Gold and predicted ids of all rows, one behind the other.
    pub(crate) fn flat(self) -> (&'a [i32], &'a [i32]) {
        (self.gold, self.predicted)
    }

    /// Where each row starts in [`flat`](TagBatch::flat).
    pub(crate) fn row_starts(self) -> impl Iterator<Item = usize> {
        let later = self.ends.iter().map(move |end| end - self.base);
        std::iter::once(0).chain(later).take(self.ends.len())
    }

    /// Gold and predicted ids of one row.
    #[must_use]
    pub fn row(self, row: usize) -> Option<(&'a [i32], &'a [i32])> {
        let range = self.range(row)?;
        Some((self.gold.get(range.clone())?, self.predicted.get(range)?))
    }

    /// Gold and predicted ids of each row.
    pub fn iter_rows(self) -> impl Iterator<Item = (&'a [i32], &'a [i32])> {
        (0..self.ends.len()).filter_map(move |row| self.row(row))
    }

    /// The row and column a position had in the data as it was given, for error messages.
    #[must_use]
    pub fn place(self, row: usize, position: usize) -> (usize, usize) {
        let at = self.range(row).and_then(|mut range| range.nth(position));
        let original = |of: fn(Dropped<'a>) -> &'a [u32]| {
            of(self.dropped?).get(at?).map(|&place| place as usize)
        };
        let row = original(|d| d.rows).unwrap_or(self.first_row.saturating_add(row));
        (row, original(|d| d.columns).unwrap_or(position))
    }

    /// The place of a position in [`flat`](TagBatch::flat).
    pub(crate) fn place_of(self, position: usize) -> (usize, usize) {
        let row = self.ends.partition_point(|end| end - self.base <= position);
        let start = self.range(row).map_or(0, |range| range.start);
        self.place(row, position.saturating_sub(start))
    }

    fn range(self, row: usize) -> Option<Range<usize>> {
        let end = *self.ends.get(row)?;
        let start = if row == 0 { self.base } else { self.ends[row - 1] };
        Some(start - self.base..end - self.base)
    }
}

impl Batch for TagBatch<'_> {
    fn len(self) -> usize {
        self.ends.len()
    }

    fn cost(self) -> usize {
        self.tokens()
    }

    fn rows(self, rows: Range<usize>) -> Self {
        let to = rows.end.min(self.ends.len());
        let from = rows.start.min(to);
        let start = self.range(from).map_or(self.gold.len(), |r| r.start);
        let end = if from == to { start } else { self.ends[to - 1] - self.base };
        Self {
            gold: &self.gold[start..end],
            predicted: &self.predicted[start..end],
            ends: &self.ends[from..to],
            base: self.base + start,
            first_row: self.first_row + from,
            dropped: self.dropped.map(|d| Dropped {
                columns: &d.columns[start..end],
                rows: d.rows.get(start..end).unwrap_or_default(),
                per_row: &d.per_row[from..to],
            }),
            classes: self.classes,
        }
    }
}

/// Memory a source fills and uses again from step to step.
#[derive(Debug, Default)]
pub struct TagBuffer {
    /// The rows of the batch.
    pub rows: RowBuffer,
    /// Room for row lengths that have to be converted or fetched first.
    pub lengths: Vec<usize>,
}

/// Memory for the rows of a [`TagBatch`]; [`assemble`](crate::adapter::assemble) fills it.
#[derive(Debug, Default)]
pub struct RowBuffer {
    pub(crate) gold: Vec<i32>,
    pub(crate) predicted: Vec<i32>,
    ends: Vec<usize>,
    columns: Vec<u32>,
    original_rows: Vec<u32>,
    dropped: Vec<u32>,
    classes: Option<usize>,
    /// Room for the words of all rows.
    pub(crate) words: Vec<Word>,
}

impl RowBuffer {
    /// Forgets the rows, keeps the memory.
    pub(crate) fn clear(&mut self, classes: Option<usize>) {
        self.gold.clear();
        self.predicted.clear();
        self.ends.clear();
        self.columns.clear();
        self.original_rows.clear();
        self.dropped.clear();
        self.classes = classes;
    }

    /// Notes the original columns of tokens just added.
    pub(crate) fn note_columns(&mut self, columns: Range<usize>) {
        self.columns.extend(columns.map(|c| u32::try_from(c).unwrap_or(u32::MAX)));
    }

    /// Notes the original row and column of a token just added.
    pub(crate) fn note_place(&mut self, row: usize, column: usize) {
        self.original_rows.push(u32::try_from(row).unwrap_or(u32::MAX));
        self.note_columns(column..column + 1);
    }

    /// Closes a row; `dropped` says how many of its tokens were left out, if that is tracked.
    pub(crate) fn end_row(&mut self, dropped: Option<usize>) {
        self.ends.push(self.gold.len());
        if let Some(n) = dropped {
            self.dropped.push(u32::try_from(n).unwrap_or(u32::MAX));
        }
    }

    /// The rows as a batch.
    pub(crate) fn batch(&self) -> TagBatch<'_> {
        let tracked = self.dropped.len() == self.ends.len();
        let dropped =
            Dropped { columns: &self.columns, rows: &self.original_rows, per_row: &self.dropped };
        TagBatch {
            dropped: tracked.then_some(dropped),
            classes: self.classes,
            ..TagBatch::whole(&self.gold, &self.predicted, &self.ends)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_ends_are_errors() {
        assert!(TagBatch::new(&[1, 2], &[1], &[2]).is_err());
        assert!(TagBatch::new(&[1, 2], &[1, 2], &[1]).is_err());
        assert!(TagBatch::new(&[1, 2], &[1, 2], &[2, 1]).is_err());
        assert!(TagBatch::new(&[1, 2], &[1, 2], &[]).is_err());
        assert!(TagBatch::new(&[], &[], &[]).is_ok());
        assert!(TagBatch::new(&[], &[], &[0, 0]).is_ok());
    }

    #[test]
    fn rows_of_rows_keep_their_place() {
        let gold = [1, 2, 3, 4, 5, 6];
        let batch = TagBatch::new(&gold, &gold, &[2, 2, 5, 6]).unwrap();
        let cut = batch.rows(1..4).rows(1..9);
        assert_eq!(cut.len(), 2);
        assert_eq!(cut.row(0).unwrap().0, [3, 4, 5]);
        assert_eq!(cut.row(1).unwrap().0, [6]);
        assert_eq!(cut.place(1, 0), (3, 0));
        assert_eq!(batch.rows(9..12).len(), 0);
        assert_eq!(batch.rows(4..4).tokens(), 0);
    }
}
