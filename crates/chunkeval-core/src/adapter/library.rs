//! [`TensorLibrary`]: how tensors of a library are looked at.

use std::fmt::Debug;

use super::View;
use crate::Result;

/// An element type that tensors of a batch can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ElementType {
    Bool,
    U8,
    U32,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

/// A library of tensors, as far as [`TensorTags`](super::TensorTags) needs it.
///
/// What a library decides its own way is kept out: shapes and types are checked, NaN and ties are
/// judged by [`TensorTags`](super::TensorTags), the same for all.
pub trait TensorLibrary {
    /// Its tensors, of any element type and rank.
    type Tensor: Debug;

    /// The integers that ids can be, for error messages: `u8, i64`.
    const INTEGERS: &'static str;

    /// The floating-point types that logits can be, for error messages.
    const FLOATS: &'static str;

    /// The dimensions, if there are `N`. Allocates nothing.
    fn dims<const N: usize>(tensor: &Self::Tensor) -> Option<[usize; N]>;

    /// The dimensions, for an error message.
    fn shape(tensor: &Self::Tensor) -> Vec<usize>;

    /// The element type.
    ///
    /// # Errors
    /// The library's name of a type that no tensor of a batch can have.
    fn element_type(tensor: &Self::Tensor) -> Result<ElementType, String>;

    /// Whether the elements can be read where they are: whether they lie in the memory of the CPU.
    fn is_near(tensor: &Self::Tensor) -> bool;

    /// Shows the elements to a function: those of a tensor that is near where they are, others in
    /// a copy.
    ///
    /// # Errors
    /// What the function returns, or the elements cannot be copied; the error calls the tensor
    /// `what`.
    fn read<R>(
        what: &'static str,
        tensor: &Self::Tensor,
        then: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R>;

    /// Of logits `[rows, width, classes]` that are not near, none of these 0: first for each
    /// position the class of the highest logit, the lowest class if several are equal; then for
    /// each position a number that is NaN if one of its logits is, and may be NaN otherwise.
    /// All of it in one copy from the device.
    ///
    /// # Errors
    /// The device cannot do it.
    fn classes_and_doubts(logits: &Self::Tensor) -> Result<Vec<f32>>;

    /// The logits of one position, for those in doubt.
    ///
    /// # Errors
    /// They cannot be copied.
    fn logits_at(logits: &Self::Tensor, row: usize, column: usize) -> Result<Vec<f64>>;
}

impl ElementType {
    /// As in `f32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::U32 => "u32",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Whether ids can be of this type.
    pub(super) fn is_integer(self) -> bool {
        matches!(self, Self::U8 | Self::U32 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether logits can be of this type.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }
}
