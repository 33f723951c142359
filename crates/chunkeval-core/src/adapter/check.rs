//! Shapes and element types, checked before anything is read, moved or computed.

use super::positions::{Positions, Predicted};
use super::{ElementType, TensorLibrary};
use crate::{Error, ErrorKind, Result, WordIds};

/// That the tensors of a batch fit each other.
pub(super) fn tensors<L: TensorLibrary>(
    predicted: Predicted<'_, L::Tensor>,
    labels: &L::Tensor,
    positions: Positions<'_, L::Tensor>,
) -> Result<()> {
    let shape = match predicted {
        Predicted::Logits(logits) => {
            let Some([rows, width, _]) = L::dims(logits) else {
                return misfit::<L>("logits", logits, "[batch, tokens, classes] of labels", labels);
            };
            if L::dims(labels) != Some([rows, width]) {
                return misfit::<L>("labels", labels, "[batch, tokens] of logits", logits);
            }
            of_type::<L>("logits", logits, ElementType::is_float, L::FLOATS)?;
            [rows, width]
        }
        Predicted::Ids(ids) => {
            let Some(shape) = L::dims::<2>(ids) else {
                return misfit::<L>("predicted ids", ids, "[batch, tokens] of labels", labels);
            };
            if L::dims(labels) != Some(shape) {
                return misfit::<L>("labels", labels, "[batch, tokens] of predicted ids", ids);
            }
            integers::<L>("predicted ids", ids)?;
            shape
        }
    };
    integers::<L>("labels", labels)?;
    match positions {
        // The core's own sources check word ids too.
        Positions::All | Positions::Words(_) => Ok(()),
        Positions::Lengths(lengths) if L::dims(lengths) != Some([shape[0]]) => {
            misfit::<L>("lengths", lengths, "[batch] of labels", labels)
        }
        Positions::Lengths(lengths) => integers::<L>("lengths", lengths),
        Positions::Mask(mask) if L::dims(mask) != Some(shape) => {
            misfit::<L>("mask", mask, "[batch, tokens] of labels", labels)
        }
        Positions::Mask(mask) if L::element_type(mask) == Ok(ElementType::Bool) => Ok(()),
        Positions::Mask(mask) => integers::<L>("mask", mask),
    }
}

/// That predictions fit the word ids.
pub(super) fn predicted_words<L: TensorLibrary>(
    predicted: Predicted<'_, L::Tensor>,
    words: &WordIds,
) -> Result<()> {
    let (what, against, tensor, shape) = match predicted {
        Predicted::Logits(logits) => {
            let shape = L::dims(logits).map(|[rows, width, _]| [rows, width]);
            ("logits", "[batch, tokens, classes] of word ids", logits, shape)
        }
        Predicted::Ids(ids) => {
            ("predicted ids", "[batch, tokens] of word ids", ids, L::dims::<2>(ids))
        }
    };
    // Without rows nothing says how wide they would be.
    let fits = |[rows, width]: [usize; 2]| {
        rows == words.len() && (words.is_empty() || width == words.width())
    };
    if !shape.is_some_and(fits) {
        let (found, expected) = (L::shape(tensor), vec![words.len(), words.width()]);
        return Err(ErrorKind::Shape { what, found, against, expected }.into());
    }
    match predicted {
        Predicted::Logits(_) => of_type::<L>(what, tensor, ElementType::is_float, L::FLOATS),
        Predicted::Ids(_) => integers::<L>(what, tensor),
    }
}

fn misfit<L: TensorLibrary>(
    what: &'static str,
    found: &L::Tensor,
    against: &'static str,
    to: &L::Tensor,
) -> Result<()> {
    let (found, expected) = (L::shape(found), L::shape(to));
    Err(ErrorKind::Shape { what, found, against, expected }.into())
}

fn integers<L: TensorLibrary>(what: &'static str, tensor: &L::Tensor) -> Result<()> {
    of_type::<L>(what, tensor, ElementType::is_integer, L::INTEGERS)
}

fn of_type<L: TensorLibrary>(
    what: &'static str,
    tensor: &L::Tensor,
    fits: impl FnOnce(ElementType) -> bool,
    expected: &'static str,
) -> Result<()> {
    let found = match L::element_type(tensor) {
        Ok(found) if fits(found) => return Ok(()),
        Ok(other) => other.name().to_owned(),
        Err(other) => other,
    };
    Err(Error::from(ErrorKind::Dtype { what, found, expected }))
}
