//! [`WeightedChunkEvaluator`]: scores in which each row counts with a weight of its own.

use serde::{Deserialize, Serialize};

use crate::{
    Average, Batch, ChunkCounts, ChunkEvaluator, ChunkState, Diagnostics, ErrorKind, Fingerprint,
    Mergeable, Metric, Mode, Protocol, Result, Scalars, State, ZeroDivision, evaluator::malformed,
};

mod batch;
mod fixed;

pub use batch::{Weighted, WeightedTagBatch, WeightedTagging};
use fixed::Fixed;

/// Precision, recall and F1 of chunks in which each row counts with its weight: for test sets that
/// were sampled by importance, or whose documents do not matter equally.
///
/// With weights of 1 every score that is defined equals [`ChunkEvaluator`]'s to the last bit; a row
/// of weight 2 counts as the row twice, and one of weight 0 not at all. Where there is nothing to
/// divide by, a score is `None` here, whatever [`ZeroDivision`] the evaluator
/// has. (seqeval takes a `sample_weight`, but it changes none of its scores.)
///
/// Weights are numbers from 0 up to 2³². They are added exactly, as multiples of 2⁻⁶⁴, so the
/// scores do not depend on the order of the rows, down to the last bit. Every weight of at least
/// 2⁻¹² is such a multiple; a smaller one is rounded to the nearest, and refused if that is 0.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch, WeightedChunkEvaluator, WeightedTagBatch};
///
/// let tags = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let mut metric = WeightedChunkEvaluator::new(tags);
/// // Row 0 is right and counts three times, row 1 is missed.
/// let rows = TagBatch::new(&[1, 2, /**/ 1], &[1, 2, /**/ 0], &[2, 3])?;
/// metric.update(WeightedTagBatch::new(rows, &[3.0, 1.0])?)?;
///
/// let report = metric.accumulate();
/// assert_eq!(report.overall.recall, Some(0.75)); // unweighted: 0.5
/// assert_eq!(report.overall.gold, 4.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WeightedChunkEvaluator {
    /// Reads the tags; its own counts stay at zero.
    rows: ChunkEvaluator,
    state: WeightedChunkState,
}

/// What a [`WeightedChunkEvaluator`] keeps: sums of weights, for each entity type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedChunkState {
    /// All chunks.
    total: WeightedCounts,
    /// By the order of the types in the report.
    per_type: Vec<WeightedCounts>,
    /// Rows of weight 0.
    weightless: u64,
    diagnostics: Diagnostics,
}

/// The weights of gold, predicted and correct chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightedCounts {
    gold: Fixed,
    predicted: Fixed,
    correct: Fixed,
}

/// The value of a [`WeightedChunkEvaluator`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedChunkReport {
    /// Over all chunks (micro average).
    pub overall: WeightedScores,
    /// Every entity type of the label list, sorted by code point.
    pub per_type: Vec<WeightedTypeScores>,
    /// Rows of weight 0: they were read, and changed no score.
    pub weightless: u64,
    /// What was seen, whatever its weight.
    pub diagnostics: Diagnostics,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

/// The scores of one entity type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedTypeScores {
    /// The entity type; `_` for labels without one.
    pub entity_type: String,
    /// Its scores.
    #[serde(flatten)]
    pub scores: WeightedScores,
}

/// Scores with the weights behind them; `None` is undefined, as there is nothing to divide by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedScores {
    /// correct / predicted.
    pub precision: Option<f64>,
    /// correct / gold.
    pub recall: Option<f64>,
    /// 2 · precision · recall / (precision + recall), with 0 for an undefined one; `None` if both
    /// are.
    pub f1: Option<f64>,
    /// The weight of the gold chunks (the support).
    pub gold: f64,
    /// The weight of the predicted chunks.
    pub predicted: f64,
    /// The weight of the correct chunks.
    pub correct: f64,
}

impl WeightedChunkEvaluator {
    /// An evaluator that reads tags as `rows` does. What `rows` has counted so far is left out.
    #[must_use]
    pub fn new(mut rows: ChunkEvaluator) -> Self {
        rows.reset();
        let state = WeightedChunkState::new(rows.tags().types().count());
        Self { rows, state }
    }
}

impl Metric for WeightedChunkEvaluator {
    type Task = WeightedTagging;
    type Output = WeightedChunkReport;

    fn name(&self) -> Vec<&str> {
        self.rows.name()
    }

    fn reset(&mut self) {
        self.state = self.zero();
    }

    fn update(&mut self, batch: WeightedTagBatch<'_>) -> Result<()> {
        let measured = self.measure(batch)?;
        self.state.merge(&measured)
    }

    fn accumulate(&self) -> WeightedChunkReport {
        self.finish(&self.state)
    }
}

impl Mergeable for WeightedChunkEvaluator {
    type State = WeightedChunkState;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(format!("weighted/1 {}", self.rows.fingerprint()))
    }

    fn zero(&self) -> WeightedChunkState {
        WeightedChunkState::new(self.state.per_type.len())
    }

    fn state(&self) -> &WeightedChunkState {
        &self.state
    }

    fn measure(&self, batch: WeightedTagBatch<'_>) -> Result<WeightedChunkState> {
        let mut measured = self.zero();
        let mut row_state = self.rows.zero();
        for (row, weight) in batch.iter_weights().enumerate() {
            let weight = Fixed::weight(weight, batch.place(row))?;
            self.rows.measure_into(batch.tags().rows(row..row + 1), &mut row_state)?;
            measured.add_row(&self.rows, &row_state, weight)?;
        }
        Ok(measured)
    }

    fn merge(&mut self, state: &WeightedChunkState) -> Result<()> {
        if self.rows.tags().mode() != Mode::Conlleval {
            state.per_type.iter().try_for_each(WeightedCounts::check)?;
        }
        self.state.merge(state)
    }

    fn finish(&self, state: &WeightedChunkState) -> WeightedChunkReport {
        let types = self.rows.tags().types().zip(&state.per_type);
        WeightedChunkReport {
            overall: state.total.scores(),
            per_type: types
                .map(|(name, counts)| WeightedTypeScores {
                    entity_type: name.to_owned(),
                    scores: counts.scores(),
                })
                .collect(),
            weightless: state.weightless,
            diagnostics: state.diagnostics,
            protocol: Protocol::of_tags(self.rows.tags())
                .with("metric", "weighted")
                .with("average", Average::Micro)
                .with("zero", ZeroDivision::Undefined),
        }
    }
}

impl WeightedChunkState {
    /// Nothing seen.
    fn new(types: usize) -> Self {
        Self {
            total: WeightedCounts::default(),
            per_type: vec![WeightedCounts::default(); types],
            weightless: 0,
            diagnostics: Diagnostics::default(),
        }
    }

    fn add_row(&mut self, metric: &ChunkEvaluator, row: &ChunkState, weight: Fixed) -> Result<()> {
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
    fn check(&self) -> Result<()> {
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

    fn scores(&self) -> WeightedScores {
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

impl WeightedChunkReport {
    /// The scores of an entity type, if the label list has it.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&WeightedScores> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
    }
}

/// `precision`, `recall`, `f1`, then `per_type/PER/precision` and so on, as for `ChunkReport`.
impl Scalars for WeightedChunkReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        let mut visit = |prefix: &str, scores: &WeightedScores| {
            each(&format!("{prefix}precision"), scores.precision);
            each(&format!("{prefix}recall"), scores.recall);
            each(&format!("{prefix}f1"), scores.f1);
        };
        visit("", &self.overall);
        for t in &self.per_type {
            visit(&format!("per_type/{}/", t.entity_type), &t.scores);
        }
    }
}
