//! When to evaluate: [`EveryN`].

use crate::{Error, Result};

/// Fires each time the step number crosses a multiple of `n`.
///
/// "Crosses", not "hits": with gradient accumulation or a skipped step the multiple itself may
/// never be seen. With `n = 10`, steps 3, 6, 9, 12, … fire at 12, 21 and 30. Step 0 does not fire.
/// Asking twice about one step gives the same answer, so several splits can be logged at it; a
/// step before the last one does not fire (after going back in a run, call
/// [`resume`](EveryN::resume)).
///
/// ```
/// use chunkeval_core::EveryN;
///
/// let mut every = EveryN::new(10)?;
/// let fired: Vec<u64> = (0..=30).step_by(3).filter(|&step| every.due(step)).collect();
/// assert_eq!(fired, [12, 21, 30]);
///
/// // A run that stopped at step 19 and goes on from its checkpoint:
/// let mut every = EveryN::new(10)?.resume(19);
/// assert!(every.due(20));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EveryN {
    n: u64,
    /// The last step asked about, and the answer given.
    step: u64,
    due: bool,
}

impl EveryN {
    /// Every `n` steps.
    ///
    /// # Errors
    /// `n` is 0.
    pub fn new(n: u64) -> Result<Self> {
        if n == 0 {
            return Err(Error::config("EveryN", "the number of steps must be at least 1"));
        }
        Ok(Self { n, step: 0, due: false })
    }

    /// Goes on after a checkpoint taken at `last_step`, without repeating or losing a point.
    #[must_use]
    pub fn resume(self, last_step: u64) -> Self {
        Self { step: last_step, due: false, ..self }
    }

    /// Whether a multiple of `n` lies after the last step asked about, up to this one.
    pub fn due(&mut self, step: u64) -> bool {
        if step > self.step {
            self.due = step / self.n > self.step / self.n;
            self.step = step;
        }
        step == self.step && self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fires_on_hits_crossings_and_repeats() {
        let mut every = EveryN::new(4).unwrap();
        let fired: Vec<u64> = (1..=8).filter(|&s| every.due(s)).collect();
        assert_eq!(fired, [4, 8]);
        assert!(every.due(8), "the same step again");
        assert!(!every.due(4), "a step of the past");
        assert!(every.due(17), "two multiples crossed at once");
        assert!(!every.due(19));
        assert!(every.due(u64::MAX));
    }

    #[test]
    fn resume_neither_repeats_nor_loses() {
        let whole: Vec<u64> = {
            let mut e = EveryN::new(5).unwrap();
            (1..40).filter(|s| s % 2 == 0 && e.due(*s)).collect()
        };
        for cut in 0..40 {
            let mut first = EveryN::new(5).unwrap();
            let mut fired: Vec<u64> = (1..=cut).filter(|s| s % 2 == 0 && first.due(*s)).collect();
            let seen = cut - cut % 2;
            let mut second = EveryN::new(5).unwrap().resume(seen);
            fired.extend((cut + 1..40).filter(|s| s % 2 == 0 && second.due(*s)));
            assert_eq!(fired, whole, "cut after {cut}");
        }
    }

    #[test]
    fn zero_steps_are_refused() {
        assert!(EveryN::new(0).is_err());
    }
}
