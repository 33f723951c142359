//! [`BestValue`]: the best value so far, and when to stop waiting for a better one.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Which of two values is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// The higher one, as of F1.
    HigherIsBetter,
    /// The lower one, as of a loss.
    LowerIsBetter,
}

/// The best value of a series and its step; early stopping.
///
/// A value is an improvement if it is better than the best one by more than the minimum gain,
/// which is 0 if not said: of equal values the first is the best. The first value is one, too. A
/// value that is undefined, NaN or infinite never is; it counts against the patience.
///
/// ```
/// use chunkeval_core::{BestValue, ChunkEvaluator, Direction, Metric, TagBatch, Verdict};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let mut best = BestValue::new(Direction::HigherIsBetter).patience(2)?;
/// // Gold is PER O PER; what three checkpoints predict:
/// for (step, predicted) in [(100, [1, 0, 0]), (200, [1, 0, 1]), (300, [0, 0, 1]), (400, [0; 3])] {
///     metric.reset();
///     metric.update(TagBatch::new(&[1, 0, 1], &predicted, &[3])?)?;
///     match best.check(step, metric.accumulate().overall.f1) {
///         Verdict::Improved => {} // … save the weights …
///         Verdict::Waiting { left } => assert_eq!((step, left), (300, Some(1))),
///         Verdict::Stop => break,
///     }
/// }
/// assert_eq!(best.best().map(|b| (b.step, b.value)), Some((200, 1.0)));
/// assert!(best.should_stop());
///
/// // It goes into the checkpoint, so that a resumed run decides as one that was never stopped.
/// let saved = serde_json::to_string(&best).unwrap();
/// assert_eq!(serde_json::from_str::<BestValue>(&saved).unwrap(), best);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct BestValue {
    direction: Direction,
    min_gain: f64,
    patience: Option<NonZeroU64>,
    best: Option<Best>,
    /// Checks since the best one, or since the beginning.
    since: u64,
}

/// A value that was better than all before, and its step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The step given with the value.
    pub step: u64,
    /// The value.
    pub value: f64,
}

/// What a value means for the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is the best one so far: save the weights.
    Improved,
    /// It is not.
    Waiting {
        /// How many more such values end the run; `None` if none do.
        left: Option<u64>,
    },
    /// It is not, and patience is at its end.
    Stop,
}

impl BestValue {
    /// No value yet; any gain counts, and patience never ends.
    #[must_use]
    pub fn new(direction: Direction) -> Self {
        Self { direction, min_gain: 0.0, patience: None, best: None, since: 0 }
    }

    /// Stops at the `checks`-th value in a row that is no improvement. A tracker that is restored
    /// may be given another patience.
    ///
    /// # Errors
    /// `checks` is 0.
    pub fn patience(self, checks: u64) -> Result<Self> {
        let patience = NonZeroU64::new(checks);
        let zero = || Error::config("patience", "the number of checks must be at least 1");
        Ok(Self { patience: Some(patience.ok_or_else(zero)?), ..self })
    }

    /// Values must be better than the best one by more than `gain`.
    ///
    /// # Errors
    /// `gain` is negative or not finite.
    pub fn min_gain(self, gain: f64) -> Result<Self> {
        if gain.is_finite() && gain >= 0.0 {
            return Ok(Self { min_gain: gain, ..self });
        }
        Err(Error::config("min_gain", format!("{gain} is not finite and at least 0")))
    }

    /// Takes note of the value at `step`.
    pub fn check(&mut self, step: u64, value: impl Into<Option<f64>>) -> Verdict {
        match value.into().filter(|&value| self.improves(value)) {
            Some(value) => {
                self.best = Some(Best { step, value });
                self.since = 0;
                Verdict::Improved
            }
            None => {
                self.since = self.since.saturating_add(1);
                let left = self.patience.map(|n| n.get().saturating_sub(self.since));
                if left == Some(0) { Verdict::Stop } else { Verdict::Waiting { left } }
            }
        }
    }

    /// The best value so far.
    #[must_use]
    pub fn best(&self) -> Option<Best> {
        self.best
    }

    /// Whether patience is at its end; for the head of a loop, where a resumed run begins.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.patience.is_some_and(|n| self.since >= n.get())
    }

    fn improves(&self, value: f64) -> bool {
        let gain = |best: Best| match self.direction {
            Direction::HigherIsBetter => value - best.value,
            Direction::LowerIsBetter => best.value - value,
        };
        value.is_finite() && self.best.is_none_or(|best| gain(best) > self.min_gain)
    }
}

/// A tracker that may come from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    direction: Direction,
    min_gain: f64,
    patience: Option<NonZeroU64>,
    best: Option<Best>,
    since: u64,
}

impl TryFrom<Unchecked> for BestValue {
    type Error = Error;

    fn try_from(
        Unchecked { direction, min_gain, patience, best, since }: Unchecked,
    ) -> Result<Self> {
        if let Some(Best { value, .. }) = best.filter(|best| !best.value.is_finite()) {
            return Err(Error::config("best", format!("{value} is not finite")));
        }
        Self { patience, best, since, ..Self::new(direction) }.min_gain(min_gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Improved, Stop, Waiting};

    fn verdicts(best: &mut BestValue, values: &[Option<f64>]) -> Vec<Verdict> {
        (1..).zip(values).map(|(step, &value)| best.check(step, value)).collect()
    }

    #[test]
    fn the_best_is_the_first_of_equals() {
        for (direction, sign) in
            [(Direction::HigherIsBetter, 1.0), (Direction::LowerIsBetter, -1.0)]
        {
            let mut best = BestValue::new(direction);
            let values = [0.0, 0.5, 0.5, 0.4, 0.6].map(|v| Some(v * sign));
            let wait = Waiting { left: None };
            assert_eq!(verdicts(&mut best, &values), [Improved, Improved, wait, wait, Improved]);
            assert_eq!(best.best(), Some(Best { step: 5, value: 0.6 * sign }));
            assert!(!best.should_stop());
        }
    }

    #[test]
    fn patience_counts_in_a_row() {
        let mut best = BestValue::new(Direction::LowerIsBetter).patience(3).unwrap();
        let values = [3.0, 4.0, 3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0].map(Some);
        let left = |n| Waiting { left: Some(n) };
        assert_eq!(
            verdicts(&mut best, &values),
            [Improved, left(2), left(1), Improved, left(2), left(1), Stop, Stop, Improved]
        );
        assert!(!best.should_stop(), "an improvement after the end begins anew");
    }

    #[test]
    fn gains_must_exceed_the_minimum() {
        let mut best = BestValue::new(Direction::HigherIsBetter).min_gain(0.25).unwrap();
        let values = [0.5, 0.75, 0.625, 0.875].map(Some);
        let wait = Waiting { left: None };
        assert_eq!(verdicts(&mut best, &values), [Improved, wait, wait, Improved]);
    }

    #[test]
    fn what_is_no_number_is_never_best() {
        for direction in [Direction::HigherIsBetter, Direction::LowerIsBetter] {
            let mut best = BestValue::new(direction).patience(4).unwrap();
            let odd = [None, Some(f64::NAN), Some(f64::INFINITY)];
            let left = |n| Waiting { left: Some(n) };
            assert_eq!(verdicts(&mut best, &odd), [left(3), left(2), left(1)]);
            assert_eq!(best.best(), None);
            assert_eq!(best.clone().check(4, f64::NEG_INFINITY), Stop);
            assert_eq!(best.check(4, 0.0), Improved);
            assert_eq!(best.check(5, f64::NAN), left(3));
            assert_eq!(best.best().map(|b| b.step), Some(4));
        }
    }

    #[test]
    fn options_are_checked() {
        let new = || BestValue::new(Direction::HigherIsBetter);
        assert!(new().patience(0).is_err());
        for gain in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(new().min_gain(gain).is_err());
        }
        let never = new().patience(u64::MAX).unwrap().check(1, None);
        assert_eq!(never, Waiting { left: Some(u64::MAX - 1) });
    }

    #[test]
    fn saved_trackers_are_checked() {
        let saved = serde_json::to_value(BestValue::new(Direction::LowerIsBetter)).unwrap();
        for (field, value) in [("min_gain", serde_json::json!(-1.0)), ("other", 1.into())] {
            let mut edited = saved.clone();
            edited[field] = value;
            assert!(serde_json::from_value::<BestValue>(edited).is_err(), "{field}");
        }
        let best = Some(Best { step: 1, value: f64::NAN }); // as formats other than JSON have it
        let direction = Direction::LowerIsBetter;
        let unchecked = Unchecked { direction, min_gain: 0.0, patience: None, best, since: 0 };
        assert!(BestValue::try_from(unchecked).is_err());
    }

    #[test]
    fn a_saved_tracker_goes_on() {
        let values = [0.1, 0.3, 0.2, 0.25, 0.1 + 0.2, 0.2].map(Some);
        for cut in 0..values.len() {
            let mut straight = BestValue::new(Direction::HigherIsBetter).patience(3).unwrap();
            let mut first = straight.clone();
            let all = verdicts(&mut straight, &values);
            let mut parts = verdicts(&mut first, &values[..cut]);
            let text = serde_json::to_string(&first).unwrap();
            let mut second: BestValue = serde_json::from_str(&text).unwrap();
            parts.extend(verdicts(&mut second, &values[cut..]));
            assert_eq!(parts, all);
        }
    }
}
