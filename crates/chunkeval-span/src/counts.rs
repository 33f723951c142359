//! Counts of one schema and the scores they give.

use chunkeval_core::{ErrorKind, Result};
use serde::{Deserialize, Serialize};

use crate::schema::Verdict;

/// What became of the spans under one schema. Every span of either side is counted exactly once.
///
/// A correct, incorrect or partial pair has a gold and a predicted span. Over all types both sides
/// have equal numbers; of one type they differ where types were confused: the gold span of the pair
/// counts for its type, the predicted one for its own. So the counts of the types add up to the
/// overall ones, [`possible`](SchemaCounts::possible) is the number of gold spans and
/// [`actual`](SchemaCounts::actual) that of predicted ones.
///
/// ```
/// use chunkeval_span::{SchemaCounts, Sides};
///
/// let both = |n| Sides { gold: n, predicted: n };
/// let counts = SchemaCounts { correct: both(1), partial: both(1), missed: 2, ..Default::default() };
/// assert_eq!((counts.possible(), counts.actual()), (4, 2));
/// assert_eq!(counts.precision(), Some(1.5 / 2.0));
/// assert_eq!(counts.recall(), Some(1.5 / 4.0));
/// assert_eq!(counts.f1(), Some(0.5));
/// assert_eq!(SchemaCounts::default().f1(), None); // undefined
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchemaCounts {
    /// Spans in correct pairs.
    pub correct: Sides,
    /// Spans in incorrect pairs.
    pub incorrect: Sides,
    /// Spans in partial pairs.
    pub partial: Sides,
    /// Gold spans in no pair.
    pub missed: u64,
    /// Predicted spans in no pair.
    pub spurious: u64,
}

/// A number for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sides {
    /// Of gold spans.
    pub gold: u64,
    /// Of predicted spans.
    pub predicted: u64,
}

impl SchemaCounts {
    /// Gold spans.
    #[must_use]
    pub fn possible(&self) -> u64 {
        self.pairs(|sides| sides.gold).saturating_add(self.missed)
    }

    /// Predicted spans.
    #[must_use]
    pub fn actual(&self) -> u64 {
        self.pairs(|sides| sides.predicted).saturating_add(self.spurious)
    }

    /// (correct + ½ partial) / actual, on the predicted side; `None` if nothing was predicted.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        share(self.correct.predicted, self.partial.predicted, self.actual())
    }

    /// (correct + ½ partial) / possible, on the gold side; `None` if there is no gold span.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        share(self.correct.gold, self.partial.gold, self.possible())
    }

    /// The harmonic mean of precision and recall, 0 if either is undefined or both are 0; `None`
    /// if there is no span on either side.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        (self.possible() > 0 || self.actual() > 0).then(|| self.scores().f1)
    }

    /// All three, with 0 for what is undefined. Equal to nervaluate's to the last bit.
    #[must_use]
    pub fn scores(&self) -> SpanScores {
        let precision = self.precision().unwrap_or(0.0);
        let recall = self.recall().unwrap_or(0.0);
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * (precision * recall) / sum } else { 0.0 };
        let (possible, actual) = (self.possible(), self.actual());
        SpanScores { precision, recall, f1, possible, actual, counts: *self }
    }

    pub(crate) fn of(&mut self, verdict: Verdict) -> &mut Sides {
        match verdict {
            Verdict::Correct => &mut self.correct,
            Verdict::Incorrect => &mut self.incorrect,
            Verdict::Partial => &mut self.partial,
        }
    }

    /// The sum with other counts.
    pub(crate) fn plus(&self, other: &Self) -> Result<Self> {
        let sum = Self {
            correct: self.correct.plus(other.correct)?,
            incorrect: self.incorrect.plus(other.incorrect)?,
            partial: self.partial.plus(other.partial)?,
            missed: add(self.missed, other.missed)?,
            spurious: add(self.spurious, other.spurious)?,
        };
        // Both totals must fit as well.
        let pairs = sum.correct.plus(sum.incorrect)?.plus(sum.partial)?;
        pairs.plus(Sides { gold: sum.missed, predicted: sum.spurious })?;
        Ok(sum)
    }

    fn pairs(&self, side: impl Fn(&Sides) -> u64) -> u64 {
        let sides = [&self.correct, &self.incorrect, &self.partial];
        sides.into_iter().fold(0, |sum, sides| sum.saturating_add(side(sides)))
    }
}

impl Sides {
    pub(crate) fn plus(self, other: Self) -> Result<Self> {
        Ok(Self {
            gold: add(self.gold, other.gold)?,
            predicted: add(self.predicted, other.predicted)?,
        })
    }
}

pub(crate) fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| ErrorKind::Overflow.into())
}

/// Counts of one schema with the scores they give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpanScores {
    /// (correct + ½ partial) / actual, 0 if undefined.
    pub precision: f64,
    /// (correct + ½ partial) / possible, 0 if undefined.
    pub recall: f64,
    /// 2 · precision · recall / (precision + recall), 0 if undefined.
    pub f1: f64,
    /// Gold spans.
    pub possible: u64,
    /// Predicted spans.
    pub actual: u64,
    /// What the scores were made from.
    #[serde(flatten)]
    pub counts: SchemaCounts,
}

fn share(correct: u64, partial: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| (correct as f64 + 0.5 * partial as f64) / of as f64)
}
