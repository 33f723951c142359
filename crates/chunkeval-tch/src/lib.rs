//! tch tensors as batches for the metrics of [`chunkeval_core`].
//!
//! Hand over the tensors a training loop already has; [`TchTags`] shows them to any metric of the
//! [`Tagging`](chunkeval_core::Tagging) task.
//!
//! ```
//! use chunkeval_core::{ChunkEvaluator, Metric, Source, TagBuffer};
//! use chunkeval_tch::TchTags;
//! use tch::Tensor;
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
//! let mut buffer = TagBuffer::default(); // one for the whole run
//!
//! let logits = Tensor::from_slice(&[
//!     0f32, 3., 1., /**/ 0., 1., 2., /**/ 5., 0., 0., // B-PER I-PER O
//!     0f32, 2., 2., /**/ 9., 0., 0., /**/ 0., 7., 0., // B-PER (a tie) O, then padding
//! ]).view([2, 3, 3]);
//! let labels = Tensor::from_slice(&[1i64, 2, 0, /* row 1 */ 0, 0, -100]).view([2, 3]);
//! let lengths = Tensor::from_slice(&[3i64, 2]);
//!
//! let tags = TchTags::logits(&logits, &labels).lengths(&lengths).ignore_index(-100);
//! metric.update(tags.load(&mut buffer)?)?;
//!
//! let report = metric.accumulate();
//! assert_eq!((report.overall.precision, report.overall.recall), (0.5, 1.0));
//! assert_eq!(report.diagnostics.tokens, 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # libtorch
//! Crate tch links to libtorch 2.13.0. `cargo xtask libtorch` puts one for the CPU under `target/`
//! and prints the two variables that show it to builds and programs (`LIBTORCH`,
//! `LD_LIBRARY_PATH`); one that you have is found by the same variables. The feature `doc-only`
//! checks and documents without any.
//!
//! # Tensors
//! | tensor | shape | element type |
//! |---|---|---|
//! | logits | `[batch, tokens, classes]` | `f16`, `bf16`, `f32`, `f64` |
//! | or predicted ids | `[batch, tokens]` | `u8`, `i16`, `i32`, `i64` |
//! | labels | `[batch, tokens]` | the same integers |
//! | lengths, if given | `[batch]` | the same integers |
//! | or a mask | `[batch, tokens]`, not 0 = counts | the same integers, `bool` |
//!
//! - Any strides, any mixture of devices, with or without `requires_grad`. `batch` and `tokens` may
//!   be 0: such a batch holds no token. Without classes there is no prediction: an error, unless
//!   there is no token either.
//! - A mask of floating-point numbers is refused: in some models 0 stands for "counts" there, and
//!   in others for the opposite.
//! - Shapes and element types are checked before anything is read; an error prints both shapes. A
//!   length below 0 or beyond `tokens` is an error that names the row. What libtorch itself cannot
//!   do is an error too: none of its exceptions ends the program.
//! - Where tokens are pieces of words, word ids stand on the host: [`TchTags::words`] with labels
//!   by piece, [`TchWords`] with gold tags by word.
//! - Predicted ids outside the label list, labels outside it, and classes that are not as many as
//!   the labels are the metric's to judge.
//!
//! # Ties and NaN
//! The highest logit wins; of several equal ones, that of the lowest class. A NaN among the logits
//! of a position that counts is an error with its row and column; elsewhere, in padding or where
//! the label is ignored, it does not matter. Infinities are numbers like any others. All of this
//! holds on every device and in every back end of chunkeval; libtorch's own arg-max takes a NaN
//! for the maximum.
//! The path for devices is tested on CPU tensors; it has not run on a GPU yet.
//!
//! # What an update costs
//! **On the CPU** all tensors are read where they are, whatever their strides: nothing is copied
//! but the ids that count. Once the [`TagBuffer`](chunkeval_core::TagBuffer) has seen the largest
//! batch, nothing is allocated. Tensors without memory of the usual kind (sparse ones, lazily
//! negated ones) are copied first. The bench `argmax` measures this beside libtorch's `argmax`.
//!
//! **On a GPU** the classes are found on the device. The transfers of one update are at most:
//!
//! | what | direction | bytes |
//! |---|---|---|
//! | classes and highest logits | from the device, one copy | 8 · `batch` · `tokens` |
//! | predicted ids, instead of logits | from the device, one copy | their own |
//! | labels; lengths or mask | from the device, one copy each | their own |
//! | logits of the first position that counts and has a NaN | from the device | those of the position |
//!
//! Tensors already in the memory of the CPU (labels often are) are not transferred.
// `forbid` in all but name: the one exception is the view of a tensor's memory.
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod library;
#[allow(unsafe_code, reason = "libtorch gives a pointer; see the module for why it can be read")]
mod memory;
mod tags;

pub use tags::{TchTags, TchWords};
