//! [`TensorWords`]: gold tags by word beside predictions by piece.

use std::ops::Deref;

use super::positions::Predicted;
use super::{TagId, TensorLibrary, assemble_words, check};
use crate::{Result, Source, TagBatch, TagBuffer, Tagging, WordIds};

/// Gold tag ids by word, on the host, beside predictions for the pieces of the words.
///
/// The methods are those of the types that [`tensor_words`](super::tensor_words) makes; see there
/// and in the crates of the adapters.
#[must_use]
pub struct TensorWords<'t, L: TensorLibrary, G> {
    predicted: Predicted<'t, L::Tensor>,
    gold: &'t [G],
    words: &'t WordIds,
    ignore_index: Option<i64>,
}

impl<'t, L: TensorLibrary, G> TensorWords<'t, L, G> {
    /// Logits `[batch, tokens, classes]`, with word ids for each row.
    pub fn logits(logits: &'t L::Tensor, gold: &'t [G], words: &'t WordIds) -> Self {
        Self { predicted: Predicted::Logits(logits), gold, words, ignore_index: None }
    }

    /// Predicted ids `[batch, tokens]`, with word ids for each row.
    pub fn ids(ids: &'t L::Tensor, gold: &'t [G], words: &'t WordIds) -> Self {
        Self { predicted: Predicted::Ids(ids), gold, words, ignore_index: None }
    }

    /// Words whose gold id is this do not count.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }

    /// The same tensors, looked at in another way; see
    /// [`TensorTags::seen_by`](super::TensorTags::seen_by).
    pub fn seen_by<M: TensorLibrary<Tensor = L::Tensor>>(self) -> TensorWords<'t, M, G> {
        let Self { predicted, gold, words, ignore_index } = self;
        TensorWords { predicted, gold, words, ignore_index }
    }
}

impl<L, G, I> Source<Tagging> for TensorWords<'_, L, G>
where
    L: TensorLibrary,
    G: Deref<Target = [I]>,
    I: TagId,
{
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        check::predicted_words::<L>(self.predicted, self.words)?;
        let rows = &mut buffer.rows;
        self.predicted.show::<L, _>(|predicted| {
            assemble_words(rows, self.gold, predicted, self.words, self.ignore_index)
        })
    }
}

// Not derived: that would ask libraries, tensors and gold to be copied.
impl<L: TensorLibrary, G> Clone for TensorWords<'_, L, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: TensorLibrary, G> Copy for TensorWords<'_, L, G> {}

impl<L: TensorLibrary, G> std::fmt::Debug for TensorWords<'_, L, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TensorWords")
            .field("predicted", &self.predicted)
            .field("documents", &self.gold.len())
            .field("words", &self.words)
            .field("ignore_index", &self.ignore_index)
            .finish()
    }
}
