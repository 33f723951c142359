//! What [`ChunkErrors`](crate::ChunkErrors) keeps.

use serde::{Deserialize, Serialize};

use super::error_report::ErrorCounts;
use super::kind::ChunkErrorKind;
use super::matching::Matcher;
use super::window::Windows;
use crate::evaluator::malformed;
use crate::tags::Span;
use crate::{ChunkCounts, ChunkState, Diagnostics, ErrorKind, Result, State, TagBatch, TagSet};

/// Counts of correct chunks and errors: a few numbers for each entity type, and two for each pair
/// of types that was confused.
///
/// Missed and spurious chunks are not kept: they are the gold and predicted ones that nothing else
/// accounts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkErrorState {
    chunks: ChunkState,
    /// By type index.
    boundaries: Vec<Boundaries>,
    /// The pairs that occurred, sorted by gold and predicted type.
    confusions: Vec<Confusion>,
}

/// Pairs of one type on overlapping spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Boundaries {
    too_long: u64,
    too_short: u64,
    shifted: u64,
}

/// Pairs of two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Confusion {
    /// Type index.
    pub(super) gold: u32,
    /// Type index.
    pub(super) predicted: u32,
    pub(super) same_span: u64,
    pub(super) overlapping: u64,
}

/// What became of the gold and the predicted chunks of one type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sides {
    pub(super) gold: ErrorCounts,
    pub(super) predicted: ErrorCounts,
}

impl ChunkErrorState {
    /// Nothing seen.
    pub(super) fn new(tags: &TagSet) -> Self {
        Self {
            chunks: ChunkState::new(tags),
            boundaries: vec![Boundaries::default(); tags.type_count()],
            confusions: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.chunks.clear();
        self.boundaries.fill(Boundaries::default());
        self.confusions.clear();
    }

    pub(super) fn chunks(&self) -> &ChunkState {
        &self.chunks
    }

    pub(super) fn diagnostics(&self) -> &Diagnostics {
        self.chunks.diagnostics()
    }

    pub(super) fn confusions(&self) -> &[Confusion] {
        &self.confusions
    }

    /// Fills an empty state with a batch; on error it is of no use. `each` gets every error with
    /// the number of its row in the batch.
    ///
    /// All chunks are counted by the kernel; only where sides differ are they looked at closely.
    pub(super) fn measure(
        &mut self,
        tags: &TagSet,
        batch: TagBatch<'_>,
        matcher: &mut Matcher,
        mut each: impl FnMut(usize, ChunkErrorKind, Option<Span>, Option<Span>),
    ) -> Result<()> {
        self.chunks.measure(tags, batch)?;
        let windows = Windows::of(tags);
        for (row, (gold, predicted)) in batch.iter_rows().enumerate() {
            let mut from = 0;
            while let Some(window) = windows.next(gold, predicted, from) {
                from = window.end;
                let spans = |ids: &[i32], to: &mut Vec<Span>| {
                    to.clear();
                    let ids = ids.get(window.clone()).unwrap_or_default();
                    to.extend(tags.spans(ids).map(|span| span.moved(window.start)));
                };
                spans(gold, &mut matcher.gold);
                spans(predicted, &mut matcher.predicted);
                matcher.pair(|gold, predicted| {
                    if let Some(kind) = ChunkErrorKind::of(gold, predicted) {
                        self.note(kind, gold, predicted);
                        each(row, kind, gold, predicted);
                    }
                });
            }
        }
        Ok(())
    }

    fn note(&mut self, kind: ChunkErrorKind, gold: Option<Span>, predicted: Option<Span>) {
        let (Some(gold), Some(predicted)) = (gold, predicted) else { return };
        if gold.entity_type != predicted.entity_type {
            let confusion = self.confusion(gold.entity_type, predicted.entity_type);
            match kind {
                ChunkErrorKind::TypeError => confusion.same_span += 1,
                _ => confusion.overlapping += 1,
            }
        } else if let Some(boundaries) = self.boundaries.get_mut(gold.entity_type as usize) {
            match kind {
                ChunkErrorKind::TooLong => boundaries.too_long += 1,
                ChunkErrorKind::TooShort => boundaries.too_short += 1,
                _ => boundaries.shifted += 1,
            }
        }
    }

    /// The same counts under a list that has all labels of the one they were made under.
    pub(super) fn moved(&self, from: &TagSet, to: &TagSet) -> Result<Self> {
        let types = from.types_in(to)?;
        let at = |index: usize| types.get(index).copied().unwrap_or_default();
        let mut moved = Self::new(to);
        moved.chunks = self.chunks.moved(from, to)?;
        for (index, boundaries) in self.boundaries.iter().enumerate() {
            if let Some(place) = moved.boundaries.get_mut(at(index)) {
                *place = *boundaries;
            }
        }
        for c in &self.confusions {
            let [gold, predicted] = [c.gold, c.predicted].map(|t| at(t as usize) as u32);
            *moved.confusion(gold, predicted) = Confusion { gold, predicted, ..*c };
        }
        Ok(moved)
    }

    /// The entry of a pair of types, made if there is none.
    fn confusion(&mut self, gold: u32, predicted: u32) -> &mut Confusion {
        let key = (gold, predicted);
        let at = match self.confusions.binary_search_by_key(&key, Confusion::types) {
            Ok(at) => at,
            Err(at) => {
                let none = Confusion { gold, predicted, same_span: 0, overlapping: 0 };
                self.confusions.insert(at, none);
                at
            }
        };
        &mut self.confusions[at]
    }

    /// What became of the chunks, by type index.
    pub(super) fn by_type(&self) -> Vec<Sides> {
        let mut all: Vec<Sides> = Vec::with_capacity(self.boundaries.len());
        for (b, counts) in self.boundaries.iter().zip(self.chunks.per_type()) {
            let found = ErrorCounts {
                correct: counts.correct,
                too_long: b.too_long,
                too_short: b.too_short,
                shifted: b.shifted,
                ..ErrorCounts::default()
            };
            all.push(Sides { gold: found, predicted: found });
        }
        for c in &self.confusions {
            let mut add = |index: u32, side: fn(&mut Sides) -> &mut ErrorCounts| {
                if let Some(counts) = all.get_mut(index as usize).map(side) {
                    counts.type_error = counts.type_error.saturating_add(c.same_span);
                    counts.type_and_boundary =
                        counts.type_and_boundary.saturating_add(c.overlapping);
                }
            };
            add(c.gold, |sides| &mut sides.gold);
            add(c.predicted, |sides| &mut sides.predicted);
        }
        for (sides, counts) in all.iter_mut().zip(self.chunks.per_type()) {
            sides.gold.unmatched = counts.gold.saturating_sub(sides.gold.chunks());
            sides.predicted.unmatched = counts.predicted.saturating_sub(sides.predicted.chunks());
        }
        all
    }

    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        if self.chunks.check()? != ChunkCounts::default() {
            return Err(malformed("chunks without a type have no errors to count"));
        }
        let types = self.boundaries.len();
        let known = |c: &Confusion| (c.gold.max(c.predicted) as usize) < types;
        let apart = |c: &Confusion| c.gold != c.predicted;
        if !self.confusions.is_sorted_by(|a, b| a.types() < b.types())
            || !self.confusions.iter().all(|c| known(c) && apart(c))
        {
            return Err(malformed("the pairs of types are not sorted pairs of two known types"));
        }
        for (sides, counts) in self.by_type().iter().zip(self.chunks.per_type()) {
            if sides.gold.chunks() != counts.gold || sides.predicted.chunks() != counts.predicted {
                return Err(malformed("there are more errors than chunks"));
            }
        }
        Ok(())
    }

    /// Adds a state of the same shape; both are known to be sound.
    pub(super) fn add(&mut self, other: &Self) -> Result<()> {
        // No count exceeds that of the chunks: where those sums fit, all do.
        self.chunks.add(&other.chunks)?;
        for (mine, theirs) in self.boundaries.iter_mut().zip(&other.boundaries) {
            mine.too_long += theirs.too_long;
            mine.too_short += theirs.too_short;
            mine.shifted += theirs.shifted;
        }
        for theirs in &other.confusions {
            let mine = self.confusion(theirs.gold, theirs.predicted);
            mine.same_span += theirs.same_span;
            mine.overlapping += theirs.overlapping;
        }
        Ok(())
    }
}

impl Confusion {
    fn types(&self) -> (u32, u32) {
        (self.gold, self.predicted)
    }
}

impl State for ChunkErrorState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let expected = self.boundaries.len();
        let (mine, theirs) = (self.chunks.per_type().len(), other.chunks.per_type().len());
        for found in [mine, other.boundaries.len(), theirs] {
            if expected != found {
                let what = "types in the state";
                return Err(ErrorKind::Length { what, row: None, expected, found }.into());
            }
        }
        self.check()?;
        other.check()?;
        self.add(other)
    }
}
