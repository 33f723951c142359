//! candle tensors as batches for the metrics of [`chunkeval_core`].
//!
//! Hand over the tensors a training loop already has; [`CandleTags`] shows them to any metric of
//! the [`Tagging`](chunkeval_core::Tagging) task.
//!
//! ```
//! use candle_core::{Device, Tensor};
//! use chunkeval_candle::CandleTags;
//! use chunkeval_core::{ChunkEvaluator, Metric, Source, TagBuffer};
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
//! let mut buffer = TagBuffer::default(); // one for the whole run
//!
//! let device = Device::Cpu;
//! let logits = Tensor::new(&[
//!     [[0f32, 3., 1.], [0., 1., 2.], [5., 0., 0.]], // B-PER I-PER O
//!     [[0f32, 2., 2.], [9., 0., 0.], [0., 7., 0.]], // B-PER (a tie) O, then padding
//! ], &device)?;
//! let labels = Tensor::new(&[[1i64, 2, 0], [0, 0, -100]], &device)?;
//! let lengths = Tensor::new(&[3u32, 2], &device)?;
//!
//! let tags = CandleTags::logits(&logits, &labels).lengths(&lengths).ignore_index(-100);
//! metric.update(tags.load(&mut buffer)?)?;
//!
//! let report = metric.accumulate();
//! assert_eq!((report.overall.precision, report.overall.recall), (0.5, 1.0));
//! assert_eq!(report.diagnostics.tokens, 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tensors
//! | tensor | shape | element type |
//! |---|---|---|
//! | logits | `[batch, tokens, classes]` | `f16`, `bf16`, `f32`, `f64` |
//! | or predicted ids | `[batch, tokens]` | `u8`, `u32`, `i16`, `i32`, `i64` |
//! | labels | `[batch, tokens]` | the same integers |
//! | lengths, if given | `[batch]` | the same integers |
//! | or a mask | `[batch, tokens]`, not 0 = counts | the same integers |
//!
//! - Any strides, and any mixture of devices. `batch` and `tokens` may be 0: such a batch holds no
//!   token. Without classes there is no prediction: an error, unless there is no token either.
//! - A mask of floating-point numbers is refused: in some models 0 stands for "counts" there, and
//!   in others for the opposite.
//! - Shapes and element types are checked before anything is read; an error prints both shapes. A
//!   length below 0 or beyond `tokens` is an error that names the row.
//! - Where tokens are pieces of words, word ids stand on the host:
//!   [`CandleTags::words`] with labels by piece, [`CandleWords`] with gold tags by word.
//! - Predicted ids outside the label list, labels outside it, and classes that are not as many as
//!   the labels are the metric's to judge.
//!
//! # Ties and NaN
//! The highest logit wins; of several equal ones, that of the lowest class. A NaN among the logits
//! of a position that counts is an error with its row and column; elsewhere, in padding or where
//! the label is ignored, it does not matter. Infinities are numbers like any others. All of this
//! holds on every device, where candle's own arg-max follows other rules.
//! The path for devices is tested on CPU tensors; it has not run on a GPU yet.
//!
//! # What an update costs
//! **On the CPU** all tensors are read where they are, whatever their strides: nothing is copied
//! but the ids that count. Once the [`TagBuffer`](chunkeval_core::TagBuffer) has seen the largest
//! batch, nothing is allocated. The bench `argmax` measures this beside candle's `argmax`.
//!
//! **On a GPU** (features `cuda` and `metal`, which forward to candle's) the classes are found on
//! the device. The transfers of one update are at most:
//!
//! | what | direction | bytes |
//! |---|---|---|
//! | classes and sums of logits | from the device, one copy | 8 · `batch` · `tokens` |
//! | predicted ids, instead of logits | from the device, one copy | their own |
//! | labels; lengths or mask | from the device, one copy each | their own |
//! | numbers that mark the classes | to the device, one copy | 4 · `classes` |
//! | logits of a position that counts and whose sum is NaN | from the device | those of the position |
//!
//! The sum of a position's logits is NaN if one of them is; only if it is, and it may be only that
//! infinities cancelled out, are the logits themselves looked at. Tensors already in the memory of
//! the CPU (labels often are) are not transferred. Temporary tensors on the device take about 5
//! bytes for each logit.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod library;
mod tags;

pub use tags::{CandleTags, CandleWords};
