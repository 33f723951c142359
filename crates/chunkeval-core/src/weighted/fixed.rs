//! Weights as whole multiples of 2⁻⁶⁴: sums that do not depend on the order.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Error, ErrorKind, Result};

/// A number from 0 up to 2⁶³, as a multiple of 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(u128);

/// 2⁶⁴: what 1 is stored as.
const ONE: f64 = 18_446_744_073_709_551_616.0;
/// Sums stay below this, so that a division has a bit to spare.
const LIMIT: u128 = 1 << 127;
/// Weights stay below 2³².
const MAX_WEIGHT: f64 = 4_294_967_296.0;

impl Fixed {
    /// The weight of a row.
    pub(super) fn weight(weight: f64, row: usize) -> Result<Self> {
        let refuse = |why: &str| {
            Err(Error::config("weights", format!("row {row}: the weight {weight:?} {why}")))
        };
        if !(0.0..MAX_WEIGHT).contains(&weight) {
            return refuse("is not in 0..2^32"); // nor is NaN
        }
        // Multiplying by a power of two is exact; rounding is to the nearest, ties to even.
        let fixed = (weight * ONE).round_ties_even() as u128;
        match fixed {
            0 if weight > 0.0 => refuse("is below 2^-64"),
            _ => Ok(Self(fixed)),
        }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self> {
        Self::checked(self.0.checked_add(other.0))
    }

    pub(super) fn times(self, count: u64) -> Result<Self> {
        Self::checked(self.0.checked_mul(u128::from(count)))
    }

    fn checked(sum: Option<u128>) -> Result<Self> {
        let sum = sum.filter(|&sum| sum < LIMIT).ok_or_else(|| ErrorKind::Overflow)?;
        Ok(Self(sum))
    }

    /// The nearest `f64`.
    pub(super) fn value(self) -> f64 {
        self.0 as f64 / ONE
    }

    /// `self / divisor`, correctly rounded; `None` if the divisor is 0.
    ///
    /// Long division, bit by bit, until there are more bits than an `f64` holds and a last one
    /// that tells whether anything is left: rounded once, by the conversion.
    pub(super) fn over(self, divisor: Self) -> Option<f64> {
        const BITS: u32 = f64::MANTISSA_DIGITS + 3;
        if divisor.0 == 0 {
            return None;
        }
        if self.0 == 0 {
            return Some(0.0);
        }
        let (mut quotient, mut rest) = (self.0 / divisor.0, self.0 % divisor.0);
        let mut shift = 0;
        while quotient >> BITS == 0 {
            rest <<= 1; // below 2¹²⁸, as the divisor is below 2¹²⁷
            let bit = rest >= divisor.0;
            quotient = quotient << 1 | u128::from(bit);
            rest -= if bit { divisor.0 } else { 0 };
            shift += 1;
        }
        quotient |= u128::from(rest != 0);
        Some(quotient as f64 / 2f64.powi(shift))
    }
}

/// As a decimal integer in quotes: few readers of JSON keep 128 bits.
impl Serialize for Fixed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Fixed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let number = digits.parse().map_err(de::Error::custom)?;
        Self::checked(Some(number)).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChunkCounts;
    use proptest::prelude::*;

    fn fixed(weight: f64) -> Fixed {
        Fixed::weight(weight, 0).unwrap()
    }

    #[test]
    fn which_weights_are_exact() {
        for exact in [0.0, 1.0, 0.1, 1.0 / 3.0, 2f64.powi(-64), 2f64.powi(-12), 4_294_967_295.5] {
            assert_eq!(fixed(exact).value(), exact);
        }
        let small = 1e-10 / 3.0;
        assert!((fixed(small).value() - small).abs() <= 2f64.powi(-65));
        assert_eq!(fixed(-0.0), Fixed(0));
        for refused in [f64::NAN, -1.0, f64::INFINITY, 4_294_967_296.0, 2f64.powi(-66)] {
            let error = Fixed::weight(refused, 7).unwrap_err().to_string();
            assert!(error.starts_with("weights: row 7: the weight "), "{error}");
        }
        let tiny = Fixed::weight(1e-300, 7).unwrap_err().to_string();
        assert_eq!(tiny, "weights: row 7: the weight 1e-300 is below 2^-64");
    }

    #[test]
    fn sums_do_not_wrap() {
        let large = fixed(4_294_967_295.0).times(1 << 30).unwrap();
        assert!(large.times(4).is_err());
        assert!(large.plus(large).unwrap().plus(large).is_err());
        assert!(serde_json::from_str::<Fixed>(&format!("\"{LIMIT}\"")).is_err());
        let saved = serde_json::to_string(&large).unwrap();
        assert_eq!(serde_json::from_str::<Fixed>(&saved).unwrap(), large);
    }

    proptest! {
        #[test]
        fn quotients_are_rounded_as_those_of_counts(a: u32, b: u64, shift in 0..32u32) {
            let (gold, correct) = (b >> shift, u64::from(a).min(b >> shift));
            let counts = ChunkCounts { gold, predicted: gold, correct };
            // Any weight gives the same ratio.
            for weight in [1u128, 3, 1 << 60] {
                let sum = |n: u64| Fixed(u128::from(n) * weight);
                prop_assert_eq!(sum(correct).over(sum(gold)), counts.recall());
            }
        }
    }
}
