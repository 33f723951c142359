//! Shapes and element types, checked before anything is read, moved or computed.

use candle_core::{DType, Tensor};
use chunkeval_core::{Error, ErrorKind, Result, WordIds};

use crate::CandleTags;
use crate::tags::{Positions, Predicted};

/// That the tensors of a batch fit each other.
pub(crate) fn tensors(tags: &CandleTags<'_>) -> Result<()> {
    let labels = tags.labels;
    match tags.predicted {
        Predicted::Logits(logits) => {
            if logits.rank() != 3 {
                return misfit("logits", logits, "[batch, tokens, classes] of labels", labels);
            }
            if labels.dims() != &logits.dims()[..2] {
                return misfit("labels", labels, "[batch, tokens] of logits", logits);
            }
            floats("logits", logits)?;
        }
        Predicted::Ids(ids) => {
            if ids.rank() != 2 {
                return misfit("predicted ids", ids, "[batch, tokens] of labels", labels);
            }
            if labels.dims() != ids.dims() {
                return misfit("labels", labels, "[batch, tokens] of predicted ids", ids);
            }
            integers("predicted ids", ids)?;
        }
    }
    integers("labels", labels)?;
    match tags.positions {
        // The core checks word ids.
        Positions::All | Positions::Words(_) => Ok(()),
        Positions::Lengths(lengths) if lengths.dims() != &labels.dims()[..1] => {
            misfit("lengths", lengths, "[batch] of labels", labels)
        }
        Positions::Lengths(lengths) => integers("lengths", lengths),
        Positions::Mask(mask) if mask.dims() != labels.dims() => {
            misfit("mask", mask, "[batch, tokens] of labels", labels)
        }
        Positions::Mask(mask) => integers("mask", mask),
    }
}

/// That predictions have a row for each row of word ids.
pub(crate) fn predicted_words(predicted: Predicted<'_>, words: &WordIds) -> Result<()> {
    let (what, against, tensor, rank) = match predicted {
        Predicted::Logits(logits) => ("logits", "[batch, tokens, classes] of word ids", logits, 3),
        Predicted::Ids(ids) => ("predicted ids", "[batch, tokens] of word ids", ids, 2),
    };
    let dims = tensor.dims();
    // Without rows nothing says how wide they would be.
    let fits = dims.first() == Some(&words.len())
        && (words.is_empty() || dims.get(1) == Some(&words.width()));
    if dims.len() != rank || !fits {
        let (found, expected) = (dims.to_vec(), vec![words.len(), words.width()]);
        return Err(ErrorKind::Shape { what, found, against, expected }.into());
    }
    match predicted {
        Predicted::Logits(_) => floats(what, tensor),
        Predicted::Ids(_) => integers(what, tensor),
    }
}

fn misfit(what: &'static str, found: &Tensor, against: &'static str, to: &Tensor) -> Result<()> {
    let (found, expected) = (found.dims().to_vec(), to.dims().to_vec());
    Err(ErrorKind::Shape { what, found, against, expected }.into())
}

fn integers(what: &'static str, tensor: &Tensor) -> Result<()> {
    match tensor.dtype() {
        DType::U8 | DType::U32 | DType::I16 | DType::I32 | DType::I64 => Ok(()),
        other => Err(not_integers(what, other)),
    }
}

fn floats(what: &'static str, tensor: &Tensor) -> Result<()> {
    match tensor.dtype() {
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => Ok(()),
        other => Err(not_floats(what, other)),
    }
}

pub(crate) fn not_integers(what: &'static str, found: DType) -> Error {
    dtype(what, found, "u8, u32, i16, i32, i64")
}

pub(crate) fn not_floats(what: &'static str, found: DType) -> Error {
    dtype(what, found, "f16, bf16, f32, f64")
}

fn dtype(what: &'static str, found: DType, expected: &'static str) -> Error {
    ErrorKind::Dtype { what, found: found.as_str().to_owned(), expected }.into()
}
