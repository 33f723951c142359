//! [`Units`]: what can be resampled.

use crate::{Error, Result};

mod by_type;
mod means;
mod pair;
mod states;
mod totals;

pub use by_type::{ByType, TypeSums};
pub use means::{Mean, Values};
pub(crate) use pair::Pair;
pub use states::States;
pub use totals::Totals;

/// Units (rows, documents, items) whose statistics can be added up in any number.
///
/// A score is a function of the sum. The sum of a resample is that of its units, each as often as
/// it was drawn, so no score needs to be known here.
///
/// Documents with so many right answers of so many questions, scored by the share of all:
///
/// ```
/// use chunkeval_stats::{Resampling, Result, Units};
///
/// struct Documents(Vec<(u64, u64)>);
///
/// impl Units for Documents {
///     type Sum = (u64, u64);
///
///     fn len(&self) -> usize {
///         self.0.len()
///     }
///
///     fn zero(&self) -> (u64, u64) {
///         (0, 0)
///     }
///
///     fn add(&self, unit: usize, times: u32, (right, asked): &mut (u64, u64)) -> Result<()> {
///         *right += self.0[unit].0 * u64::from(times);
///         *asked += self.0[unit].1 * u64::from(times);
///         Ok(())
///     }
/// }
///
/// let documents = Documents(vec![(9, 10), (1, 2), (3, 3), (7, 15)]);
/// let share = |&(right, asked): &(u64, u64)| (asked > 0).then(|| right as f64 / asked as f64);
/// let interval = Resampling::new(1000).interval(&documents, share)?;
/// assert_eq!(interval.point, 20.0 / 30.0);
/// assert!(interval.low < interval.point && interval.point < interval.high);
/// # Ok::<(), chunkeval_stats::Error>(())
/// ```
pub trait Units: Sync {
    /// What the statistics of units add up to.
    type Sum: Clone + Send;

    /// How many units there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of no unit.
    fn zero(&self) -> Self::Sum;

    /// Adds a unit so many times. Into one sum at most 2³² units are added, repeats counted.
    ///
    /// # Errors
    /// The sum overflows.
    fn add(&self, unit: usize, times: u32, sum: &mut Self::Sum) -> Result<()>;

    /// Adds every unit `i` as often as `times[i]` says.
    ///
    /// # Errors
    /// As for [`add`](Units::add).
    fn add_all(&self, times: &[u32], sum: &mut Self::Sum) -> Result<()> {
        let drawn = times.iter().enumerate().filter(|&(_, &times)| times > 0);
        drawn.into_iter().try_for_each(|(unit, &times)| self.add(unit, times, sum))
    }

    /// That these are the units of another system on the same data, as far as can be told.
    ///
    /// # Errors
    /// They are not.
    fn check_pair(&self, other: &Self) -> Result<()> {
        match (self.len(), other.len()) {
            (first, second) if first == second => Ok(()),
            (first, second) => Err(Error::UnitCount { first, second }),
        }
    }
}

/// Calls `each` with the sum of all units but one, for each unit in turn.
///
/// Halves the units again and again, so that each is added log₂ n times and none is ever
/// subtracted, which not every sum can do.
pub(crate) fn leave_one_out<U: Units>(
    units: &U,
    each: &mut impl FnMut(&U::Sum) -> Result<()>,
) -> Result<()> {
    without(units, 0..units.len(), &units.zero(), each)
}

fn without<U: Units>(
    units: &U,
    left_out: std::ops::Range<usize>,
    others: &U::Sum,
    each: &mut impl FnMut(&U::Sum) -> Result<()>,
) -> Result<()> {
    match left_out.len() {
        0 => Ok(()),
        1 => each(others),
        n => {
            let middle = left_out.start + n / 2;
            let halves = [left_out.start..middle, middle..left_out.end];
            for (half, rest) in [(0, 1), (1, 0)] {
                let mut sum = others.clone();
                halves[rest].clone().try_for_each(|unit| units.add(unit, 1, &mut sum))?;
                without(units, halves[half].clone(), &sum, each)?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_is_left_out_once_in_order() {
        for n in 0..9 {
            let values: Vec<f64> = (0..n).map(|i| f64::from(1 << i)).collect();
            let units = Values::new(&values).unwrap();
            let mut sums = Vec::new();
            leave_one_out(&units, &mut |mean: &Mean| {
                sums.push(mean.mean().unwrap_or(0.0) * f64::from(n - 1));
                Ok(())
            })
            .unwrap();
            let whole = f64::from((1 << n) - 1);
            let expected: Vec<f64> = values.iter().map(|v| whole - v).collect();
            assert_eq!(sums.len(), n as usize);
            assert!(sums.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
