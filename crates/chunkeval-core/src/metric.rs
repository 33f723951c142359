//! The [`Metric`] trait: four verbs, and the laws they keep.

use crate::{BatchOf, Result, Task};

/// A streaming metric: feed it batches, read its value whenever you like.
///
/// # Laws
/// 1. **Reset forgets.** After [`reset`](Metric::reset) a metric is as it was when it was built.
/// 2. **Batches are an accident.** The value depends on the rows seen, not on how they were cut
///    into batches: one `update` with all rows equals many with some each.
/// 3. **All or nothing.** An [`update`](Metric::update) that fails has changed nothing.
/// 4. **Reading is free.** [`accumulate`](Metric::accumulate) changes nothing; call it in the
///    middle of a stream as often as you like.
///
/// A metric whose state can also be merged, saved and split over threads implements
/// [`Mergeable`](crate::Mergeable) as well.
///
/// # A metric of your own
/// ```
/// use chunkeval_core::{Metric, Result, TagBatch, Tagging};
///
/// #[derive(Default)]
/// struct TokenAccuracy { equal: u64, tokens: u64 }
///
/// impl Metric for TokenAccuracy {
///     type Task = Tagging;
///     type Output = Option<f64>;
///
///     fn name(&self) -> Vec<&str> { vec!["token_accuracy"] }
///     fn reset(&mut self) { *self = Self::default(); }
///     fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
///         for (gold, predicted) in batch.iter_rows() {
///             self.equal += gold.iter().zip(predicted).filter(|(g, p)| g == p).count() as u64;
///             self.tokens += gold.len() as u64;
///         }
///         Ok(())
///     }
///     fn accumulate(&self) -> Option<f64> {
///         (self.tokens > 0).then(|| self.equal as f64 / self.tokens as f64)
///     }
/// }
///
/// let mut accuracy = TokenAccuracy::default();
/// assert_eq!(accuracy.accumulate(), None);
/// accuracy.update(TagBatch::new(&[0, 1, 2, 0], &[0, 1, 1, 0], &[3, 4])?)?;
/// assert_eq!(accuracy.accumulate(), Some(3.0 / 4.0));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
pub trait Metric {
    /// What one batch looks like, for example [`Tagging`](crate::Tagging).
    type Task: Task;
    /// The value, for example [`ChunkReport`](crate::ChunkReport).
    type Output;

    /// The names of the scalars this metric reports, in order, for example
    /// `precision, recall, f1`.
    fn name(&self) -> Vec<&str>;

    /// Forgets everything seen.
    fn reset(&mut self);

    /// Adds one batch.
    ///
    /// # Errors
    /// The batch does not fit the metric; the metric is then exactly as it was before the call.
    fn update(&mut self, batch: BatchOf<'_, Self>) -> Result<()>;

    /// The value over everything seen since the last reset.
    fn accumulate(&self) -> Self::Output;
}
