//! What a batch looks like, and how data of any library becomes one.

use std::ops::Range;

use crate::{Metric, Result};

/// A kind of evaluation. It names what one batch looks like, so that a metric can take borrowed
/// batches and still be used as a trait object.
pub trait Task: 'static {
    /// Borrowed view of one batch. Cheap to copy.
    type Batch<'a>: Batch;
    /// Memory a [`Source`] fills and uses again from step to step.
    type Buffer: Default + Send;
}

/// The batch type of a metric.
pub type BatchOf<'a, M> = <<M as Metric>::Task as Task>::Batch<'a>;

/// Rows that can be counted and cut.
pub trait Batch: Copy + Send + Sync {
    /// The number of rows.
    fn len(self) -> usize;

    /// Whether there are no rows.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// How much work the rows are, in a unit of the task's own, such as tokens. Work is shared out
    /// by it; it is the number of rows, if a task does not say.
    fn cost(self) -> usize {
        self.len()
    }

    /// The rows of a range; what lies beyond the last row is left out.
    #[must_use]
    fn rows(self, rows: Range<usize>) -> Self;
}

/// Anything that can show itself as a batch of task `T`: tensors, slices, rows of vectors.
///
/// `load` borrows where it can and fills `buffer` where it must (device memory, padding, another
/// integer type). Keep one buffer for a whole run: after the first steps nothing is allocated.
pub trait Source<T: Task> {
    /// This data as a batch.
    ///
    /// # Errors
    /// Shapes, lengths or element types do not fit each other.
    fn load<'b>(&'b self, buffer: &'b mut T::Buffer) -> Result<T::Batch<'b>>;
}
