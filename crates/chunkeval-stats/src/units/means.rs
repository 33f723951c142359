//! [`Values`]: a number for each unit, scored by its mean.

use crate::{Error, Result, Units};

/// A number for each unit, such as 1 for a right answer and 0 for a wrong one, or a score of each
/// sentence. The score is the mean.
///
/// ```
/// use chunkeval_stats::{Mean, Resampling, Values};
///
/// let right = Values::new(&[1.0, 1.0, 0.0, 1.0])?;
/// let accuracy = Resampling::new(1000).interval(&right, Mean::mean)?;
/// assert_eq!(accuracy.point, 0.75);
/// # Ok::<(), chunkeval_stats::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Values(Vec<f64>);

/// The sum of numbers, and how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    count: u64,
}

impl Values {
    /// Numbers, one for each unit.
    ///
    /// # Errors
    /// One of them is not finite.
    pub fn new(values: &[f64]) -> Result<Self> {
        match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            None => Ok(Self(values.to_vec())),
            Some((index, &value)) => Err(Error::Value { index, value, expected: "finite number" }),
        }
    }
}

impl Mean {
    /// The mean; `None` of nothing.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Units for Values {
    type Sum = Mean;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn zero(&self) -> Mean {
        Mean::default()
    }

    fn add(&self, unit: usize, times: u32, sum: &mut Mean) -> Result<()> {
        if let Some(value) = self.0.get(unit) {
            sum.sum += f64::from(times) * value;
            sum.count += u64::from(times);
        }
        Ok(())
    }
}
