//! [`States`]: the states of any mergeable metric.

use chunkeval_core::{Mergeable, State};

use crate::{Result, Units};

/// The state of each unit under any metric of yours or ours; the sum is the merged state.
///
/// This is for metrics that have no units of their own here: merging is slower than adding the
/// counts of [`Totals`](crate::Totals).
///
/// ```
/// use chunkeval_core::{Batch, ChunkEvaluator, Mergeable, TagBatch};
/// use chunkeval_stats::{Resampling, States};
///
/// let metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let batch = TagBatch::new(&[1, 2, 1, 1, 0], &[1, 2, 0, 1, 1], &[2, 3, 5])?;
/// let states: Vec<_> =
///     (0..3).map(|row| metric.measure(batch.rows(row..row + 1))).collect::<Result<_, _>>()?;
///
/// let units = States::new(&metric, &states)?;
/// let recall = |state: &_| metric.finish(state).overall.counts.recall();
/// assert_eq!(Resampling::new(100).interval(&units, recall)?.point, 2.0 / 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct States<'a, S> {
    zero: S,
    units: &'a [S],
}

impl<'a, S: State> States<'a, S> {
    /// The states of units, measured by a metric.
    ///
    /// # Errors
    /// They cannot be merged.
    pub fn new<M: Mergeable<State = S>>(metric: &M, units: &'a [S]) -> Result<Self> {
        let zero = metric.zero();
        let mut sum = zero.clone();
        units.iter().try_for_each(|unit| sum.merge(unit))?;
        Ok(Self { zero, units })
    }
}

impl<S: State> Units for States<'_, S> {
    type Sum = S;

    fn len(&self) -> usize {
        self.units.len()
    }

    fn zero(&self) -> S {
        self.zero.clone()
    }

    fn add(&self, unit: usize, times: u32, sum: &mut S) -> Result<()> {
        if let Some(state) = self.units.get(unit) {
            (0..times).try_for_each(|_| sum.merge(state))?;
        }
        Ok(())
    }
}
