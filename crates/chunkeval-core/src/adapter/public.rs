//! The public types of an adapter.

/// Makes the public type of an adapter: a [`TensorTags`](crate::adapter::TensorTags) of a library
/// with the tensors' own type in its signatures. The implementation of
/// [`TensorLibrary`](crate::adapter::TensorLibrary) behind it can stay private.
///
/// ```text
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
            /// Takes the place of a mask or word ids.
            pub fn lengths(self, lengths: &'t $tensor) -> Self {
                Self(self.0.lengths(lengths))
            }

            /// Only positions where the mask is not 0 count: integers `[batch, tokens]`. Takes the
            /// place of lengths or word ids.
            pub fn mask(self, mask: &'t $tensor) -> Self {
                Self(self.0.mask(mask))
            }

            /// The tokens are pieces of words, and words are counted: only tokens of words count,
            /// and which of a word's labels and predictions is its tag, say the word ids. Takes the
            /// place of lengths or a mask.
            pub fn words(self, words: &'t $crate::WordIds) -> Self {
                Self(self.0.words(words))
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

/// Makes the public type of an adapter for gold by word: a
/// [`TensorWords`](crate::adapter::TensorWords), as [`tensor_tags`](crate::adapter::tensor_tags)
/// makes one of [`TensorTags`](crate::adapter::TensorTags).
#[doc(hidden)]
#[macro_export]
macro_rules! __tensor_words {
    ($(#[$attribute:meta])* pub struct $name:ident($library:ty) of $tensor:ty;) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[must_use]
        pub struct $name<'t, G>($crate::adapter::TensorWords<'t, $library, G>);

        impl<'t, G> $name<'t, G> {
            /// Logits `[batch, tokens, classes]`, with word ids for each row. The class of the
            /// highest logit is the prediction, the lowest class if several are equal.
            pub fn logits(logits: &'t $tensor, gold: &'t [G], words: &'t $crate::WordIds) -> Self {
                Self($crate::adapter::TensorWords::logits(logits, gold, words))
            }

            /// Predicted ids `[batch, tokens]`, with word ids for each row.
            pub fn ids(ids: &'t $tensor, gold: &'t [G], words: &'t $crate::WordIds) -> Self {
                Self($crate::adapter::TensorWords::ids(ids, gold, words))
            }

            /// Words whose gold id is this do not count; they do not split a chunk.
            pub fn ignore_index(self, ignore_index: i64) -> Self {
                Self(self.0.ignore_index(ignore_index))
            }
        }

        // Not derived: that would ask gold to be copied.
        impl<G> Clone for $name<'_, G> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<G> Copy for $name<'_, G> {}

        impl<G, I> $crate::Source<$crate::Tagging> for $name<'_, G>
        where
            G: std::ops::Deref<Target = [I]>,
            I: $crate::adapter::TagId,
        {
            fn load<'b>(
                &'b self,
                buffer: &'b mut $crate::TagBuffer,
            ) -> $crate::Result<$crate::TagBatch<'b>> {
                self.0.load(buffer)
            }
        }
    };
}
pub use __tensor_words;
