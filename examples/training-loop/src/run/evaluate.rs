//! A split through the network and the metric.

use chunkeval::data::Batching;
use chunkeval::{ChunkEvaluator, ChunkReport, IdRows, Metric, Source, TagBuffer, TagSet};

use super::Stopwatch;
use crate::corpus::{Batch, Rows};
use crate::error::Result;
use crate::network::Network;

/// Scores splits; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Evaluator {
    metric: ChunkEvaluator,
    buffer: TagBuffer,
    batching: Batching,
}

/// A split, scored.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The scores.
    pub report: ChunkReport,
    /// The predicted label ids of each sentence.
    pub predicted: Vec<Vec<u32>>,
}

impl Evaluator {
    /// An evaluator for these labels that takes `batch` sentences at a time.
    ///
    /// # Errors
    /// `batch` is 0.
    pub fn new(tags: TagSet, batch: usize) -> Result<Self> {
        let metric = ChunkEvaluator::with_tags(tags);
        Ok(Self { metric, buffer: TagBuffer::default(), batching: Batching::new(batch)? })
    }

    /// Decodes all sentences and scores them; the metric's share of the time goes to `watch`.
    ///
    /// # Errors
    /// The split does not fit the network.
    pub fn run(
        &mut self,
        network: &impl Network,
        data: &Rows,
        watch: &mut Stopwatch,
    ) -> Result<Evaluation> {
        let mut all = vec![Vec::new(); data.lengths.len()];
        self.metric.reset();
        for rows in self.batching.by_length(&data.lengths)? {
            let batch = Batch { data, rows: &rows };
            let predicted = network.decode(&batch)?;
            watch.time(|| {
                let gold = batch.labels();
                self.metric.update(IdRows::new(&gold, &predicted).load(&mut self.buffer)?)
            })?;
            for (&row, predicted) in rows.iter().zip(predicted) {
                all[row] = predicted;
            }
        }
        let report = watch.time(|| self.metric.accumulate());
        Ok(Evaluation { report, predicted: all })
    }
}
