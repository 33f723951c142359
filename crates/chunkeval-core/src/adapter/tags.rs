//! [`TensorTags`]: which tensors make a batch, and which of their positions count.

use super::check;
use super::positions::{Positions, Predicted};
use super::view::{Elements, View, with_integers};
use super::{Keep, Predict, RowBuffer, TensorLibrary, assemble, assemble_pieces};
use crate::{Result, Source, TagBatch, TagBuffer, Tagging, WordIds};

/// The tensors of one batch: predictions, gold labels, and what says which positions count.
///
/// The methods are those of the types that [`tensor_tags`](super::tensor_tags) makes; see there
/// and in the crates of the adapters.
#[must_use]
pub struct TensorTags<'t, L: TensorLibrary> {
    predicted: Predicted<'t, L::Tensor>,
    labels: &'t L::Tensor,
    positions: Positions<'t, L::Tensor>,
    ignore_index: Option<i64>,
}

impl<'t, L: TensorLibrary> TensorTags<'t, L> {
    /// Logits `[batch, tokens, classes]` beside gold labels `[batch, tokens]`.
    pub fn logits(logits: &'t L::Tensor, labels: &'t L::Tensor) -> Self {
        Self::new(Predicted::Logits(logits), labels)
    }

    /// Predicted ids `[batch, tokens]` beside gold labels `[batch, tokens]`.
    pub fn ids(ids: &'t L::Tensor, labels: &'t L::Tensor) -> Self {
        Self::new(Predicted::Ids(ids), labels)
    }

    fn new(predicted: Predicted<'t, L::Tensor>, labels: &'t L::Tensor) -> Self {
        Self { predicted, labels, positions: Positions::All, ignore_index: None }
    }

    /// Only the first `lengths[row]` positions of each row count.
    pub fn lengths(self, lengths: &'t L::Tensor) -> Self {
        Self { positions: Positions::Lengths(lengths), ..self }
    }

    /// Only positions where the mask is not 0 count.
    pub fn mask(self, mask: &'t L::Tensor) -> Self {
        Self { positions: Positions::Mask(mask), ..self }
    }

    /// The tokens are pieces of words, and words are counted.
    pub fn words(self, words: &'t WordIds) -> Self {
        Self { positions: Positions::Words(words), ..self }
    }

    /// Positions whose gold label is this do not count.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }

    /// The same tensors, looked at in another way: for tests that run on the CPU what would run on
    /// a device.
    pub fn seen_by<M: TensorLibrary<Tensor = L::Tensor>>(self) -> TensorTags<'t, M> {
        let Self { predicted, labels, positions, ignore_index } = self;
        TensorTags { predicted, labels, positions, ignore_index }
    }

    fn fill<'b>(
        &self,
        predicted: &dyn Predict,
        TagBuffer { rows, lengths }: &'b mut TagBuffer,
    ) -> Result<TagBatch<'b>> {
        match self.positions {
            Positions::All => self.assemble(rows, predicted, Keep::All),
            Positions::Lengths(tensor) => {
                L::read("lengths", tensor, |view| view.lengths("lengths", lengths))?;
                self.assemble(rows, predicted, Keep::Lengths(lengths))
            }
            Positions::Mask(tensor) => L::read("mask", tensor, |view| {
                view.mask("mask", |mask| self.assemble(rows, predicted, mask))
            }),
            Positions::Words(words) => L::read("labels", self.labels, |view: View<'_>| {
                with_integers!("labels", view, data => {
                    let labels = view.grid("labels", data)?;
                    assemble_pieces(rows, labels, predicted, words, self.ignore_index)
                })
            }),
        }
    }

    fn assemble<'b>(
        &self,
        rows: &'b mut RowBuffer,
        predicted: &dyn Predict,
        keep: Keep<'_>,
    ) -> Result<TagBatch<'b>> {
        let what = "labels";
        L::read(what, self.labels, |view: View<'_>| {
            with_integers!(what, view, data => {
                assemble(rows, view.grid(what, data)?, predicted, keep, self.ignore_index)
            })
        })
    }
}

impl<L: TensorLibrary> Source<Tagging> for TensorTags<'_, L> {
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        check::tensors::<L>(self.predicted, self.labels, self.positions)?;
        self.predicted.show::<L, _>(|predicted| self.fill(predicted, buffer))
    }
}

// Not derived: that would ask libraries and tensors to be copied.
impl<L: TensorLibrary> Clone for TensorTags<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: TensorLibrary> Copy for TensorTags<'_, L> {}

impl<L: TensorLibrary> std::fmt::Debug for TensorTags<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TensorTags")
            .field("predicted", &self.predicted)
            .field("labels", &self.labels)
            .field("positions", &self.positions)
            .field("ignore_index", &self.ignore_index)
            .finish()
    }
}
