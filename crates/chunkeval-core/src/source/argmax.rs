//! The class of the highest score.

use std::ops::Range;

use super::assemble::Predict;
use super::ids::check_strides;
use crate::{ErrorKind, Result};

/// A floating-point type of logits.
pub trait Logit: Copy + Send + Sync + PartialOrd {
    /// Whether this is not a number.
    fn is_nan(self) -> bool;
}

macro_rules! logit {
    ($($float:ty),*) => {$(
        impl Logit for $float {
            #[inline(always)]
            fn is_nan(self) -> bool {
                <$float>::is_nan(self)
            }
        }
    )*};
}
logit!(f32, f64, half::f16, half::bf16);

/// The index of the highest score, the lowest one if several are equal; `None` if there is no
/// score or one of them is NaN.
///
/// ```
/// use chunkeval_core::argmax;
///
/// assert_eq!(argmax(&[1.0, 3.0, 3.0]), Some(1));
/// assert_eq!(argmax(&[f32::NEG_INFINITY; 2]), Some(0));
/// assert_eq!(argmax(&[1.0, f32::NAN, 3.0]), None);
/// ```
#[must_use]
pub fn argmax<L: Logit>(scores: &[L]) -> Option<usize> {
    best(scores.iter().copied())
}

#[inline(always)]
fn best<L: Logit>(mut scores: impl Iterator<Item = L>) -> Option<usize> {
    let mut highest = scores.next()?;
    let mut nan = highest.is_nan();
    let mut at = 0;
    for (i, score) in (1..).zip(scores) {
        nan |= score.is_nan();
        if score > highest {
            (highest, at) = (score, i);
        }
    }
    (!nan).then_some(at)
}

/// A view of logits `[rows, width, classes]` with any strides. Predicts the class of the highest
/// logit, the lowest class if several are equal.
#[derive(Clone, Copy, Debug)]
pub struct Logits<'a, L> {
    data: &'a [L],
    shape: [usize; 3],
    strides: [usize; 3],
}

impl<'a, L: Logit> Logits<'a, L> {
    /// One behind the other, classes fastest.
    ///
    /// # Errors
    /// `data` does not hold exactly that many logits, or there are no classes.
    pub fn new(data: &'a [L], shape: [usize; 3]) -> Result<Self> {
        let [rows, width, classes] = shape;
        let expected = rows.saturating_mul(width).saturating_mul(classes);
        if expected != data.len() {
            let (what, found) = ("logits", data.len());
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        Self::strided(data, shape, [width * classes, classes, 1])
    }

    /// Logit `[r, c, k]` is `data[r * strides[0] + c * strides[1] + k * strides[2]]`.
    ///
    /// # Errors
    /// A logit would lie outside `data`, or there are no classes.
    pub fn strided(data: &'a [L], shape: [usize; 3], strides: [usize; 3]) -> Result<Self> {
        if shape[2] == 0 && shape[0] > 0 && shape[1] > 0 {
            return Err(crate::Error::config("logits", "the last dimension, the classes, is 0"));
        }
        check_strides("logits", data.len(), &shape, &strides)?;
        Ok(Self { data, shape, strides })
    }
}

impl<L: Logit> Predict for Logits<'_, L> {
    fn shape(&self) -> [usize; 2] {
        [self.shape[0], self.shape[1]]
    }

    fn classes(&self) -> Option<usize> {
        Some(self.shape[2])
    }

    fn predict(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) -> Result<()> {
        let [across_rows, across_columns, across_classes] = self.strides;
        let classes = self.shape[2];
        for column in columns {
            let start = row * across_rows + column * across_columns;
            let class = match across_classes {
                1 => argmax(&self.data[start..start + classes]),
                step => best((0..classes).map(|k| self.data[start + k * step])),
            };
            match class {
                Some(class) => to.push(class as i32),
                None => return Err(ErrorKind::NanLogit { row, column }.into()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_infinity_and_ties() {
        let nan = f64::NAN;
        assert_eq!(argmax(&[nan, 5.0, 7.0]), None);
        assert_eq!(argmax(&[1.0, 3.0, nan]), None);
        assert_eq!(argmax(&[2.0, 2.0, 1.0]), Some(0));
        assert_eq!(argmax(&[f64::INFINITY, 1.0]), Some(0));
        assert_eq!(argmax(&[-0.0, 0.0]), Some(0));
        assert_eq!(argmax::<f32>(&[]), None);
        assert_eq!(argmax(&[half::f16::from_f32(1.0), half::f16::from_f32(2.0)]), Some(1));
    }

    #[test]
    fn every_layout_gives_the_same_classes() {
        let (rows, width, classes) = (3, 4, 5);
        let logit = |r: usize, c: usize, k: usize| ((r * 7 + c * 5 + k * 3) % 11) as f32;
        let mut last = Vec::new();
        let mut first = vec![0.0; rows * width * classes];
        for r in 0..rows {
            for c in 0..width {
                for k in 0..classes {
                    last.push(logit(r, c, k));
                    first[k * rows * width + r * width + c] = logit(r, c, k);
                }
            }
        }
        let plain = Logits::new(&last, [rows, width, classes]).unwrap();
        let strides = [width, 1, rows * width];
        let strided = Logits::strided(&first, [rows, width, classes], strides).unwrap();
        for r in 0..rows {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            plain.predict(r, 0..width, &mut a).unwrap();
            strided.predict(r, 0..width, &mut b).unwrap();
            assert_eq!(a, b);
        }
    }
}
