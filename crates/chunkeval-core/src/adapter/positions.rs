//! Which tensors say which positions of a batch count.

/// Which positions count.
#[derive(Debug)]
pub(super) enum Positions<'t, T> {
    All,
    Lengths(&'t T),
    Mask(&'t T),
}

/// What the predictions are.
#[derive(Debug)]
pub(super) enum Predicted<'t, T> {
    Logits(&'t T),
    Ids(&'t T),
}

// Not derived: that would ask tensors to be copied.
impl<T> Clone for Positions<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Positions<'_, T> {}

impl<T> Clone for Predicted<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Predicted<'_, T> {}
