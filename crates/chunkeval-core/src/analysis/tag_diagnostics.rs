//! [`TagDiagnostics`]: where tags are ill-formed, over a stream of batches.

use serde::{Deserialize, Serialize};

use super::fault::{Side, TagFault, TagFaultCounts};
use super::listing::Listing;
use super::tag_report::TagDiagnosticsReport;
use super::well_formed::Checker;
use crate::evaluator::malformed;
use crate::tags::Position;
use crate::{
    Batch, ErrorKind, Fingerprint, Mergeable, Metric, Mode, Result, Scheme, State, TagBatch,
    TagSet, TagStyle, Tagging,
};

/// What is wrong with the gold and the predicted tags, whatever they say: places that a
/// [`Scheme`] does not allow, by [kind](TagFault) and side; unknown and missing predictions; rows
/// without tokens or without chunks.
///
/// A lenient score makes the best of such places and a strict one drops their chunks, so where
/// there are many the two differ, and this says why.
///
/// ```
/// use chunkeval_core::{Metric, Side, TagBatch, TagDiagnostics, TagFault};
///
/// let mut tags = TagDiagnostics::new(["O", "B-LOC", "I-LOC"])?.list_first(10);
/// //                      gold B-LOC I-LOC O I-LOC    predicted B-LOC I-LOC O O
/// tags.update(TagBatch::new(&[1,    2,    0, 2],              &[1,    2,    0, 0], &[4, 4])?)?;
///
/// let report = tags.accumulate();
/// assert_eq!(report.scheme, "IOB2");
/// assert_eq!((report.gold.stray, report.predicted.ill_formed()), (1, 0));
/// assert_eq!((report.rows, report.empty_rows, report.rows_without_gold), (2, 1, 1));
///
/// let place = tags.faults()[0];
/// assert_eq!((place.side, place.row, place.column), (Side::Gold, 0, 3));
/// assert_eq!((place.fault, place.tag), (TagFault::Stray, Some("I-LOC")));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TagDiagnostics {
    tags: TagSet,
    scheme: Scheme,
    checker: Checker,
    state: TagDiagnosticsState,
    listing: Listing<Listed>,
}

/// What a [`TagDiagnostics`] keeps: counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagDiagnosticsState {
    pub(super) rows: u64,
    pub(super) tokens: u64,
    pub(super) ignored: u64,
    pub(super) empty_rows: u64,
    pub(super) rows_without_gold: u64,
    pub(super) rows_without_predicted: u64,
    pub(super) gold: TagFaultCounts,
    pub(super) predicted: TagFaultCounts,
}

/// A tag with a fault, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FaultyTag<'a> {
    /// The row, counted from 0 over the whole stream.
    pub row: u64,
    /// The column of the data as it was given, ignored positions included, from 0.
    pub column: usize,
    /// The side.
    pub side: Side,
    /// What is wrong.
    pub fault: TagFault,
    /// The id of the tag.
    pub id: i32,
    /// The tag; `None` if the label list does not have the id.
    pub tag: Option<&'a str>,
}

#[derive(Clone, Copy, Debug)]
struct Listed {
    row: u64,
    column: usize,
    side: Side,
    fault: TagFault,
    id: i32,
}

impl TagDiagnostics {
    /// For a label list in class-index order, in prefix style (`B-PER`).
    ///
    /// # Errors
    /// A label cannot be read; see [`TagSet::new`].
    pub fn new<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Result<Self> {
        Ok(Self::with_tags(TagSet::new(labels, TagStyle::Prefix)?))
    }

    /// For labels that are compiled already. The scheme is that of a strict [`Mode`]; in any other
    /// it is told by the letters of the list: IOBES if there is an `S`, or `B` and `E`; IOE2 if
    /// there is an `E`; IOB2 if there is a `B`; else IOB1.
    #[must_use]
    pub fn with_tags(tags: TagSet) -> Self {
        let scheme = match tags.mode() {
            Mode::Strict(scheme) => scheme,
            Mode::Lenient | Mode::Conlleval => {
                let has = |position| tags.positions().any(|(p, _)| p == position);
                let [begin, end] = [Position::Begin, Position::End].map(has);
                match (begin, end) {
                    _ if has(Position::Single) => Scheme::Iobes,
                    (true, true) => Scheme::Iobes,
                    (false, true) => Scheme::Ioe2,
                    (true, false) => Scheme::Iob2,
                    (false, false) => Scheme::Iob1,
                }
            }
        };
        Self::with_scheme(tags, scheme)
    }

    /// For labels that are compiled already, held against a scheme. Only positions count: an `L`
    /// is an `E`, and a `U` is an `S`.
    #[must_use]
    pub fn with_scheme(tags: TagSet, scheme: Scheme) -> Self {
        Self {
            checker: Checker::new(&tags, scheme),
            tags,
            scheme,
            state: TagDiagnosticsState::default(),
            listing: Listing::new(2 * TagFault::ALL.len()),
        }
    }

    /// Lists the first `n` faults of each kind and side; none if not said.
    #[must_use]
    pub fn list_first(mut self, n: usize) -> Self {
        self.listing.set_limit(n);
        self
    }

    /// The faults that were listed, sorted by row, side and column.
    ///
    /// As for [`ChunkErrors::errors`](crate::ChunkErrors::errors), the list is no part of the
    /// state, only [`update`](Metric::update) adds to it, and rows are numbered over all rows
    /// counted before.
    #[must_use]
    pub fn faults(&self) -> Vec<FaultyTag<'_>> {
        let label = |id: i32| self.tags.labels().get(usize::try_from(id).ok()?);
        let named = |&Listed { row, column, side, fault, id }: &Listed| FaultyTag {
            row,
            column,
            side,
            fault,
            id,
            tag: label(id).map(String::as_str),
        };
        let mut faults: Vec<_> = self.listing.iter().map(named).collect();
        faults.sort_by_key(|f| (f.row, f.side, f.column, f.fault));
        faults
    }

    /// The scheme that the tags are held against.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The compiled label list.
    #[must_use]
    pub fn tags(&self) -> &TagSet {
        &self.tags
    }
}

impl Metric for TagDiagnostics {
    type Task = Tagging;
    type Output = TagDiagnosticsReport;

    fn name(&self) -> Vec<&str> {
        vec![
            "ill_formed_gold",
            "ill_formed_predicted",
            "rows_without_gold",
            "rows_without_predicted",
        ]
    }

    fn reset(&mut self) {
        self.state = TagDiagnosticsState::default();
        self.listing.clear();
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        let rows_before = self.state.rows;
        let list = |row: usize, at: usize, side: Side, fault: TagFault, id: i32| {
            let kind = side as usize * TagFault::ALL.len() + fault as usize;
            self.listing.push(kind, || Listed {
                row: rows_before.saturating_add(row as u64),
                column: batch.place(row, at).1,
                side,
                fault,
                id,
            });
        };
        let measured = TagDiagnosticsState::of(&self.tags, &self.checker, batch, list);
        let sum = measured.and_then(|state| self.state.plus(&state));
        self.listing.settle(sum.is_ok());
        self.state = sum?;
        Ok(())
    }

    fn accumulate(&self) -> TagDiagnosticsReport {
        self.finish(&self.state)
    }
}

impl Mergeable for TagDiagnostics {
    type State = TagDiagnosticsState;

    fn fingerprint(&self) -> Fingerprint {
        let (scheme, tags) = (self.scheme, self.tags.fingerprint());
        Fingerprint::new(format!("tags/1 against={scheme} {tags}"))
    }

    fn zero(&self) -> TagDiagnosticsState {
        TagDiagnosticsState::default()
    }

    fn state(&self) -> &TagDiagnosticsState {
        &self.state
    }

    fn measure(&self, batch: TagBatch<'_>) -> Result<TagDiagnosticsState> {
        TagDiagnosticsState::of(&self.tags, &self.checker, batch, |_, _, _, _, _| {})
    }

    fn merge(&mut self, state: &TagDiagnosticsState) -> Result<()> {
        self.state.merge(state)
    }

    fn finish(&self, state: &TagDiagnosticsState) -> TagDiagnosticsReport {
        TagDiagnosticsReport::new(self.scheme, state)
    }
}

impl TagDiagnosticsState {
    /// The state of a batch. `each` gets every fault with the number of its row in the batch, its
    /// offset there, and the id.
    fn of(
        tags: &TagSet,
        checker: &Checker,
        batch: TagBatch<'_>,
        mut each: impl FnMut(usize, usize, Side, TagFault, i32),
    ) -> Result<Self> {
        batch.check(tags.labels().len())?;
        let mut state = Self {
            rows: batch.len() as u64,
            tokens: batch.tokens() as u64,
            ignored: batch.ignored(),
            ..Self::default()
        };
        let no_chunk = |ids: &[i32]| u64::from(!tags.has_chunk(ids));
        for (row, (gold, predicted)) in batch.iter_rows().enumerate() {
            state.empty_rows += u64::from(gold.is_empty());
            state.rows_without_gold += no_chunk(gold);
            state.rows_without_predicted += no_chunk(predicted);
            let sides = [
                (Side::Gold, gold, &mut state.gold),
                (Side::Predicted, predicted, &mut state.predicted),
            ];
            for (side, ids, counts) in sides {
                checker.faults(ids, |at, fault| {
                    *counts.of(fault) += 1;
                    each(row, at, side, fault, ids.get(at).copied().unwrap_or_default());
                });
            }
        }
        Ok(state)
    }

    fn plus(&self, other: &Self) -> Result<Self> {
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| ErrorKind::Overflow);
        Ok(Self {
            rows: sum(self.rows, other.rows)?,
            tokens: sum(self.tokens, other.tokens)?,
            ignored: sum(self.ignored, other.ignored)?,
            empty_rows: sum(self.empty_rows, other.empty_rows)?,
            rows_without_gold: sum(self.rows_without_gold, other.rows_without_gold)?,
            rows_without_predicted: sum(self.rows_without_predicted, other.rows_without_predicted)?,
            gold: self.gold.plus(&other.gold)?,
            predicted: self.predicted.plus(&other.predicted)?,
        })
    }

    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        let sides = [self.rows_without_gold, self.rows_without_predicted];
        if !sides.iter().all(|side| (self.empty_rows..=self.rows).contains(side)) {
            return Err(malformed("the rows without chunks are not some of all rows"));
        }
        let unpredicted = [TagFault::UnknownId, TagFault::MissingPrediction];
        if unpredicted.iter().any(|&fault| self.gold.count(fault) > 0) {
            return Err(malformed("gold tags cannot be unknown or missing"));
        }
        let too_many = |side: &TagFaultCounts| {
            TagFault::ALL.into_iter().any(|fault| side.count(fault) > self.tokens)
        };
        match [self.gold, self.predicted].iter().any(too_many) {
            true => Err(malformed("there are more faults of a kind than tokens")),
            false => Ok(()),
        }
    }
}

impl State for TagDiagnosticsState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        other.check()?;
        *self = self.plus(other)?;
        Ok(())
    }
}
