//! [`TagDiagnostics`]: where tags are ill-formed, over a stream of batches.

use serde::Serialize;

use super::fault::{Side, TagFault};
use super::listing::Listing;
use super::tag_report::TagDiagnosticsReport;
use super::tag_state::TagDiagnosticsState;
use super::well_formed::Checker;
use crate::tags::Position;
use crate::{
    Fingerprint, Mergeable, Metric, Mode, Result, Scheme, State, TagBatch, TagSet, TagStyle,
    Tagging,
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
/// assert_eq!(report.protocol.get("against"), Some("IOB2"));
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
        TagDiagnosticsReport::new(&self.tags, self.scheme, state)
    }
}
