//! What adapters for tensor libraries have in common.
//!
//! An adapter finds the memory behind its tensors and shows it as a [`Grid`] of gold ids and a
//! [`Grid`] of predicted ids or [`Logits`], of any type and strides; [`assemble`] does the rest.
//! What can be seen only on a device is reduced to ids there and copied over first.

pub use crate::source::{Grid, Keep, Logit, Logits, Predict, TagId, assemble};
pub use crate::tagging::RowBuffer;
