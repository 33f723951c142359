//! [`Logger`]: results to a sink, every N steps, without ever stopping a training run.

use crate::{Error, EveryN, Result, Scalars, Sink};

/// What a [`Logger`] does when its sink fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// Hand the error back.
    #[default]
    Return,
    /// Print the first error to standard error, count what was lost, and keep trying.
    WarnOnce,
    /// Keep the first error, count what is lost from then on, and leave the sink alone.
    Disable,
}

/// Writes results to a [`Sink`] every N steps.
///
/// Names are `split/scalar`, for example `dev/f1` and `dev/per_type/PER/recall`. Undefined scalars
/// are left out. The sink is flushed after each result.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, EveryN, Logger, Memory, Metric, TagBatch};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let mut log = Logger::new(Memory::default(), EveryN::new(100)?);
/// for step in 1..=250 {
///     // … train …
///     if log.due(step) {
///         metric.reset();
///         metric.update(TagBatch::new(&[1, 2, 0], &[1, 0, 0], &[3])?)?;
///         log.log(step, "dev", &metric.accumulate())?;
///     }
/// }
/// log.log_last(250, "dev", &metric.accumulate())?; // the last steps, unless just logged
/// assert_eq!(log.sink().series("dev/f1"), [(100, 0.0), (200, 0.0), (250, 0.0)]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Logger<S> {
    sink: S,
    schedule: EveryN,
    policy: OnFailure,
    dropped: u64,
    /// Points the sink took since it was last flushed, and whether the last flush failed.
    unflushed: u64,
    flush_failed: bool,
    failure: Option<Error>,
    /// The splits written at the last step at which something was.
    written: (u64, Vec<String>),
}

impl<S: Sink> Logger<S> {
    /// A logger that hands errors back ([`OnFailure::Return`]).
    pub fn new(sink: S, schedule: EveryN) -> Self {
        let policy = OnFailure::default();
        Self {
            sink,
            schedule,
            policy,
            dropped: 0,
            unflushed: 0,
            flush_failed: false,
            failure: None,
            written: (0, Vec::new()),
        }
    }

    /// The same logger with another policy for failures of the sink.
    #[must_use]
    pub fn on_failure(self, policy: OnFailure) -> Self {
        Self { policy, ..self }
    }

    /// Whether results are due at this step; ask before an evaluation to save it when they are not.
    pub fn due(&mut self, step: u64) -> bool {
        self.schedule.due(step)
    }

    /// Writes a result if it is due at this step; says whether it was.
    ///
    /// # Errors
    /// The sink failed and the policy is [`OnFailure::Return`].
    pub fn log<R: Scalars + ?Sized>(&mut self, step: u64, split: &str, result: &R) -> Result<bool> {
        let due = self.due(step);
        if due {
            self.log_now(step, split, result)?;
        }
        Ok(due)
    }

    /// Writes the result of a run's last step, unless this split was written at that step; says
    /// whether it did.
    ///
    /// # Errors
    /// As for [`log`](Logger::log).
    pub fn log_last<R: Scalars + ?Sized>(
        &mut self,
        step: u64,
        split: &str,
        result: &R,
    ) -> Result<bool> {
        let done = self.written.0 == step && self.written.1.iter().any(|s| s == split);
        if !done {
            self.log_now(step, split, result)?;
        }
        Ok(!done)
    }

    /// Writes a result whatever the schedule says.
    ///
    /// # Errors
    /// As for [`log`](Logger::log); every scalar is tried before the first error is returned.
    pub fn log_now<R: Scalars + ?Sized>(
        &mut self,
        step: u64,
        split: &str,
        result: &R,
    ) -> Result<()> {
        let lost_before = self.dropped();
        let mut outcome = Ok(());
        result.visit(&mut |name, value| {
            if let Some(value) = value {
                let tag = format!("{split}/{name}");
                let written = self.attempt(1, |sink| sink.scalar(&tag, step, value));
                outcome = std::mem::replace(&mut outcome, Ok(())).and(written);
            }
        });
        let outcome = outcome.and(self.flush());
        if self.dropped() == lost_before {
            self.note_written(step, split);
        }
        outcome
    }

    /// Writes a text in Markdown under `split/name`, whatever the schedule says.
    ///
    /// # Errors
    /// As for [`log`](Logger::log).
    pub fn text(&mut self, step: u64, split: &str, name: &str, markdown: &str) -> Result<()> {
        let tag = format!("{split}/{name}");
        let written = self.attempt(1, |sink| sink.text(&tag, step, markdown));
        written.and(self.flush())
    }

    /// How many scalars and texts could not be written. After a flush that failed, those that
    /// wait for the next one are among them.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped + if self.flush_failed { self.unflushed } else { 0 }
    }

    /// The first failure that a policy other than [`OnFailure::Return`] swallowed.
    #[must_use]
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// The sink.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// The sink, to write what is neither a result nor a text.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Gives the sink back.
    pub fn into_sink(self) -> S {
        self.sink
    }

    fn note_written(&mut self, step: u64, split: &str) {
        if self.written.0 != step {
            self.written = (step, Vec::new());
        }
        if !self.written.1.iter().any(|s| s == split) {
            self.written.1.push(split.to_owned());
        }
    }

    fn flush(&mut self) -> Result<()> {
        let mut flushed = None;
        let outcome = self.attempt(0, |sink| {
            let result = sink.flush();
            flushed = Some(result.is_ok());
            result
        });
        // `None`: the sink is disabled and was left alone.
        if let Some(ok) = flushed {
            self.flush_failed = !ok;
            self.unflushed = if ok { 0 } else { self.unflushed };
        }
        outcome
    }

    /// One call of the sink, which writes `points` points, under the policy.
    fn attempt(&mut self, points: u64, call: impl FnOnce(&mut S) -> Result<()>) -> Result<()> {
        if self.policy == OnFailure::Disable && self.failure.is_some() {
            self.dropped += points;
            return Ok(());
        }
        let Err(error) = call(&mut self.sink) else {
            self.unflushed += points;
            return Ok(());
        };
        self.dropped += points;
        match self.policy {
            OnFailure::Return => return Err(error),
            OnFailure::WarnOnce if self.failure.is_none() => {
                eprintln!("warning: logging fails, the run goes on: {error}");
            }
            OnFailure::WarnOnce | OnFailure::Disable => {}
        }
        self.failure.get_or_insert(error);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Memory};

    /// A sink that fails on one tag.
    #[derive(Default)]
    struct Picky {
        kept: Memory,
        calls: u64,
    }

    impl Sink for Picky {
        fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
            self.calls += 1;
            if tag == "dev/b" {
                let reason = "is b";
                return Err(ErrorKind::InvalidTag { tag: tag.to_owned(), reason }.into());
            }
            self.kept.scalar(tag, step, value)
        }

        fn text(&mut self, _: &str, _: u64, _: &str) -> Result<()> {
            Ok(())
        }

        fn flush(&mut self) -> Result<()> {
            self.kept.flush()
        }
    }

    const RESULT: [(&str, f64); 3] = [("a", 1.0), ("b", 2.0), ("c", 3.0)];

    fn logger(policy: OnFailure) -> Logger<Picky> {
        Logger::new(Picky::default(), EveryN::new(1).unwrap()).on_failure(policy)
    }

    #[test]
    fn returned_errors_do_not_stop_the_other_scalars() {
        let mut log = logger(OnFailure::Return);
        assert!(log.log(1, "dev", &RESULT).is_err());
        assert_eq!(log.sink().kept.series("dev/c"), [(1, 3.0)]);
        assert_eq!(log.sink().kept.flushes, 1);
        assert_eq!(log.dropped(), 1);
    }

    #[test]
    fn warning_goes_on_and_counts() {
        let mut log = logger(OnFailure::WarnOnce);
        for step in 1..=3 {
            assert!(log.log(step, "dev", &RESULT).unwrap());
        }
        assert_eq!((log.dropped(), log.sink().calls), (3, 9));
        assert!(log.failure().unwrap().to_string().contains("is b"));
    }

    #[test]
    fn disabling_leaves_the_sink_alone() {
        let mut log = logger(OnFailure::Disable);
        for step in 1..=3 {
            log.log(step, "dev", &RESULT).unwrap();
        }
        assert_eq!((log.dropped(), log.sink().calls), (8, 2));
    }

    /// A sink whose flush fails.
    struct Full(Memory);

    impl Sink for Full {
        fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
            self.0.scalar(tag, step, value)
        }

        fn text(&mut self, _: &str, _: u64, _: &str) -> Result<()> {
            Ok(())
        }

        fn flush(&mut self) -> Result<()> {
            Err(Error::io("full", std::io::ErrorKind::StorageFull.into()))
        }
    }

    #[test]
    fn what_a_flush_loses_is_counted_and_is_not_written() {
        for policy in [OnFailure::Return, OnFailure::WarnOnce, OnFailure::Disable] {
            let full = Full(Memory::default());
            let mut log = Logger::new(full, EveryN::new(1).unwrap()).on_failure(policy);
            for step in 1..=3 {
                let result = log.log(step, "dev", &[("f1", 0.5)]);
                assert_eq!(result.is_err(), policy == OnFailure::Return);
            }
            assert_eq!(log.dropped(), 3, "{policy:?}");
            if policy == OnFailure::WarnOnce {
                assert!(log.log_last(3, "dev", &[("f1", 0.5)]).unwrap(), "it is tried again");
            }
        }
    }

    #[test]
    fn several_splits_at_one_step_and_the_last_one_once() {
        let mut log = Logger::new(Memory::default(), EveryN::new(4).unwrap());
        for step in 1..=8 {
            for split in ["train", "dev"] {
                assert_eq!(log.log(step, split, &[("f1", 0.5)]).unwrap(), step % 4 == 0);
            }
        }
        assert!(!log.log_last(8, "dev", &[("f1", 0.5)]).unwrap());
        assert!(log.log_last(8, "test", &[("f1", 0.25)]).unwrap());
        assert_eq!(log.sink().series("dev/f1"), [(4, 0.5), (8, 0.5)]);
        assert_eq!(log.sink().series("train/f1"), [(4, 0.5), (8, 0.5)]);
        assert_eq!(log.sink().series("test/f1"), [(8, 0.25)]);
    }
}
