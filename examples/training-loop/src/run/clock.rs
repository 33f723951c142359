//! The time of a run, and what of it metric and logging took.

use std::time::{Duration, Instant};

use super::Progress;

/// Counts the time of a run on from its last checkpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    start: Instant,
    /// What metric and logging take.
    pub(super) watch: Stopwatch,
    before: f64,
    metric_and_logging_before: f64,
    per_epoch: u64,
}

/// Adds up the time of some of the things a program does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch(Duration);

impl Clock {
    pub(super) fn start(progress: &Progress, per_epoch: u64) -> Self {
        Self {
            start: Instant::now(),
            watch: Stopwatch::default(),
            before: progress.seconds,
            metric_and_logging_before: progress.metric_and_logging_seconds,
            per_epoch,
        }
    }

    pub(super) fn seconds(&self) -> f64 {
        self.before + self.start.elapsed().as_secs_f64()
    }

    pub(super) fn metric_and_logging_seconds(&self) -> f64 {
        self.metric_and_logging_before + self.watch.0.as_secs_f64()
    }

    /// A step in rounds over the training set.
    pub(super) fn epoch(&self, step: u64) -> f64 {
        step as f64 / self.per_epoch as f64
    }
}

impl Stopwatch {
    /// Does the work and counts its time.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0 += start.elapsed();
        result
    }
}
