//! What a [`WeightedChunkEvaluator`](crate::WeightedChunkEvaluator) keeps.

use serde::{Deserialize, Serialize};

use super::WeightedScores;
use super::fixed::Fixed;
use crate::evaluator::malformed;
use crate::{ChunkCounts, ChunkEvaluator, ChunkState, Diagnostics, ErrorKind, Result, State};

/// What a [`WeightedChunkEvaluator`](crate::WeightedChunkEvaluator) keeps: sums of weights, for each entity type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedChunkState {
    /// All chunks.
    pub(super) total: WeightedCounts,
    /// By the order of the types in the report.
    pub(super) per_type: Vec<WeightedCounts>,
    /// Rows of weight 0.
    pub(super) weightless: u64,
    pub(super) diagnostics: Diagnostics,
}

/// The weights of gold, predicted and correct chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WeightedCounts {
    gold: Fixed,
    predicted: Fixed,
    correct: Fixed,
}

impl WeightedChunkState {
    /// Nothing seen.
    pub(super) fn new(types: usize) -> Self {
        Self {
            total: WeightedCounts::default(),
            per_type: vec![WeightedCounts::default(); types],
            weightless: 0,
            diagnostics: Diagnostics::default(),
        }
    }

    pub(super) fn add_row(
        &mut self,
        metric: &ChunkEvaluator,
        row: &ChunkState,
        weight: Fixed,
    ) -> Result<()> {
        self.total = self.total.plus(&WeightedCounts::of(row.total(), weight)?)?;
        for (sum, (_, counts)) in self.per_type.iter_mut().zip(metric.per_type(row)) {
            *sum = sum.plus(&WeightedCounts::of(counts, weight)?)?;
        }
        self.weightless += u64::from(weight == Fixed::default());
        self.diagnostics = self.diagnostics.plus(row.diagnostics())?;
        Ok(())
    }

    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        let none = WeightedCounts::default();
        let typed = self.per_type.iter().try_fold(none, |sum, counts| sum.plus(counts))?;
        self.total.check()?;
        self.diagnostics.check()?;
        if self.weightless > self.diagnostics.rows {
            return Err(malformed("more rows have a weight of 0 than there are"));
        }
        let WeightedCounts { gold, predicted, correct } = self.total;
        // In `Mode::Conlleval` a correct chunk may be of a type that no chunk has, or of none.
        if (typed.gold, typed.predicted) != (gold, predicted) || typed.correct > correct {
            return Err(malformed("the weights of the types do not add up to the total"));
        }
        Ok(())
    }
}

impl State for WeightedChunkState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let (expected, found) = (self.per_type.len(), other.per_type.len());
        if expected != found {
            let what = "types in the state";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        other.check()?;
        let total = self.total.plus(&other.total)?;
        let per_type = self.per_type.iter().zip(&other.per_type);
        let per_type = per_type.map(|(mine, theirs)| mine.plus(theirs)).collect::<Result<_>>()?;
        let weightless = self.weightless.checked_add(other.weightless);
        let weightless = weightless.ok_or_else(|| ErrorKind::Overflow)?;
        let diagnostics = self.diagnostics.plus(&other.diagnostics)?;
        *self = Self { total, per_type, weightless, diagnostics };
        Ok(())
    }
}

impl WeightedCounts {
    /// The counts of a row of that weight.
    fn of(counts: ChunkCounts, weight: Fixed) -> Result<Self> {
        Ok(Self {
            gold: weight.times(counts.gold)?,
            predicted: weight.times(counts.predicted)?,
            correct: weight.times(counts.correct)?,
        })
    }

    /// That no more chunks are correct than there are on either side.
    pub(super) fn check(&self) -> Result<()> {
        match self.correct > self.gold.min(self.predicted) {
            true => Err(malformed("the correct chunks weigh more than the gold or predicted ones")),
            false => Ok(()),
        }
    }

    fn plus(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            gold: self.gold.plus(other.gold)?,
            predicted: self.predicted.plus(other.predicted)?,
            correct: self.correct.plus(other.correct)?,
        })
    }

    pub(super) fn scores(&self) -> WeightedScores {
        let precision = self.correct.over(self.predicted);
        let recall = self.correct.over(self.gold);
        let defined = precision.is_some() || recall.is_some();
        let (p, r) = (precision.unwrap_or(0.0), recall.unwrap_or(0.0));
        // The order of these operations is that of the references, so the last bits are equal.
        let f1 = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
        WeightedScores {
            precision,
            recall,
            f1: defined.then_some(f1),
            gold: self.gold.value(),
            predicted: self.predicted.value(),
            correct: self.correct.value(),
        }
    }
}
