//! [`ChunkEvaluator`]: entity-level precision, recall and F1 over a stream of batches.

mod absorb;
mod builder;
mod state;

pub use builder::ChunkEvaluatorBuilder;
pub(crate) use state::malformed;
pub use state::{ChunkState, Diagnostics};

use crate::{
    Chunk, ChunkCounts, ChunkReport, Fingerprint, Mergeable, Metric, Protocol, Result, State,
    TagBatch, TagSet, Tagging, ZeroDivision,
};

/// Precision, recall and F1 of chunks (named entities, slots), in total and per entity type.
///
/// A predicted chunk is correct if a gold chunk of the same row has the same type, start and end.
/// Chunks are read leniently, as seqeval's default mode, PaddleNLP's `ChunkEvaluator` and, on
/// well-formed B/I/O tags, conlleval do; the counts equal theirs. [`Mode`](crate::Mode) has the strict schemes.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
/// //                          gold  PER PER  O  LOC
/// metric.update(TagBatch::new(&[1, 2, 0, 3], &[1, 2, 0, 1], &[4])?)?;
///
/// let report = metric.accumulate();
/// assert_eq!(metric.name(), ["precision", "recall", "f1"]);
/// assert_eq!((report.overall.precision, report.overall.recall, report.overall.f1), (0.5, 0.5, 0.5));
/// assert_eq!(report.get("PER").unwrap().counts.predicted, 2);
/// assert_eq!(report.get("LOC").unwrap().counts.precision(), None); // none predicted: undefined
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChunkEvaluator {
    tags: TagSet,
    zero_division: ZeroDivision,
    state: ChunkState,
    /// The state of one batch, kept to be filled again.
    scratch: ChunkState,
}

impl ChunkEvaluator {
    /// An evaluator for a label list in class-index order, in prefix style (`B-PER`).
    ///
    /// # Errors
    /// A label cannot be read; see [`TagSet::new`].
    pub fn new<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Result<Self> {
        Self::builder(labels).build()
    }

    /// An evaluator with options.
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, TagStyle};
    ///
    /// let metric = ChunkEvaluator::builder(["P-B", "P-I", "O"]).style(TagStyle::Suffix).build()?;
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn builder<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> ChunkEvaluatorBuilder {
        ChunkEvaluatorBuilder {
            tags: TagSet::builder(labels),
            zero_division: ZeroDivision::default(),
        }
    }

    /// An evaluator for labels that are compiled already.
    #[must_use]
    pub fn with_tags(tags: TagSet) -> Self {
        let state = ChunkState::new(&tags);
        let scratch = state.clone();
        Self { tags, zero_division: ZeroDivision::default(), state, scratch }
    }

    /// The compiled label list.
    #[must_use]
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }

    /// The chunks of one row of tag ids, with offsets; see [`TagSet::entities`].
    #[must_use]
    pub fn entities(&self, ids: &[i32]) -> Vec<Chunk<'_>> {
        self.tags.entities(ids)
    }

    /// Adds counts that were measured elsewhere. They enter the totals, not the types.
    ///
    /// ```
    /// use chunkeval_core::{ChunkCounts, ChunkEvaluator, Metric};
    ///
    /// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
    /// metric.update_counts(ChunkCounts { gold: 4, predicted: 2, correct: 1 })?;
    /// assert_eq!(metric.accumulate().overall.recall, 0.25);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// More chunks are correct than gold or predicted, or a sum exceeds 64 bits; nothing is
    /// changed then.
    pub fn update_counts(&mut self, counts: ChunkCounts) -> Result<()> {
        counts.check()?;
        self.state.total.add(&counts)
    }

    /// Puts one batch alone into a state of this evaluator; on error it is of no use.
    pub(crate) fn measure_into(&self, batch: TagBatch<'_>, state: &mut ChunkState) -> Result<()> {
        state.clear();
        state.measure(&self.tags, batch)
    }

    /// The counts of each type of the label list, sorted by code point.
    pub(crate) fn per_type<'s>(
        &'s self,
        state: &'s ChunkState,
    ) -> impl Iterator<Item = (&'s str, ChunkCounts)> {
        self.tags.chunk_types().map(|(index, name)| {
            let counts = state.per_type.get(index).copied().unwrap_or_default();
            (name, counts)
        })
    }
}

impl Metric for ChunkEvaluator {
    type Task = Tagging;
    type Output = ChunkReport;

    fn name(&self) -> Vec<&str> {
        vec!["precision", "recall", "f1"]
    }

    fn reset(&mut self) {
        self.state.clear();
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        self.scratch.clear();
        self.scratch.measure(&self.tags, batch)?;
        self.state.add(&self.scratch)
    }

    fn accumulate(&self) -> ChunkReport {
        self.finish(&self.state)
    }
}

impl Mergeable for ChunkEvaluator {
    type State = ChunkState;

    fn fingerprint(&self) -> Fingerprint {
        self.tags.fingerprint()
    }

    fn zero(&self) -> ChunkState {
        let mut zero = self.state.clone();
        zero.clear();
        zero
    }

    fn state(&self) -> &ChunkState {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<ChunkState> {
        let mut state = self.zero();
        self.measure_into(batch, &mut state)?;
        Ok(state)
    }

    fn merge(&mut self, state: &ChunkState) -> Result<()> {
        state.check_types(&self.tags)?;
        self.state.merge(state)
    }

    fn finish(&self, state: &ChunkState) -> ChunkReport {
        let per_type = self.per_type(state);
        let protocol = Protocol::of_chunks(&self.tags, self.zero_division);
        ChunkReport::new(state.total, per_type, state.diagnostics, self.zero_division, protocol)
    }
}
