//! Chunk counts; `scores.rs` says what scores they give.

use serde::{Deserialize, Serialize};

use crate::{Beta, ErrorKind, Result, ZeroDivision};

/// How many chunks are gold, predicted, and both.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ZeroDivision};
///
/// let counts = ChunkCounts { gold: 4, predicted: 2, correct: 1 };
/// assert_eq!(counts.precision(), Some(1.0 / 2.0));
/// assert_eq!(counts.recall(), Some(1.0 / 4.0));
/// assert_eq!(counts.f1(), Some(1.0 / 3.0));
///
/// let nothing_predicted = ChunkCounts { gold: 4, predicted: 0, correct: 0 };
/// assert_eq!(nothing_predicted.precision(), None);
/// assert_eq!(nothing_predicted.scores(ZeroDivision::Zero).precision, 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChunkCounts {
    /// Chunks in the gold rows (the support).
    pub gold: u64,
    /// Chunks in the predicted rows.
    pub predicted: u64,
    /// Chunks in both, with equal type and equal offsets.
    pub correct: u64,
}

impl ChunkCounts {
    /// correct / predicted; `None` if nothing was predicted.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        ratio(self.correct, self.predicted)
    }

    /// correct / gold; `None` if there is no gold chunk.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        ratio(self.correct, self.gold)
    }

    /// The harmonic mean of precision and recall; `None` if there is no chunk on either side.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        (self.gold > 0 || self.predicted > 0).then(|| self.f_beta(Beta::ONE, ZeroDivision::Zero))
    }

    /// Adds other counts to these.
    ///
    /// # Errors
    /// A sum exceeds 64 bits; nothing is changed then.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| ErrorKind::Overflow);
        *self = Self {
            gold: sum(self.gold, other.gold)?,
            predicted: sum(self.predicted, other.predicted)?,
            correct: sum(self.correct, other.correct)?,
        };
        Ok(())
    }

    /// That no more chunks are correct than there are on either side.
    pub(crate) fn check(&self) -> Result<()> {
        let &Self { gold, predicted, correct } = self;
        if correct <= gold.min(predicted) {
            return Ok(());
        }
        Err(ErrorKind::ImpossibleCounts { gold, predicted, correct }.into())
    }
}

/// `a / b`, correctly rounded, as Python divides integers; `None` if `b` is 0.
pub(crate) fn ratio(a: u64, b: u64) -> Option<f64> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    if b == 0 {
        return None;
    }
    if a <= EXACT && b <= EXACT {
        return Some(a as f64 / b as f64); // both exact, so rounded once
    }
    // Beyond 53 bits the operands themselves would be rounded. A quotient of at least 55 bits
    // with a last bit that tells whether anything is left is rounded once, by the conversion.
    let bits = |n: u64| u64::BITS - n.leading_zeros();
    let shift = (56 + bits(b)).saturating_sub(bits(a));
    let (dividend, divisor) = (u128::from(a) << shift, u128::from(b));
    let quotient = (dividend / divisor) | u128::from(dividend % divisor != 0);
    Some(quotient as f64 / 2f64.powi(shift as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_rounded_once() {
        // Python: 9007199254740991 / 9007199254740993 and 9007199254740991 / 4611686018427387904
        let close = ratio(9_007_199_254_740_991, 9_007_199_254_740_993);
        assert_eq!(close, Some(0.999_999_999_999_999_8));
        let small = ratio(9_007_199_254_740_991, 4_611_686_018_427_387_904);
        assert_eq!(small, Some(0.001_953_124_999_999_999_8));
        assert_eq!(ratio(u64::MAX, u64::MAX), Some(1.0));
        assert_eq!(ratio(0, u64::MAX), Some(0.0));
        // Python: (2**60 + 1) / (2**63 + 12345)
        let both = ratio((1 << 60) + 1, (1 << 63) + 12_345);
        assert_eq!(both, Some(0.124_999_999_999_999_83));
        assert_eq!(ratio(1, u64::MAX), Some(5.421_010_862_427_522e-20));
        assert_eq!(ratio(u64::MAX, 1), Some(18_446_744_073_709_551_615.0));
    }

    #[test]
    fn sums_do_not_wrap() {
        let mut counts = ChunkCounts { gold: u64::MAX, predicted: 1, correct: 1 };
        let before = counts;
        assert!(counts.add(&ChunkCounts { gold: 1, predicted: 1, correct: 1 }).is_err());
        assert_eq!(counts, before);
    }
}
