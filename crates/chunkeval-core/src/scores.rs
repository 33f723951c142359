//! From counts to precision, recall and F scores.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::{ChunkCounts, Error, Result};

/// What a score is when there is nothing to divide by. The undefined score itself can also be
/// asked from the counts: [`ChunkCounts::precision`] and its like give `None`.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ZeroDivision};
///
/// let nothing_predicted = ChunkCounts { gold: 4, predicted: 0, correct: 0 };
/// assert_eq!(nothing_predicted.scores(ZeroDivision::Zero).precision, 0.0);
/// assert_eq!(nothing_predicted.scores(ZeroDivision::One).precision, 1.0);
/// assert!(nothing_predicted.scores(ZeroDivision::Undefined).precision.is_nan());
/// assert_eq!(nothing_predicted.scores(ZeroDivision::Undefined).f1, 0.0); // four are missed
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ZeroDivision {
    /// 0, as PaddleNLP does and seqeval by default.
    #[default]
    Zero,
    /// 1, as seqeval with `zero_division=1`.
    One,
    /// Not a number, and no number (`null`) in JSON. Averages over types leave such a score out,
    /// as scikit-learn does with `zero_division=np.nan`; seqeval has no such rule.
    Undefined,
}

/// How much recall counts against precision in an F score: `β` times as much.
///
/// ```
/// use chunkeval_core::{Beta, ChunkCounts, ZeroDivision};
///
/// let counts = ChunkCounts { gold: 4, predicted: 2, correct: 1 }; // precision 1/2, recall 1/4
/// let f = |beta| counts.f_beta(beta, ZeroDivision::Zero);
/// assert_eq!(f(Beta::ONE), 1.0 / 3.0);
/// assert_eq!(f(Beta::new(0.0)?), 1.0 / 2.0);
/// assert_eq!(f(Beta::new(f64::INFINITY)?), 1.0 / 4.0);
/// assert!(Beta::new(-1.0).is_err());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// Serialized, it is the number; JSON has no infinity and writes `null`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub struct Beta(f64);

/// Counts with the scores they give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Scores {
    /// correct / predicted, by the rule for zero division.
    pub precision: f64,
    /// correct / gold, by the rule for zero division.
    pub recall: f64,
    /// 2 · precision · recall / (precision + recall), or 0 if both are 0.
    pub f1: f64,
    /// What the scores were made from.
    #[serde(flatten)]
    pub counts: ChunkCounts,
}

/// One line, four digits after the point.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ZeroDivision};
///
/// let scores = ChunkCounts { gold: 4, predicted: 2, correct: 1 }.scores(ZeroDivision::Zero);
/// let line = "precision 0.5000, recall 0.2500, F1 0.3333 (1 correct, 2 predicted, 4 gold)";
/// assert_eq!(scores.to_string(), line);
/// ```
impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { precision, recall, f1, counts: ChunkCounts { gold, predicted, correct } } = self;
        write!(f, "precision {precision:.4}, recall {recall:.4}, F1 {f1:.4} ")?;
        write!(f, "({correct} correct, {predicted} predicted, {gold} gold)")
    }
}

impl ZeroDivision {
    /// The score in its place; not a number for [`Undefined`](ZeroDivision::Undefined).
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::One => 1.0,
            Self::Undefined => f64::NAN,
        }
    }
}

/// `0`, `1` or `undefined`.
impl fmt::Display for ZeroDivision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Zero => "0",
            Self::One => "1",
            Self::Undefined => "undefined",
        })
    }
}

/// `0`, `1` or `undefined`.
impl FromStr for ZeroDivision {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "0" => Ok(Self::Zero),
            "1" => Ok(Self::One),
            "undefined" => Ok(Self::Undefined),
            _ => Err(Error::config("zero_division", format!("{name:?} is not 0, 1 or undefined"))),
        }
    }
}

impl Beta {
    /// The balanced F score, F1.
    pub const ONE: Self = Self(1.0);

    /// A `β` of 0 (precision alone) up to infinity (recall alone).
    ///
    /// # Errors
    /// It is negative, not a number, or finite with a square that is not.
    pub fn new(beta: f64) -> Result<Self> {
        if beta >= 0.0 && (beta.is_infinite() || (beta * beta).is_finite()) {
            return Ok(Self(beta));
        }
        Err(Error::config("beta", format!("{beta} is not a number from 0 to 1e154, or infinity")))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// [`Beta::ONE`].
impl Default for Beta {
    fn default() -> Self {
        Self::ONE
    }
}

/// The number, `0.5` for example.
impl fmt::Display for Beta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ChunkCounts {
    /// All three scores, with a rule for what cannot be divided.
    ///
    /// Equal to the last bit to PaddleNLP's `ChunkEvaluator.accumulate` (rule `Zero`) and to the
    /// micro scores of seqeval 1.2.2 (rules `Zero` and `One`).
    #[must_use]
    pub fn scores(&self, zero_division: ZeroDivision) -> Scores {
        let or_rule = |score: Option<f64>| score.unwrap_or(zero_division.value());
        Scores {
            precision: or_rule(self.precision()),
            recall: or_rule(self.recall()),
            f1: self.f_beta(Beta::ONE, zero_division),
            counts: *self,
        }
    }

    /// The F score (1 + β²) · precision · recall / (β² · precision + recall), or 0 if the
    /// denominator is 0; recall alone if β is infinite.
    ///
    /// A precision or recall that cannot be divided enters as the rule says. Under
    /// [`ZeroDivision::Undefined`] the score is undefined only if there is no chunk on either
    /// side; for β of 0 and infinity it is precision and recall, and undefined with them.
    #[must_use]
    pub fn f_beta(&self, beta: Beta, zero_division: ZeroDivision) -> f64 {
        let undefined = zero_division.value();
        let precision = self.precision().unwrap_or(undefined);
        let recall = self.recall().unwrap_or(undefined);
        if beta.0.is_infinite() {
            return recall;
        }
        if zero_division == ZeroDivision::Undefined && self.correct == 0 {
            return match self.gold > 0 || self.predicted > 0 {
                true if beta.0 > 0.0 => 0.0,
                _ => precision,
            };
        }
        // The order of these operations is that of the references, so the last bits are equal.
        let square = beta.0 * beta.0;
        let denominator = square * precision + recall;
        if denominator == 0.0 { 0.0 } else { (1.0 + square) * precision * recall / denominator }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_rules() {
        let nothing = ChunkCounts::default();
        assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (None, None, None));
        let one = nothing.scores(ZeroDivision::One);
        assert_eq!((one.precision, one.recall, one.f1), (1.0, 1.0, 1.0));
        let missed = ChunkCounts { gold: 3, ..nothing }.scores(ZeroDivision::One);
        assert_eq!((missed.precision, missed.recall, missed.f1), (1.0, 0.0, 0.0));
        assert_eq!(missed.counts.f1(), Some(0.0));
        for rule in [ZeroDivision::Zero, ZeroDivision::One, ZeroDivision::Undefined] {
            assert_eq!(rule.to_string().parse::<ZeroDivision>().unwrap(), rule);
        }
        assert!("nan".parse::<ZeroDivision>().is_err());
    }

    #[test]
    fn undefined_is_said_of_what_is_undefined_only() {
        let f = |gold, predicted, beta| {
            let counts = ChunkCounts { gold, predicted, correct: 0 };
            counts.f_beta(Beta::new(beta).unwrap(), ZeroDivision::Undefined)
        };
        // scikit-learn 1.9.1, fbeta_score(…, zero_division=np.nan)
        for beta in [0.0, 0.5, 1.0, f64::INFINITY] {
            assert!(f(0, 0, beta).is_nan());
        }
        assert_eq!((f(2, 0, 1.0), f(0, 2, 1.0)), (0.0, 0.0));
        assert!(f(2, 0, 0.0).is_nan() && f(0, 2, f64::INFINITY).is_nan());
        assert_eq!((f(0, 2, 0.0), f(2, 0, f64::INFINITY)), (0.0, 0.0));
    }

    #[test]
    fn betas_that_are_no_weight_are_refused() {
        for beta in [-1.0, f64::NAN, -f64::INFINITY, 1e200] {
            assert!(Beta::new(beta).is_err(), "{beta}");
        }
        assert_eq!(Beta::new(1e9).unwrap().get(), 1e9);
        assert_eq!(Beta::default().to_string(), "1");
    }
}
