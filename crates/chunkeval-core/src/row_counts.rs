//! [`RowCounts`]: the chunk counts of each row or document, kept for statistics.

use serde::{Deserialize, Serialize};

use crate::{
    Batch, ChunkCounts, ChunkEvaluator, Error, Fingerprint, Mergeable, Protocol, Result, TagBatch,
};

mod documents;
mod elsewhere;
mod moved;
mod saved;
mod without;

/// The chunk counts of each row (or document) and type, kept on request.
///
/// A confidence interval resamples them, a paired test swaps them between two systems. Their sum
/// is what the evaluator itself counts. Memory: 8 bytes a row, and 16 bytes for each type that
/// occurs in the row, gold or predicted: 39 bytes a row were measured for three chunks in two rows
/// on average, spare room of the vectors included.
///
/// Totals may hold more correct chunks than the types do: in [`Mode::Conlleval`](crate::Mode) a
/// chunk can be correct under a type that no chunk of the label list has.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ChunkEvaluator, RowCounts, TagBatch};
///
/// let metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
/// let mut rows = RowCounts::new(&metric);
/// //                                  gold  PER LOC | PER  predicted  PER PER | O
/// rows.push(&metric, TagBatch::new(&[1, 3, /**/ 1], &[1, 1, /**/ 0], &[2, 3])?)?;
///
/// assert_eq!(rows.types(), ["LOC", "PER"]);
/// assert_eq!(rows.row_total(0), ChunkCounts { gold: 2, predicted: 2, correct: 1 });
/// let person = (1, ChunkCounts { gold: 1, predicted: 0, correct: 0 });
/// assert_eq!(rows.row(1).collect::<Vec<_>>(), [person]);
/// assert_eq!(rows.documents(&[2])?.row_total(0).gold, 3); // both rows are one document
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "saved::Unchecked")]
pub struct RowCounts {
    fingerprint: Fingerprint,
    protocol: Protocol,
    types: Vec<String>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    /// Of each row in turn, by rising type.
    entries: Vec<Entry>,
}

/// A type's index in [`RowCounts::types`] (one beyond for what is in the total only), then its
/// gold, predicted and correct chunks in one row.
type Entry = [u32; 4];

impl RowCounts {
    /// No rows yet, for the types of an evaluator.
    #[must_use]
    pub fn new(metric: &ChunkEvaluator) -> Self {
        Self {
            fingerprint: metric.fingerprint(),
            protocol: Protocol::of_tags(metric.tags()),
            types: metric.tags().types().map(str::to_owned).collect(),
            ends: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Counts the rows of a batch, each by itself. The evaluator is only read: its own counts are
    /// those of its `update`.
    ///
    /// # Errors
    /// The evaluator has another configuration than the one these rows began with, or the batch
    /// does not fit it; nothing is added then.
    pub fn push(&mut self, metric: &ChunkEvaluator, batch: TagBatch<'_>) -> Result<()> {
        self.fits(&metric.fingerprint(), metric.tags().types())?;
        let before = (self.ends.len(), self.entries.len());
        let pushed = self.push_rows(metric, batch);
        if pushed.is_err() {
            self.ends.truncate(before.0);
            self.entries.truncate(before.1);
        }
        pushed
    }

    fn push_rows(&mut self, metric: &ChunkEvaluator, batch: TagBatch<'_>) -> Result<()> {
        let mut state = metric.zero();
        for row in 0..batch.len() {
            metric.measure_into(batch.rows(row..row + 1), &mut state)?;
            let listed = metric.per_type(&state).map(|(_, counts)| counts);
            let rest = listed.fold(state.total(), minus);
            let listed = metric.per_type(&state).map(|(_, counts)| counts);
            self.push_row(listed.chain([rest]))?;
        }
        Ok(())
    }

    /// Closes a row with the counts of every type, in order, and those in the total only.
    fn push_row(&mut self, per_type: impl Iterator<Item = ChunkCounts>) -> Result<()> {
        for (index, counts) in (0..).zip(per_type) {
            if counts != ChunkCounts::default() {
                self.entries.push(entry(index, counts)?);
            }
        }
        self.ends.push(self.entries.len());
        Ok(())
    }

    /// Adds the rows of another shard behind these.
    ///
    /// # Errors
    /// The rows were counted by an evaluator of another configuration.
    pub fn append(&mut self, other: &Self) -> Result<()> {
        self.fits(&other.fingerprint, other.types.iter().map(String::as_str))?;
        let before = self.entries.len();
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.entries.extend_from_slice(&other.entries);
        Ok(())
    }

    /// That rows of that configuration can be added. The types follow from it, but either may come
    /// from a file.
    fn fits<'t>(&self, found: &Fingerprint, types: impl Iterator<Item = &'t str>) -> Result<()> {
        self.fingerprint.takes(found)?;
        if !types.eq(self.types.iter()) {
            return Err(Error::config("rows", "the types are not those of the configuration"));
        }
        Ok(())
    }

    /// How many rows or documents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The entity types, sorted by code point.
    #[must_use]
    pub fn types(&self) -> &[String] {
        &self.types
    }

    /// The configuration of the evaluator that counted.
    #[must_use]
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// How the chunks were counted: the beginning of the signature of what is made of these rows.
    #[must_use]
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// The types that occur in a row, as index in [`types`](RowCounts::types), with their counts.
    /// Nothing if there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, ChunkCounts)> + '_ {
        let entries = self.entries_of(row).iter();
        let all = entries.map(|&entry| (entry[0] as usize, counts(entry)));
        all.filter(|&(index, _)| index < self.types.len())
    }

    fn entries_of(&self, row: usize) -> &[Entry] {
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let range = self.ends.get(row).map(|&end| start.unwrap_or(0)..end);
        range.and_then(|range| self.entries.get(range)).unwrap_or_default()
    }

    /// The counts of a row over all types.
    #[must_use]
    pub fn row_total(&self, row: usize) -> ChunkCounts {
        self.entries_of(row).iter().fold(ChunkCounts::default(), plus)
    }

    /// The counts over all rows and types: those of the evaluator's report.
    #[must_use]
    pub fn total(&self) -> ChunkCounts {
        self.entries.iter().fold(ChunkCounts::default(), plus)
    }

    /// The counts of each type over all rows, in the order of [`types`](RowCounts::types).
    #[must_use]
    pub fn per_type(&self) -> Vec<ChunkCounts> {
        let mut sums = vec![ChunkCounts::default(); self.types.len()];
        for entry in &self.entries {
            if let Some(sum) = sums.get_mut(entry[0] as usize) {
                *sum = plus(*sum, entry);
            }
        }
        sums
    }

    /// How many bytes the counts take up, spare room included.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.ends.capacity() * size_of::<usize>() + self.entries.capacity() * size_of::<Entry>()
    }
}

/// The entry of a type.
fn entry(index: u32, counts: ChunkCounts) -> Result<Entry> {
    let narrow = |n: u64| u32::try_from(n).map_err(|_| too_many());
    let ChunkCounts { gold, predicted, correct } = counts;
    Ok([index, narrow(gold)?, narrow(predicted)?, narrow(correct)?])
}

fn counts([_, gold, predicted, correct]: Entry) -> ChunkCounts {
    let (gold, predicted, correct) = (gold.into(), predicted.into(), correct.into());
    ChunkCounts { gold, predicted, correct }
}

/// A sum of counts of 32 bits each, which no memory holds enough of to fill 64.
fn plus(a: ChunkCounts, entry: &Entry) -> ChunkCounts {
    let b = counts(*entry);
    ChunkCounts {
        gold: a.gold.saturating_add(b.gold),
        predicted: a.predicted.saturating_add(b.predicted),
        correct: a.correct.saturating_add(b.correct),
    }
}

/// What is left of a total without a part of it.
fn minus(total: ChunkCounts, part: ChunkCounts) -> ChunkCounts {
    ChunkCounts {
        gold: total.gold.saturating_sub(part.gold),
        predicted: total.predicted.saturating_sub(part.predicted),
        correct: total.correct.saturating_sub(part.correct),
    }
}

fn too_many() -> Error {
    Error::config("rows", "a row or document has 2^32 or more chunks of a type")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    pub(super) fn evaluator() -> ChunkEvaluator {
        ChunkEvaluator::new(["O", "B-X", "I-X", "B-Y", "I-Y"]).unwrap()
    }

    /// X, nothing, X and Y, Y missed.
    pub(super) fn rows() -> RowCounts {
        let metric = evaluator();
        let mut rows = RowCounts::new(&metric);
        let (gold, predicted) = ([1, 0, 1, 3, 3], [1, 0, 1, 3, 0]);
        rows.push(&metric, TagBatch::new(&gold, &predicted, &[1, 2, 4, 5]).unwrap()).unwrap();
        rows
    }

    #[test]
    fn a_bad_row_adds_nothing_and_is_named() {
        let metric = evaluator();
        let mut rows = rows();
        let before = rows.clone();
        let error = rows.push(&metric, TagBatch::new(&[1, 9], &[1, 1], &[1, 2]).unwrap());
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnknownGold { row: 1, column: 0, id: 9, .. }));
        assert_eq!(rows, before);

        let other = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
        let error = rows.push(&other, TagBatch::new(&[], &[], &[]).unwrap()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incompatible { .. }));
        assert!(rows.append(&RowCounts::new(&other)).is_err());
    }

    #[test]
    fn memory_is_what_the_docs_say() {
        let rows = rows();
        assert_eq!((rows.ends.len() * size_of::<usize>(), size_of::<Entry>()), (4 * 8, 16));
        assert!(rows.memory() >= 4 * 8 + 4 * 16);
    }
}
