//! McNemar's test: two systems that are right or wrong on the same items.

use serde::{Deserialize, Serialize};
use statrs::function::erf::erfc;

use crate::beta::cdf;
use crate::{Error, Result};

/// The items on which exactly one of two systems is right; the others say nothing about which is
/// better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McNemar {
    /// Items that only the first system has right.
    pub first_only: u64,
    /// Items that only the second system has right.
    pub second_only: u64,
}

/// A statistic that follows the chi-squared distribution with one degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChiSquared {
    /// The statistic.
    pub statistic: f64,
    /// How often it would be as great by chance.
    pub p_value: f64,
}

impl McNemar {
    /// Counts the items on which one system is right and the other wrong.
    ///
    /// ```
    /// use chunkeval_stats::McNemar;
    ///
    /// let first = [true, true, true, true, true, true, false];
    /// let second = [false, false, false, false, false, true, false];
    /// let p_value = McNemar::of(&first, &second)?.exact();
    /// assert!((p_value - 0.0625).abs() < 1e-12); // 2 · (1/2)⁵
    /// # Ok::<(), chunkeval_stats::Error>(())
    /// ```
    ///
    /// # Errors
    /// The systems have different numbers of items.
    pub fn of(first: &[bool], second: &[bool]) -> Result<Self> {
        if first.len() != second.len() {
            return Err(Error::UnitCount { first: first.len(), second: second.len() });
        }
        let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
        let (first_only, second_only) = (only(first, second), only(second, first));
        Ok(Self { first_only: first_only as u64, second_only: second_only as u64 })
    }

    /// The exact two-sided p-value: of a fair coin tossed for each of these items. It is the limit
    /// of approximate randomisation for accuracy, and 1 if there is no such item.
    #[must_use]
    pub fn exact(&self) -> f64 {
        let fewer = self.first_only.min(self.second_only) as f64;
        let more = self.first_only.max(self.second_only) as f64;
        if more == 0.0 {
            return 1.0;
        }
        // Of `fewer + more` tosses so few heads or fewer.
        (2.0 * cdf(more, fewer + 1.0, 0.5)).min(1.0)
    }

    /// The chi-squared approximation (b - c)² / (b + c); `None` if there is no such item.
    #[must_use]
    pub fn chi_squared(&self) -> Option<ChiSquared> {
        self.statistic(0.0)
    }

    /// The same with Edwards' correction for continuity, (|b - c| - 1)² / (b + c).
    #[must_use]
    pub fn chi_squared_corrected(&self) -> Option<ChiSquared> {
        self.statistic(1.0)
    }

    fn statistic(&self, correction: f64) -> Option<ChiSquared> {
        let sum = self.first_only as f64 + self.second_only as f64;
        let difference = self.first_only.abs_diff(self.second_only) as f64 - correction;
        let statistic = difference * difference / sum;
        let p_value = erfc((statistic / 2.0).sqrt());
        (sum > 0.0).then_some(ChiSquared { statistic, p_value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millions_of_items() {
        // scipy 1.17.1: min(1, 2 * binom.cdf(b, b + c, 0.5))
        for (first_only, second_only, expected) in [
            (10_000_000, 10_000_000, 1.0),
            (10_000_447, 10_000_000, 0.9205606540830912),
            (100_000_000, 100_007_071, 0.6171344672229271),
            (0, 0, 1.0),
            (0, 3, 0.25),
        ] {
            let found = McNemar { first_only, second_only }.exact();
            assert!((found - expected).abs() < 1e-7, "{first_only} {second_only}: {found}");
        }
    }
}
