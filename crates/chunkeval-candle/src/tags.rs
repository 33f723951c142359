//! [`CandleTags`]: which tensors make a batch, and which of their positions count.

use candle_core::Tensor;
use chunkeval_core::adapter::{Keep, Predict};
use chunkeval_core::{Result, Source, TagBatch, TagBuffer, Tagging, WordIds};

use crate::device::{DeviceArgmax, fetch};
use crate::{check, host};

/// The tensors of one batch: predictions, gold labels, and what says which positions count.
///
/// See the [crate's page](crate) for shapes, element types and an example. Nothing is read before
/// [`load`](Source::load), and no tensor is changed.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct CandleTags<'t> {
    pub(crate) predicted: Predicted<'t>,
    pub(crate) labels: &'t Tensor,
    pub(crate) positions: Positions<'t>,
    ignore_index: Option<i64>,
}

/// What the predictions are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Predicted<'t> {
    Logits(&'t Tensor),
    Ids(&'t Tensor),
}

/// Which positions count.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Positions<'t> {
    All,
    Lengths(&'t Tensor),
    Mask(&'t Tensor),
    Words(&'t WordIds),
}

impl<'t> CandleTags<'t> {
    /// Logits `[batch, tokens, classes]` beside gold labels `[batch, tokens]`. The class of the
    /// highest logit is the prediction, the lowest class if several are equal.
    pub fn logits(logits: &'t Tensor, labels: &'t Tensor) -> Self {
        Self::new(Predicted::Logits(logits), labels)
    }

    /// Predicted ids `[batch, tokens]`, for example from Viterbi, beside gold labels
    /// `[batch, tokens]`.
    pub fn ids(ids: &'t Tensor, labels: &'t Tensor) -> Self {
        Self::new(Predicted::Ids(ids), labels)
    }

    fn new(predicted: Predicted<'t>, labels: &'t Tensor) -> Self {
        Self { predicted, labels, positions: Positions::All, ignore_index: None }
    }

    /// Only the first `lengths[row]` positions of each row count: integers `[batch]`. Takes the
    /// place of a mask or word ids.
    pub fn lengths(self, lengths: &'t Tensor) -> Self {
        Self { positions: Positions::Lengths(lengths), ..self }
    }

    /// Only positions where the mask is not 0 count: integers `[batch, tokens]`. Takes the place
    /// of lengths or word ids.
    pub fn mask(self, mask: &'t Tensor) -> Self {
        Self { positions: Positions::Mask(mask), ..self }
    }

    /// The tokens are pieces of words, and words are counted: only tokens of words count, and which
    /// of a word's labels and predictions is its tag, say the word ids. Takes the place of lengths
    /// or a mask. For gold tags by word see [`CandleWords`](crate::CandleWords).
    pub fn words(self, words: &'t WordIds) -> Self {
        Self { positions: Positions::Words(words), ..self }
    }

    /// Positions whose gold label is this do not count; they do not split a chunk. -100 is also
    /// found in labels that were stored as `u32`.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }

    /// Loads the batch; `readable` says which tensors can be read where they are.
    pub(crate) fn load_where<'b>(
        &self,
        readable: &dyn Fn(&Tensor) -> bool,
        buffer: &'b mut TagBuffer,
    ) -> Result<TagBatch<'b>> {
        check::tensors(self)?;
        self.predicted.show(readable, |predicted| self.fill(readable, predicted, buffer))
    }

    fn fill<'b>(
        &self,
        readable: &dyn Fn(&Tensor) -> bool,
        predicted: &dyn Predict,
        TagBuffer { rows, lengths }: &'b mut TagBuffer,
    ) -> Result<TagBatch<'b>> {
        let labels = near(readable, "labels", self.labels)?;
        let ignore = self.ignore_index;
        match self.positions {
            Positions::All => host::fill(rows, &labels, predicted, Keep::All, ignore),
            Positions::Lengths(tensor) => {
                host::read_lengths(&near(readable, "lengths", tensor)?, lengths)?;
                host::fill(rows, &labels, predicted, Keep::Lengths(lengths), ignore)
            }
            Positions::Mask(tensor) => {
                let mask = near(readable, "mask", tensor)?;
                host::with_mask(&mask, |mask| host::fill(rows, &labels, predicted, mask, ignore))
            }
            Positions::Words(words) => host::fill_words(rows, &labels, predicted, words, ignore),
        }
    }
}

impl Predicted<'_> {
    /// Shows the predictions; `readable` says which tensors can be read where they are.
    pub(crate) fn show<R>(
        self,
        readable: &dyn Fn(&Tensor) -> bool,
        then: impl FnOnce(&dyn Predict) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Ids(ids) => host::with_ids(&near(readable, "predicted ids", ids)?, then),
            Self::Logits(logits) if readable(logits) => host::with_logits(logits, then),
            Self::Logits(logits) => then(&DeviceArgmax::new(logits)?),
        }
    }
}

/// The tensor itself (another handle to it) if it can be read where it is, otherwise a copy.
fn near(readable: &dyn Fn(&Tensor) -> bool, what: &'static str, tensor: &Tensor) -> Result<Tensor> {
    match readable(tensor) {
        true => Ok(tensor.clone()),
        false => fetch(what, tensor),
    }
}

impl Source<Tagging> for CandleTags<'_> {
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        self.load_where(&|tensor| tensor.device().is_cpu(), buffer)
    }
}
