//! [`WeightedChunkEvaluator`]: scores in which each row counts with a weight of its own.

mod batch;
mod fixed;
mod report;
mod state;

pub use batch::{Weighted, WeightedTagBatch, WeightedTagging};
use fixed::Fixed;
pub use report::{WeightedChunkReport, WeightedScores, WeightedTypeScores};
pub use state::WeightedChunkState;
use state::WeightedCounts;

use crate::{
    Average, Batch, ChunkEvaluator, Fingerprint, Mergeable, Metric, Mode, Protocol, Result, State,
    ZeroDivision,
};

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
