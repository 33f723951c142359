//! A split through the network and the metric.

use std::time::{Duration, Instant};

use chunkeval::data::Batching;
use chunkeval::{ChunkEvaluator, ChunkReport, Metric, Source, TagBuffer, Tagging};

use super::clock::Stopwatch;
use crate::corpus::{Batch, Labels, Rows};
use crate::error::Result;
use crate::network::{Inputs, Network};

/// Scores splits; keeps its memory from one to the next.
#[derive(Debug)]
pub struct Evaluator {
    metric: ChunkEvaluator,
    strict: Option<ChunkEvaluator>,
    buffer: TagBuffer,
    batching: Batching,
}

/// A split, scored.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The scores, tags read leniently.
    pub report: ChunkReport,
    /// The scores in the scheme of the labels, if they have one.
    pub strict: Option<StrictReport>,
    /// The predicted label ids of each sentence.
    pub predicted: Vec<Vec<i32>>,
    /// The time that all of it took.
    pub time: Duration,
    /// The part of it that the metric took, choosing the best of the logits included.
    pub metric_time: Duration,
}

/// The scores of one scheme.
#[derive(Clone, Debug)]
pub struct StrictReport {
    /// The scheme, such as `IOB2`.
    pub scheme: String,
    /// The scores in it.
    pub report: ChunkReport,
}

impl Evaluator {
    /// An evaluator for these labels that takes `batch` sentences at a time.
    ///
    /// # Errors
    /// `batch` is 0.
    pub fn new(labels: &Labels, batch: usize) -> Result<Self> {
        Ok(Self {
            metric: labels.metric(),
            strict: labels.strict_metric(),
            buffer: TagBuffer::default(),
            batching: Batching::new(batch)?,
        })
    }

    /// Predicts all sentences and scores them.
    ///
    /// # Errors
    /// The split does not fit the network.
    pub fn run<N: Network>(&mut self, network: &N, data: &Rows<N::Inputs>) -> Result<Evaluation> {
        let Self { metric, strict, buffer, batching } = self;
        let (start, mut watch) = (Instant::now(), Stopwatch::default());
        let mut all = vec![Vec::new(); data.labels.len()];
        metric.reset();
        strict.iter_mut().for_each(Metric::reset);
        for rows in batching.by_length(&data.inputs.sentences())? {
            let mut show = |source: &dyn Source<Tagging>| {
                let tags = watch.time(|| -> Result<_> {
                    let tags = source.load(buffer)?;
                    metric.update(tags)?;
                    strict.iter_mut().try_for_each(|metric| metric.update(tags))?;
                    Ok(tags)
                })?;
                for (&row, (_, predicted)) in rows.iter().zip(tags.iter_rows()) {
                    let margin = network.margin();
                    let words = margin..predicted.len().saturating_sub(margin);
                    all[row] = predicted.get(words).unwrap_or_default().to_vec();
                }
                Ok(())
            };
            network.predict(&Batch { data, rows: &rows }, &mut show)?;
        }
        let strict = strict.as_ref().map(|metric| StrictReport {
            scheme: metric.tags().mode().to_string(),
            report: metric.accumulate(),
        });
        Ok(Evaluation {
            report: watch.time(|| metric.accumulate()),
            strict,
            predicted: all,
            time: start.elapsed(),
            metric_time: watch.total(),
        })
    }
}
