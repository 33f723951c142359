//! [`ChunkErrors`]: which errors a tagger makes, over a stream of batches.

use super::chunk_error::ChunkError;
use super::error_report::ChunkErrorReport;
use super::error_state::ChunkErrorState;
use super::kind::ChunkErrorKind;
use super::listing::Listing;
use super::matching::Matcher;
use crate::tags::Span;
use crate::{
    ChunkEvaluator, ChunkReport, Error, Fingerprint, Mergeable, Metric, Mode, Result, State,
    TagBatch, TagSet, TagStyle, Tagging,
};

/// Which errors were made with chunks: confused types, wrong boundaries, missed and spurious ones;
/// by kind, by entity type, and as a matrix of types against types.
///
/// Gold and predicted chunks of a row are paired, each at most once: first those of the same span,
/// then those that overlap, the largest overlap first (of equal ones those of the same type, then
/// those further left). Each chunk is correct or in exactly one [error](ChunkErrorKind), so the
/// counts add up to those of a [`ChunkEvaluator`] of the same labels.
///
/// `SpanEvaluator` of the crate chunkeval-span pairs by another rule, the greatest total overlap,
/// since it must give partial credit whatever overlaps; where several chunks of a row overlap each
/// other the two can pair them differently. `docs/decisions.md` says more.
///
/// ```
/// use chunkeval_core::{ChunkErrorKind, ChunkErrors, Metric, TagBatch};
///
/// let mut errors = ChunkErrors::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?.list_first(10);
/// //    gold  PER PER  O  LOC LOC  O  O     predicted  LOC LOC  O  LOC  O  O PER
/// errors.update(TagBatch::new(&[1, 2, 0, 3, 4, 0, 0],          &[3, 4, 0, 3, 0, 0, 1], &[7])?)?;
///
/// let report = errors.accumulate();
/// assert_eq!(report.count(ChunkErrorKind::TypeError), 1); // PER as LOC at 0..2
/// assert_eq!(report.count(ChunkErrorKind::TooShort), 1); // LOC at 3..5
/// assert_eq!(report.count(ChunkErrorKind::Spurious), 1); // PER at 6..7
/// assert_eq!(report.get("PER").unwrap().gold.type_error, 1);
/// assert_eq!(report.confusions[0].predicted, "LOC");
///
/// let short = errors.errors()[1];
/// assert_eq!((short.row, short.kind), (0, ChunkErrorKind::TooShort));
/// assert_eq!(short.gold.unwrap().range(), 3..5);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// # Cost
/// Chunks are counted as by a [`ChunkEvaluator`]; only rows whose two sides
/// differ are read a second time. Nothing is allocated once rows of the usual size were seen.
#[derive(Clone, Debug)]
pub struct ChunkErrors {
    tags: TagSet,
    state: ChunkErrorState,
    /// The state of one batch, kept to be filled again.
    scratch: ChunkErrorState,
    matcher: Matcher,
    listing: Listing<Listed>,
}

/// A [`ChunkError`] with indices of types.
#[derive(Clone, Copy, Debug)]
struct Listed {
    row: u64,
    kind: ChunkErrorKind,
    gold: Option<Span>,
    predicted: Option<Span>,
}

impl ChunkErrors {
    /// For a label list in class-index order, in prefix style (`B-PER`), read leniently.
    ///
    /// # Errors
    /// A label cannot be read; see [`TagSet::new`].
    pub fn new<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Result<Self> {
        Self::with_tags(TagSet::new(labels, TagStyle::Prefix)?)
    }

    /// For labels that are compiled already; take those of a
    /// [`ChunkEvaluator`](crate::ChunkEvaluator::tags) to explain its scores.
    ///
    /// # Errors
    /// The mode is [`Mode::Conlleval`], which does not count by spans.
    pub fn with_tags(tags: TagSet) -> Result<Self> {
        if tags.mode() == Mode::Conlleval {
            let reason = "conlleval counts no spans, so its chunks cannot be compared; on B, I and \
                          O the lenient mode has the same ones";
            return Err(Error::config("mode", reason));
        }
        let state = ChunkErrorState::new(&tags);
        Ok(Self {
            tags,
            scratch: state.clone(),
            state,
            matcher: Matcher::default(),
            listing: Listing::new(ChunkErrorKind::ALL.len()),
        })
    }

    /// Lists the first `n` errors of each kind; none if not said.
    #[must_use]
    pub fn list_first(mut self, n: usize) -> Self {
        self.listing.set_limit(n);
        self
    }

    /// The errors that were listed, sorted by row and offset. Offsets are columns of the data as
    /// it was given, ignored positions included.
    ///
    /// The list belongs to this metric and not to its state: only [`update`](Metric::update) adds
    /// to it, [`merge`](Mergeable::merge) does not, since what comes first in a stream would then
    /// depend on the order of merging. Rows are numbered over all rows counted before, those of
    /// merged states and restored snapshots included, so a run that is continued goes on numbering.
    /// How many errors were left out is the [count](ChunkErrorReport::count) less the listed ones.
    /// A [`Collection`](crate::Collection) that takes a batch back, since a member behind this one
    /// refused it, clears the list.
    #[must_use]
    pub fn errors(&self) -> Vec<ChunkError<'_>> {
        let named = |listed: &Listed| ChunkError {
            row: listed.row,
            kind: listed.kind,
            gold: listed.gold.map(|span| span.named(&self.tags)),
            predicted: listed.predicted.map(|span| span.named(&self.tags)),
        };
        let mut errors: Vec<_> = self.listing.iter().map(named).collect();
        errors.sort_by_key(|e| (e.row, e.gold.or(e.predicted).map(|chunk| chunk.start), e.kind));
        errors
    }

    /// The scores that these errors explain: what a [`ChunkEvaluator`] of the same labels reports,
    /// from the same pass.
    ///
    /// ```
    /// use chunkeval_core::{ChunkErrors, Metric, TagBatch};
    ///
    /// let mut errors = ChunkErrors::new(["O", "B-PER", "I-PER"])?;
    /// errors.update(TagBatch::new(&[1, 2, 0, 1], &[1, 0, 0, 1], &[4])?)?;
    /// assert_eq!(errors.scores().overall.f1, 0.5);
    /// assert_eq!(errors.accumulate().gold.too_short, 1);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn scores(&self) -> ChunkReport {
        ChunkEvaluator::with_tags(self.tags.clone()).finish(self.state.chunks())
    }

    /// Adds what a metric has counted whose labels are all in this one's list; see
    /// [`ChunkEvaluator::absorb`](crate::ChunkEvaluator::absorb). Its list of errors is not added.
    ///
    /// # Errors
    /// As for [`ChunkEvaluator::absorb`](crate::ChunkEvaluator::absorb).
    pub fn absorb(&mut self, part: &Self) -> Result<()> {
        let state = part.state.moved(&part.tags, &self.tags)?;
        self.state.add(&state)
    }

    /// The compiled label list.
    #[must_use]
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }
}

/// A span in columns of the data as it was given.
fn placed(span: Span, batch: TagBatch<'_>, row: usize) -> Span {
    let column = |position| batch.place(row, position).1;
    // The column behind the last token, not that of the next token that counts.
    let end = span.end.checked_sub(1).map_or(0, |last| column(last) + 1);
    Span { start: column(span.start), end, ..span }
}

impl Metric for ChunkErrors {
    type Task = Tagging;
    type Output = ChunkErrorReport;

    fn name(&self) -> Vec<&str> {
        ChunkErrorKind::ALL.map(ChunkErrorKind::name).to_vec()
    }

    fn reset(&mut self) {
        self.state.clear();
        self.listing.clear();
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        let rows_before = self.state.diagnostics().rows;
        let list =
            |row: usize, kind: ChunkErrorKind, gold: Option<Span>, predicted: Option<Span>| {
                self.listing.push(kind as usize, || Listed {
                    row: rows_before.saturating_add(row as u64),
                    kind,
                    gold: gold.map(|span| placed(span, batch, row)),
                    predicted: predicted.map(|span| placed(span, batch, row)),
                });
            };
        self.scratch.clear();
        let measured = self.scratch.measure(&self.tags, batch, &mut self.matcher, list);
        let added = measured.and_then(|()| self.state.add(&self.scratch));
        self.listing.settle(added.is_ok());
        added
    }

    fn accumulate(&self) -> ChunkErrorReport {
        self.finish(&self.state)
    }
}

impl Mergeable for ChunkErrors {
    type State = ChunkErrorState;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(format!("errors/1 {}", self.tags.fingerprint()))
    }

    fn zero(&self) -> ChunkErrorState {
        ChunkErrorState::new(&self.tags)
    }

    fn state(&self) -> &ChunkErrorState {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<ChunkErrorState> {
        let mut state = self.zero();
        state.measure(&self.tags, batch, &mut Matcher::default(), |_, _, _, _| {})?;
        Ok(state)
    }

    fn merge(&mut self, state: &ChunkErrorState) -> Result<()> {
        state.chunks().check_types(&self.tags)?;
        self.state.merge(state)
    }

    fn finish(&self, state: &ChunkErrorState) -> ChunkErrorReport {
        ChunkErrorReport::new(&self.tags, state)
    }
}
