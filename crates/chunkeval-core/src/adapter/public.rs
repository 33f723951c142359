//! The public type of an adapter.

/// Makes the public type of an adapter: a [`TensorTags`](crate::adapter::TensorTags) of a library
/// with the tensors' own type in its signatures. The implementation of
/// [`TensorLibrary`](crate::adapter::TensorLibrary) behind it can stay private.
///
/// ```ignore
/// tensor_tags! {
///     /// candle tensors as one batch.
///     pub struct CandleTags(Candle) of Tensor;
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __tensor_tags {
    ($(#[$attribute:meta])* pub struct $name:ident($library:ty) of $tensor:ty;) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        #[must_use]
        pub struct $name<'t>($crate::adapter::TensorTags<'t, $library>);

        impl<'t> $name<'t> {
            /// Logits `[batch, tokens, classes]` beside gold labels `[batch, tokens]`. The class
            /// of the highest logit is the prediction, the lowest class if several are equal.
            pub fn logits(logits: &'t $tensor, labels: &'t $tensor) -> Self {
                Self($crate::adapter::TensorTags::logits(logits, labels))
            }

            /// Predicted ids `[batch, tokens]`, for example from Viterbi, beside gold labels
            /// `[batch, tokens]`.
            pub fn ids(ids: &'t $tensor, labels: &'t $tensor) -> Self {
                Self($crate::adapter::TensorTags::ids(ids, labels))
            }

            /// Only the first `lengths[row]` positions of each row count: integers `[batch]`.
            /// Takes the place of a mask.
            pub fn lengths(self, lengths: &'t $tensor) -> Self {
                Self(self.0.lengths(lengths))
            }

            /// Only positions where the mask is not 0 count: integers `[batch, tokens]`. Takes the
            /// place of lengths.
            pub fn mask(self, mask: &'t $tensor) -> Self {
                Self(self.0.mask(mask))
            }

            /// Positions whose gold label is this do not count; they do not split a chunk. -100 is
            /// also found in labels that were stored as `u32`.
            pub fn ignore_index(self, ignore_index: i64) -> Self {
                Self(self.0.ignore_index(ignore_index))
            }
        }

        impl $crate::Source<$crate::Tagging> for $name<'_> {
            fn load<'b>(
                &'b self,
                buffer: &'b mut $crate::TagBuffer,
            ) -> $crate::Result<$crate::TagBatch<'b>> {
                self.0.load(buffer)
            }
        }
    };
}
pub use __tensor_tags;
