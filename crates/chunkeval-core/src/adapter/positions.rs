//! What says which positions of a batch count, and what is predicted there.

use super::classes::DeviceClasses;
use super::{Predict, TensorLibrary};
use crate::{Result, WordIds};

/// Which positions count.
#[derive(Debug)]
pub(super) enum Positions<'t, T> {
    All,
    Lengths(&'t T),
    Mask(&'t T),
    Words(&'t WordIds),
}

/// What the predictions are.
#[derive(Debug)]
pub(super) enum Predicted<'t, T> {
    Logits(&'t T),
    Ids(&'t T),
}

impl<T> Predicted<'_, T> {
    /// Shows what is predicted; shapes and types were checked before.
    pub(super) fn show<L: TensorLibrary<Tensor = T>, R>(
        self,
        then: impl FnOnce(&dyn Predict) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Ids(ids) => {
                let what = "predicted ids";
                L::read(what, ids, |view| view.ids(what, then))
            }
            Self::Logits(logits) if L::is_near(logits) => {
                let what = "logits";
                L::read(what, logits, |view| view.logits(what, then))
            }
            Self::Logits(logits) => {
                let shape = L::dims(logits).unwrap_or_default();
                then(&DeviceClasses::<L>::find(logits, shape)?)
            }
        }
    }
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
