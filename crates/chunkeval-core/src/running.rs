//! [`Running`]: the value of the last batch beside the value of everything.

use serde::Serialize;

use crate::scalars::visit_under;
use crate::{BatchOf, Mergeable, Metric, Result, Scalars, Snapshot, State};

/// A metric whose value is two: that of the last batch and that of everything since the last
/// reset. The batch is counted once.
///
/// The laws of [`Metric`] hold, save that the value of the last batch depends on what the last
/// batch was. It keeps two states and a third to fill.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Running, Scalars, TagBatch};
///
/// let mut metric = Running::new(ChunkEvaluator::new(["O", "B-PER", "I-PER"])?);
/// metric.update(TagBatch::new(&[1, 0, 1], &[1, 0, 0], &[3])?)?;
/// metric.update(TagBatch::new(&[1, 0, 1], &[1, 0, 1], &[3])?)?;
///
/// let value = metric.accumulate();
/// assert_eq!(value.batch.overall.recall, 1.0);
/// assert_eq!(value.running.overall.recall, 3.0 / 4.0);
/// let mut names = Vec::new();
/// value.visit(&mut |name, _| names.push(name.to_owned()));
/// assert!(names.contains(&"batch/f1".to_owned()) && names.contains(&"running/f1".to_owned()));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Running<M: Mergeable> {
    /// Its state is that of the last batch tried; it is not read elsewhere.
    metric: M,
    names: Vec<String>,
    batch: M::State,
    running: M::State,
}

/// The value of a [`Running`] metric. Its scalars are named `batch/…`, then `running/…`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunningValue<O> {
    /// Of the last batch; of no rows before the first one.
    pub batch: O,
    /// Of everything since the last reset.
    pub running: O,
}

impl<M: Mergeable> Running<M> {
    /// Goes on from what `metric` has seen, so that a restored one can be given.
    pub fn new(metric: M) -> Self {
        let parts = ["batch", "running"].into_iter();
        let under = |part| metric.name().into_iter().map(move |name| format!("{part}/{name}"));
        let names = parts.flat_map(under).collect();
        let (batch, running) = (metric.zero(), metric.state().clone());
        Self { metric, names, batch, running }
    }

    /// The state of everything, to be saved and restored into the metric given to
    /// [`new`](Running::new).
    pub fn snapshot(&self) -> Snapshot<M::State> {
        Snapshot { fingerprint: self.metric.fingerprint(), state: self.running.clone() }
    }
}

impl<M: Mergeable> Metric for Running<M> {
    type Task = M::Task;
    type Output = RunningValue<M::Output>;

    fn name(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn reset(&mut self) {
        self.metric.reset();
        self.batch.clone_from(self.metric.state());
        self.running.clone_from(self.metric.state());
    }

    fn update(&mut self, batch: BatchOf<'_, M>) -> Result<()> {
        self.metric.reset();
        self.metric.update(batch)?;
        self.running.merge(self.metric.state())?;
        self.batch.clone_from(self.metric.state());
        Ok(())
    }

    fn accumulate(&self) -> RunningValue<M::Output> {
        let [batch, running] = [&self.batch, &self.running].map(|state| self.metric.finish(state));
        RunningValue { batch, running }
    }
}

impl<O: Scalars> Scalars for RunningValue<O> {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        visit_under("batch", &self.batch, each);
        visit_under("running", &self.running, each);
    }
}
