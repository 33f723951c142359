//! What adapters for tensor libraries have in common.
//!
//! An adapter says in an implementation of [`TensorLibrary`] how its tensors are looked at: shape,
//! element type, the memory behind them as a [`View`], and for tensors of a device the arg-max
//! there. [`tensor_tags`] and [`tensor_words`] make its public types of that. Everything else is
//! here once for all: [`TensorTags`] knows the tensors of a batch, checks that they fit each other,
//! and hands [`Grid`]s of ids and [`Logits`], of any type and strides, to [`assemble`], or to
//! [`assemble_pieces`] where tokens are pieces of words; [`TensorWords`] does so with gold by word
//! and [`assemble_words`].

mod check;
mod classes;
mod library;
mod positions;
mod public;
mod tags;
mod view;
mod words;

pub use crate::source::{
    Grid, Keep, Logit, Logits, Predict, TagId, assemble, assemble_pieces, assemble_words,
};
pub use crate::tagging::RowBuffer;
pub use library::{ElementType, TensorLibrary};
pub use public::{__tensor_tags as tensor_tags, __tensor_words as tensor_words};
pub use tags::TensorTags;
pub use view::{Elements, View};
pub use words::TensorWords;
