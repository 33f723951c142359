//! [`ExtractionRows`]: the counts of each record, kept for statistics.

use std::collections::{BTreeMap, BTreeSet};

use chunkeval_core::{ChunkCounts, ErrorKind, Fingerprint, Protocol, Result, RowCounts};
use serde::{Deserialize, Serialize};

use crate::asked::Asked;
use crate::{AnswerReading, ExtractionEvaluator, Record, RecordBatch, Treatment};

mod saved;

/// The counts of each record and type under one reading, kept for intervals and paired tests. Saved
/// and loaded, those of shards can be appended; how many answers a shard lists does not matter.
///
/// ```
/// use chunkeval_core::ChunkCounts;
/// use chunkeval_llm::{AnswerReading, ExtractionEvaluator, ExtractionRows, Record, RecordBatch};
/// use chunkeval_llm::Treatment;
/// use chunkeval_stats::{Resampling, Totals};
///
/// let record = |answer: &str| {
///     Record::new([("PER", "Ada"), ("LOC", "Rome")].into_iter().collect(), answer)
/// };
/// let records = [r#"{"PER": ["Ada"]}"#, "no idea", r#"{"PER": ["Ada"], "LOC": ["Rome"]}"#];
/// let records = records.map(record);
///
/// let metric = ExtractionEvaluator::new();
/// let mut rows = ExtractionRows::new(&metric, AnswerReading::Lenient);
/// rows.push(&metric, RecordBatch::new(&records))?;
///
/// let counts = rows.row_counts(Treatment::CountAsEmpty)?;
/// assert_eq!(counts.total(), ChunkCounts { gold: 6, predicted: 3, correct: 3 });
/// let recall = Resampling::new(1000).interval(&Totals::of(&counts)?, ChunkCounts::recall)?;
/// assert_eq!(recall.point, 0.5);
/// assert_eq!(rows.row_counts(Treatment::Skip)?.total().recall(), Some(0.75));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "saved::Unchecked")]
pub struct ExtractionRows {
    fingerprint: Fingerprint,
    protocol: Protocol,
    reading: AnswerReading,
    /// Number of each type, in order of first appearance.
    types: BTreeMap<String, usize>,
    /// Where the entries of each record end, and whether its answer was read.
    rows: Vec<(usize, bool)>,
    entries: Vec<Entry>,
}

/// A type in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "saved::Written", from = "saved::Written")]
struct Entry {
    kind: usize,
    asked: bool,
    counts: ChunkCounts,
}

impl ExtractionRows {
    /// No records yet.
    #[must_use]
    pub fn new(metric: &ExtractionEvaluator, reading: AnswerReading) -> Self {
        let (matching, normalisation) = (metric.matching(), metric.normalisation());
        let fingerprint = Fingerprint::new(format!(
            "extraction rows/1 reading={reading} matching={matching} normalisation={normalisation}"
        ));
        let protocol = metric.protocol().with("reading", reading);
        let (types, rows, entries) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { fingerprint, protocol, reading, types, rows, entries }
    }

    /// Counts the records of a batch, each by itself. The evaluator is only read: its own counts
    /// are those of its `update`.
    ///
    /// # Errors
    /// The evaluator has another configuration than the one these rows began with.
    pub fn push(&mut self, metric: &ExtractionEvaluator, batch: RecordBatch<'_>) -> Result<()> {
        let found = Self::new(metric, self.reading).fingerprint;
        if found != self.fingerprint {
            let expected = self.fingerprint.clone();
            return Err(ErrorKind::Incompatible { expected, found }.into());
        }
        batch.records().iter().for_each(|record| self.push_record(metric, record));
        Ok(())
    }

    fn push_record(&mut self, metric: &ExtractionEvaluator, record: &Record) {
        let answer = self.reading.read_record(record);
        let types = Asked::of(record);
        for (name, counts) in metric.compare(self.reading, record, &answer) {
            let asked = types.has(&name);
            let new = self.types.len();
            let kind = *self.types.entry(name).or_insert(new);
            self.entries.push(Entry { kind, asked, counts });
        }
        self.rows.push((self.entries.len(), answer.is_readable()));
    }

    /// Adds the records of another shard behind these.
    ///
    /// # Errors
    /// They were counted by an evaluator of another configuration or reading.
    pub fn append(&mut self, other: &Self) -> Result<()> {
        if other.fingerprint != self.fingerprint {
            let (expected, found) = (self.fingerprint.clone(), other.fingerprint.clone());
            return Err(ErrorKind::Incompatible { expected, found }.into());
        }
        let mut kinds = BTreeMap::new();
        for (name, &theirs) in &other.types {
            let new = self.types.len();
            kinds.insert(theirs, *self.types.entry(name.clone()).or_insert(new));
        }
        let before = self.entries.len();
        self.rows.extend(other.rows.iter().map(|&(end, read)| (before + end, read)));
        let entries = other
            .entries
            .iter()
            .filter_map(|entry| kinds.get(&entry.kind).map(|&kind| Entry { kind, ..*entry }));
        self.entries.extend(entries);
        Ok(())
    }

    /// The records but for some, by their rising places: those that only one of two systems has, for
    /// example. Places behind the last record are none.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, Entities, ExtractionEvaluator, ExtractionRows, Record};
    /// use chunkeval_llm::{RecordBatch, Treatment};
    ///
    /// let records = ["{}", "?", r#"{"PER": ["Ada"]}"#];
    /// let records = records.map(|answer| Record::new(Entities::default(), answer));
    /// let metric = ExtractionEvaluator::new();
    /// let mut rows = ExtractionRows::new(&metric, AnswerReading::Lenient);
    /// rows.push(&metric, RecordBatch::new(&records))?;
    /// assert_eq!((rows.len(), rows.unreadable()), (3, 1));
    ///
    /// let rest = rows.without(&[1]);
    /// assert_eq!((rest.len(), rest.unreadable()), (2, 0));
    /// assert_eq!(rest.row_counts(Treatment::Skip)?.total().predicted, 1);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn without(self, records: &[usize]) -> Self {
        if records.is_empty() {
            return self;
        }
        let mut gone = records.iter().peekable();
        let (mut rows, mut entries, mut start) = (Vec::new(), Vec::new(), 0);
        for (place, &(end, read)) in self.rows.iter().enumerate() {
            while gone.next_if(|&&of| of < place).is_some() {}
            if gone.peek().is_none_or(|&&of| of != place) {
                entries.extend_from_slice(self.entries.get(start..end).unwrap_or_default());
                rows.push((entries.len(), read));
            }
            start = end;
        }
        Self { rows, entries, ..self }
    }

    /// Of how many records the answer could not be read.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.rows.iter().filter(|(_, read)| !read).count() as u64
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The counts as statistics take them. A record that a treatment leaves out is one without
    /// entities.
    ///
    /// # Errors
    /// A record has 2³² or more entities of a type.
    pub fn row_counts(&self, treatment: Treatment) -> Result<RowCounts> {
        self.row_counts_of(treatment, self.types.keys().cloned().collect())
    }

    /// The counts of two systems on the same records, with the types of both.
    ///
    /// Under [`Treatment::Skip`] two systems are scored on different gold entities unless they fail
    /// on the same records, and paired tests refuse that; take [`Treatment::CountAsEmpty`].
    ///
    /// # Errors
    /// As for [`row_counts`](ExtractionRows::row_counts), or the numbers of records differ.
    pub fn pair(a: &Self, b: &Self, treatment: Treatment) -> Result<(RowCounts, RowCounts)> {
        if a.len() != b.len() {
            let (what, expected, found) = ("records of the second system", a.len(), b.len());
            let kind = ErrorKind::Length { what, row: None, expected, found };
            return Err(kind.into());
        }
        let types: BTreeSet<String> = a.types.keys().chain(b.types.keys()).cloned().collect();
        Ok((a.row_counts_of(treatment, types.clone())?, b.row_counts_of(treatment, types)?))
    }

    fn row_counts_of(&self, treatment: Treatment, types: BTreeSet<String>) -> Result<RowCounts> {
        let fingerprint = Fingerprint::new(format!("{} by {treatment}", self.fingerprint));
        let mut numbers = vec![0; self.types.len()];
        for (place, name) in types.iter().enumerate() {
            let kind = self.types.get(name).copied();
            if let Some(number) = kind.and_then(|kind| numbers.get_mut(kind)) {
                *number = place;
            }
        }
        let protocol = treatment.sign(self.protocol.clone());
        let mut counts = RowCounts::of_types(fingerprint, protocol, types)?;
        let mut start = 0;
        for &(end, read) in &self.rows {
            let entries = self.entries.get(start..end).unwrap_or_default();
            start = end;
            let kept = entries.iter().filter(|entry| match treatment {
                Treatment::Skip => read,
                Treatment::CountAsEmpty => true,
                Treatment::SchemaTypesOnly => read && entry.asked,
                Treatment::SchemaTypesCountAsEmpty => entry.asked,
            });
            let numbered = kept.filter_map(|e| Some((*numbers.get(e.kind)?, e.counts)));
            counts.push_counts(numbered)?;
        }
        Ok(counts)
    }
}
