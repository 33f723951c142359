//! The class of the highest score.

use std::ops::Range;

use super::assemble::Predict;
use super::ids::check_strides;
use crate::{ErrorKind, Result};

/// A floating-point type of logits.
pub trait Logit: Copy + Send + Sync {
    /// A type that compares as fast as the machine can.
    type Key: Copy + PartialOrd;

    /// Something that compares as this does. Of NaN it may be anything.
    fn key(self) -> Self::Key;

    /// Whether this is not a number.
    fn is_nan(self) -> bool;
}

macro_rules! logit {
    ($($float:ty),*) => {$(
        impl Logit for $float {
            type Key = Self;

            #[inline(always)]
            fn key(self) -> Self {
                self
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                <$float>::is_nan(self)
            }
        }
    )*};
}
logit!(f32, f64);

// Compared as they are, these cost ten times as much: few machines have an instruction for it.
macro_rules! half_logit {
    ($($float:ty),*) => {$(
        impl Logit for $float {
            type Key = i16;

            #[inline(always)]
            fn key(self) -> i16 {
                let bits = self.to_bits() as i16;
                let magnitude = bits & i16::MAX;
                if bits < 0 { -magnitude } else { magnitude }
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                <$float>::is_nan(self)
            }
        }
    )*};
}
half_logit!(half::f16, half::bf16);

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
    let first = scores.next()?;
    let mut highest = first.key();
    let mut nan = first.is_nan();
    let mut at = 0;
    for (i, score) in (1..).zip(scores) {
        nan |= score.is_nan();
        if score.key() > highest {
            (highest, at) = (score.key(), i);
        }
    }
    (!nan).then_some(at)
}

/// So many rows of scores are searched side by side: few enough for the registers, and enough to
/// keep the vector units busy though one row is short.
const BLOCK: usize = 8;

/// [`argmax`] of rows of equal lengths; `None` if there is no score or any one is NaN.
#[inline(always)]
fn best_of_block<L: Logit>(rows: [&[L]; BLOCK]) -> Option<[i32; BLOCK]> {
    let length = rows[0].len();
    if length == 0 || rows.iter().any(|row| row.len() != length) {
        return None;
    }
    let mut highest = rows.map(|row| row[0].key());
    let mut at = [0; BLOCK];
    let mut nan = rows.map(|row| i32::from(row[0].is_nan()));
    for class in 1..length {
        let scores = rows.map(|row| row[class]);
        // Selections instead of branches, so that this becomes vector instructions.
        for lane in 0..BLOCK {
            let score = scores[lane].key();
            let higher = score > highest[lane];
            at[lane] = if higher { class as i32 } else { at[lane] };
            highest[lane] = if higher { score } else { highest[lane] };
            nan[lane] |= i32::from(scores[lane].is_nan());
        }
    }
    nan.iter().all(|&nan| nan == 0).then_some(at)
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
        Self::strided(data, shape, [width.saturating_mul(classes), classes, 1])
    }

    /// Logit `[r, c, k]` is `data[r * strides[0] + c * strides[1] + k * strides[2]]`.
    ///
    /// # Errors
    /// A logit would lie outside `data`, or there are no classes.
    pub fn strided(data: &'a [L], shape: [usize; 3], strides: [usize; 3]) -> Result<Self> {
        if shape[2] == 0 && shape[0] > 0 && shape[1] > 0 {
            return Err(crate::Error::config("logits", "the last dimension, the classes, is 0"));
        }
        let strides = check_strides("logits", data.len(), shape, strides)?;
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

    fn predict(&self, row: usize, mut columns: Range<usize>, to: &mut Vec<i32>) -> Result<()> {
        let [across_rows, across_columns, across_classes] = self.strides;
        let classes = self.shape[2];
        let start = |column| row * across_rows + column * across_columns;
        let scores = |column| &self.data[start(column)..start(column) + classes];
        while across_classes == 1 && columns.len() >= BLOCK {
            let block = std::array::from_fn(|i| scores(columns.start + i));
            // A block with NaN is left to the search of one column at a time, which names it.
            let Some(found) = best_of_block(block) else { break };
            to.extend_from_slice(&found);
            columns.start += BLOCK;
        }
        for column in columns {
            let class = match across_classes {
                1 => argmax(scores(column)),
                step => best((0..classes).map(|k| self.data[start(column) + k * step])),
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
    use proptest::prelude::*;

    use super::*;
    use crate::Place;

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

    fn keys_compare_as<L: Logit + PartialOrd>(every: impl Iterator<Item = L>) {
        let mut numbers: Vec<L> = every.filter(|x| !x.is_nan()).collect();
        numbers.sort_by(|a, b| a.partial_cmp(b).unwrap());
        for pair in numbers.windows(2) {
            assert_eq!(pair[0].partial_cmp(&pair[1]), pair[0].key().partial_cmp(&pair[1].key()));
        }
    }

    #[test]
    fn keys_of_half_floats_compare_as_they_do() {
        keys_compare_as((0..=u16::MAX).map(half::f16::from_bits));
        keys_compare_as((0..=u16::MAX).map(half::bf16::from_bits));
    }

    /// A search that knows nothing of blocks.
    fn plain(scores: &[f32]) -> Option<usize> {
        let highest = scores.iter().copied().reduce(f32::max)?;
        let nan = scores.iter().any(|score| score.is_nan());
        scores.iter().position(|&score| score == highest).filter(|_| !nan)
    }

    proptest! {
        #[test]
        fn blocks_find_what_a_plain_search_finds(
            (classes, scores) in (1usize..71).prop_flat_map(|classes| {
                let score = prop_oneof![
                    60 => (-3i8..3).prop_map(f32::from),
                    20 => any::<i16>().prop_map(f32::from),
                    2 => prop::sample::select(&[-0.0, f32::INFINITY, f32::NEG_INFINITY][..]),
                ];
                (Just(classes), prop::collection::vec(score, 21 * classes))
            }),
            nan in prop_oneof![2 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)],
            (from, to) in (0usize..22, 0usize..22),
        ) {
            let mut scores = scores;
            if let Some(nan) = nan {
                let nan = nan.index(scores.len());
                scores[nan] = if nan % 2 == 0 { f32::NAN } else { -f32::NAN };
            }
            let columns = from.min(to)..from.max(to);
            let row = |column: usize| &scores[column * classes..(column + 1) * classes];
            let expected: Vec<_> = columns.clone().map(|c| plain(row(c))).collect();
            let mut found = Vec::new();
            let logits = Logits::new(&scores, [1, 21, classes]).unwrap();
            match logits.predict(0, columns.clone(), &mut found) {
                Ok(()) => {
                    let found: Vec<_> = found.iter().map(|&class| Some(class as usize)).collect();
                    prop_assert_eq!(found, expected);
                }
                Err(e) => {
                    let column = columns.start + expected.iter().position(Option::is_none).unwrap();
                    prop_assert_eq!(e.place(), Some(Place::Cell { row: 0, column }));
                }
            }
        }
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
