//! Intervals for a share of successes, without resampling.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, Normal};

use crate::beta::quantile;
use crate::{Error, Result};

/// So many successes in so many trials: an accuracy, a share of readable answers.
///
/// ```
/// use chunkeval_stats::{Proportion, ProportionMethod};
///
/// let accuracy = Proportion::new(9, 10)?;
/// let (low, high) = accuracy.interval(ProportionMethod::Wilson, 0.95)?;
/// assert_eq!((format!("{low:.4}"), format!("{high:.4}")), ("0.5958".into(), "0.9821".into()));
/// # Ok::<(), chunkeval_stats::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

/// How the interval of a [`Proportion`] is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProportionMethod {
    /// Wilson's score interval (1927): good for all counts.
    #[default]
    Wilson,
    /// The normal approximation (Wald), cut to 0..1: of no width at 0 and 1, and too narrow there.
    Normal,
    /// Clopper and Pearson (1934): never less than its level, and wide.
    ClopperPearson,
    /// Agresti and Coull (1998), cut to 0..1.
    AgrestiCoull,
    /// Jeffreys' Bayesian interval, by equal tails of Beta(x + 1/2, n - x + 1/2).
    Jeffreys,
}

impl Proportion {
    /// So many successes in so many trials.
    ///
    /// # Errors
    /// There are no trials, or more successes than trials.
    pub fn new(successes: u64, trials: u64) -> Result<Self> {
        if trials == 0 || successes > trials {
            let reason = format!("{successes} of {trials} trials is no proportion");
            return Err(Error::option("successes", reason));
        }
        Ok(Self { successes, trials })
    }

    /// The share.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// The lower and upper end of an interval of a level between 0 and 1.
    ///
    /// # Errors
    /// The level is not between 0 and 1.
    pub fn interval(&self, method: ProportionMethod, level: f64) -> Result<(f64, f64)> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::option("level", format!("{level} is not between 0 and 1")));
        }
        let tail = (1.0 - level) / 2.0;
        let (x, n, p) = (self.successes as f64, self.trials as f64, self.share());
        let z = -Normal::standard().inverse_cdf(tail);
        let around = |centre: f64, half: f64| {
            Ok(((centre - half).clamp(0.0, 1.0), (centre + half).clamp(0.0, 1.0)))
        };
        match method {
            ProportionMethod::Normal => around(p, z * (p * (1.0 - p) / n).sqrt()),
            ProportionMethod::AgrestiCoull => {
                let n = n + z * z;
                let p = (x + z * z / 2.0) / n;
                around(p, z * (p * (1.0 - p) / n).sqrt())
            }
            ProportionMethod::Wilson => {
                let shrink = 1.0 + z * z / n;
                let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
                around((p + z * z / (2.0 * n)) / shrink, half / shrink)
            }
            ProportionMethod::ClopperPearson => {
                let low = if x > 0.0 { quantile(x, n - x + 1.0, tail) } else { 0.0 };
                let high = if x < n { 1.0 - quantile(n - x, x + 1.0, tail) } else { 1.0 };
                Ok((low, high))
            }
            ProportionMethod::Jeffreys => {
                let (x, rest) = (x + 0.5, n - x + 0.5);
                Ok((quantile(x, rest, tail), 1.0 - quantile(rest, x, tail)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_proportion_is_refused() {
        assert!(Proportion::new(0, 0).is_err());
        assert!(Proportion::new(2, 1).is_err());
        let half = Proportion::new(1, 2).unwrap();
        for level in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(half.interval(ProportionMethod::Wilson, level).is_err());
        }
    }

    #[test]
    fn millions_of_trials() {
        let n = 10_000_000;
        let (all, none) = (Proportion::new(n, n).unwrap(), Proportion::new(0, n).unwrap());
        // Clopper-Pearson has a closed form there: 0.025^(1/n).
        let low = (0.025f64.ln() / n as f64).exp();
        let (found, high) = all.interval(ProportionMethod::ClopperPearson, 0.95).unwrap();
        assert!((found - low).abs() < 1e-12 && high == 1.0, "{found} {low}");
        let (zero, found) = none.interval(ProportionMethod::ClopperPearson, 0.95).unwrap();
        assert!((found - (1.0 - low)).abs() < 1e-12 && zero == 0.0, "{found} {low}");
        // scipy 1.17.1: beta.ppf([0.025, 0.975], 0.5, 1e7 + 0.5)
        let (low, high) = none.interval(ProportionMethod::Jeffreys, 0.95).unwrap();
        assert!(
            (low / 4.910345462997084e-11 - 1.0).abs() < 1e-6
                && (high / 2.5119427153660034e-07 - 1.0).abs() < 1e-6,
            "{low} {high}"
        );
    }

    #[test]
    fn a_hundred_million_trials() {
        let share = Proportion::new(60_000_000, 100_000_000).unwrap();
        // scipy 1.17.1: beta.ppf(0.025, 6e7, 4e7 + 1), beta.isf(0.025, 6e7 + 1, 4e7)
        let (low, high) = share.interval(ProportionMethod::ClopperPearson, 0.95).unwrap();
        assert!(
            (low - 0.5999039738731033).abs() < 1e-10 && (high - 0.6000960203378849).abs() < 1e-10
        );
    }

    #[test]
    fn a_level_next_to_one() {
        // scipy 1.17.1: beta.isf(5e-10, 1, 10); 1 - (1 - level) / 2 itself would be rounded.
        let none = Proportion::new(0, 10).unwrap();
        let level = 1.0 - 1e-9;
        let (_, high) = none.interval(ProportionMethod::ClopperPearson, level).unwrap();
        assert!((high - 0.882538106023403).abs() < 1e-12, "{high}");
    }
}
