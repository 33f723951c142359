//! The time of a run, and what of it evaluations, the metric and logging took.

use std::time::{Duration, Instant};

use super::{Evaluation, Progress};

/// Counts the time of a run on from its last checkpoint.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    start: Instant,
    /// What logging takes.
    pub(super) logging: Stopwatch,
    evaluation: Duration,
    metric: Duration,
    before: Progress,
    per_epoch: u64,
}

/// Adds up the time of some of the things a program does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stopwatch(Duration);

impl Clock {
    pub(super) fn start(progress: &Progress, per_epoch: u64) -> Self {
        Self {
            start: Instant::now(),
            logging: Stopwatch::default(),
            evaluation: Duration::ZERO,
            metric: Duration::ZERO,
            before: progress.clone(),
            per_epoch,
        }
    }

    /// Adds what an evaluation took.
    pub(super) fn evaluated(&mut self, evaluation: &Evaluation) {
        self.evaluation += evaluation.time;
        self.metric += evaluation.metric_time;
    }

    pub(super) fn seconds(&self) -> f64 {
        self.before.seconds + self.start.elapsed().as_secs_f64()
    }

    pub(super) fn metric_and_logging_seconds(&self) -> f64 {
        let here = self.metric + self.logging.total();
        self.before.metric_and_logging_seconds + here.as_secs_f64()
    }

    /// Writes all times down.
    pub(super) fn read(&self, progress: &mut Progress) {
        progress.seconds = self.seconds();
        progress.metric_and_logging_seconds = self.metric_and_logging_seconds();
        let (evaluation, metric) = (self.evaluation.as_secs_f64(), self.metric.as_secs_f64());
        progress.evaluation_seconds = self.before.evaluation_seconds + evaluation;
        progress.metric_seconds = self.before.metric_seconds + metric;
    }

    /// A step in rounds over the training set.
    pub(super) fn epoch(&self, step: u64) -> f64 {
        step as f64 / self.per_epoch as f64
    }
}

impl Stopwatch {
    /// Does the work and counts its time.
    pub(super) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0 += start.elapsed();
        result
    }

    /// The time of all that was done.
    pub(super) fn total(self) -> Duration {
        self.0
    }
}
