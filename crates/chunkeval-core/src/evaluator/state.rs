//! [`ChunkState`]: what a [`ChunkEvaluator`](crate::ChunkEvaluator) keeps.

use serde::{Deserialize, Serialize};

use crate::{Batch, ChunkCounts, Error, ErrorKind, Mode, Result, State, TagBatch, TagSet, kernel};

/// What a [`ChunkEvaluator`](crate::ChunkEvaluator) keeps: counts, a few numbers for each entity type.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkState {
    /// All chunks, those counted elsewhere included.
    pub(super) total: ChunkCounts,
    /// By type index.
    pub(super) per_type: Vec<ChunkCounts>,
    pub(super) diagnostics: Diagnostics,
}

/// What was seen besides chunks, and what was left out or read as something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Rows seen.
    pub rows: u64,
    /// Tokens that counted.
    pub tokens: u64,
    /// Tokens left out by a mask or an ignore index.
    pub ignored: u64,
    /// Predicted ids outside the label list; each was read as `O`.
    pub unknown_predicted: u64,
    /// Tokens without a prediction ([`MISSING_PREDICTION`](crate::MISSING_PREDICTION)), read as
    /// `O`: words beyond a model's longest input, for example.
    pub missing_predicted: u64,
}

impl ChunkState {
    /// Nothing seen.
    pub(crate) fn new(tags: &TagSet) -> Self {
        Self {
            total: ChunkCounts::default(),
            per_type: vec![ChunkCounts::default(); tags.type_count()],
            diagnostics: Diagnostics::default(),
        }
    }

    pub(crate) fn total(&self) -> ChunkCounts {
        self.total
    }

    /// By type index.
    pub(crate) fn per_type(&self) -> &[ChunkCounts] {
        &self.per_type
    }

    pub(crate) fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    pub(crate) fn clear(&mut self) {
        self.total = ChunkCounts::default();
        self.per_type.fill(ChunkCounts::default());
        self.diagnostics = Diagnostics::default();
    }

    /// Fills an empty state with a batch; on error it is of no use.
    pub(crate) fn measure(&mut self, tags: &TagSet, batch: TagBatch<'_>) -> Result<()> {
        let labels = tags.labels().len();
        if let Some(classes) = batch.classes().filter(|&classes| classes != labels) {
            return Err(ErrorKind::Classes { classes, labels }.into());
        }
        let unknown = kernel::count(tags.alphabet(), batch, &mut self.per_type)?;
        for counts in &self.per_type {
            self.total.add(counts)?;
        }
        self.diagnostics = Diagnostics {
            rows: batch.len() as u64,
            tokens: batch.tokens() as u64,
            ignored: batch.ignored(),
            unknown_predicted: unknown.ids,
            missing_predicted: unknown.missing,
        };
        Ok(())
    }

    /// That the types can have such counts.
    pub(crate) fn check_types(&self, tags: &TagSet) -> Result<()> {
        for (index, counts) in self.per_type.iter().enumerate() {
            // conlleval.pl finds a chunk under the type of its first token, and counts it as
            // correct under that of its last one, which is another where a `.` or an `O` has a
            // type.
            let correct = match tags.mode() {
                Mode::Conlleval => 0,
                _ => {
                    counts.check()?;
                    counts.correct
                }
            };
            let none = ChunkCounts { correct, ..*counts } == ChunkCounts::default();
            if !none && !tags.chunk_types().any(|(chunk, _)| chunk == index) {
                return Err(malformed("a type that no label of the list can begin has chunks"));
            }
        }
        Ok(())
    }

    /// That the state, which may come from a file, can have been measured. The counts returned
    /// are those of chunks that were counted elsewhere.
    pub(crate) fn check(&self) -> Result<ChunkCounts> {
        let mut typed = ChunkCounts::default();
        for counts in &self.per_type {
            typed.add(counts)?;
        }
        typed.check()?;
        self.diagnostics.check()?;
        let too_many = || malformed("the counts of the types exceed the total");
        let rest = |all: u64, part: u64| all.checked_sub(part).ok_or_else(too_many);
        let elsewhere = ChunkCounts {
            gold: rest(self.total.gold, typed.gold)?,
            predicted: rest(self.total.predicted, typed.predicted)?,
            correct: rest(self.total.correct, typed.correct)?,
        };
        elsewhere.check()?;
        Ok(elsewhere)
    }
}

/// A state that cannot have been measured.
pub(crate) fn malformed(reason: &str) -> Error {
    Error::config("state", reason)
}

/// By hand for `clone_from`: windows and collections copy a state at each update into memory they
/// have, which the derived one would allocate anew.
impl Clone for ChunkState {
    fn clone(&self) -> Self {
        let Self { total, per_type, diagnostics } = self;
        Self { total: *total, per_type: per_type.clone(), diagnostics: *diagnostics }
    }

    fn clone_from(&mut self, other: &Self) {
        let Self { total, per_type, diagnostics } = other;
        self.total = *total;
        self.per_type.clone_from(per_type);
        self.diagnostics = *diagnostics;
    }
}

impl State for ChunkState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let (expected, found) = (self.per_type.len(), other.per_type.len());
        if expected != found {
            let what = "types in the state";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        self.check()?;
        other.check()?;
        self.add(other)
    }
}

impl ChunkState {
    /// Adds a state of the same shape; both are known to be sound.
    pub(crate) fn add(&mut self, other: &Self) -> Result<()> {
        // The types' sums cannot overflow where the total's does not, so this one goes first.
        let (total, diagnostics) = self.sum(other)?;
        for (mine, theirs) in self.per_type.iter_mut().zip(&other.per_type) {
            mine.add(theirs)?;
        }
        self.total = total;
        self.diagnostics = diagnostics;
        Ok(())
    }

    /// The totals of both; where there are such, [`add`](ChunkState::add) does not fail.
    pub(crate) fn sum(&self, other: &Self) -> Result<(ChunkCounts, Diagnostics)> {
        let mut total = self.total;
        total.add(&other.total)?;
        Ok((total, self.diagnostics.plus(&other.diagnostics)?))
    }
}

impl Diagnostics {
    /// That they can have been counted.
    pub(crate) fn check(&self) -> Result<()> {
        let outside = self.unknown_predicted.checked_add(self.missing_predicted);
        match outside.is_none_or(|n| n > self.tokens) {
            true => Err(malformed("more tokens were read as O than there are")),
            false => Ok(()),
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self> {
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| ErrorKind::Overflow);
        Ok(Self {
            rows: sum(self.rows, other.rows)?,
            tokens: sum(self.tokens, other.tokens)?,
            ignored: sum(self.ignored, other.ignored)?,
            unknown_predicted: sum(self.unknown_predicted, other.unknown_predicted)?,
            missing_predicted: sum(self.missing_predicted, other.missing_predicted)?,
        })
    }
}
