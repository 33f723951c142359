//! A [`Sink`](chunkeval_core::Sink) that writes TensorBoard event files: scalars, texts,
//! hyper-parameters and chart layouts, safe against full disks, kills and restarts.
//!
//! ```
//! use chunkeval_core::Sink;
//! use chunkeval_tensorboard::{HParams, Layout, Outcome, TensorBoard};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let logdir = folder.path().join("runs/waybill");
//! let mut board = TensorBoard::create(&logdir)?; // or TensorBoard::resume(&logdir, 301)?
//! board.hparams(
//!     &HParams::new().with("learning_rate", 1e-3).with("crf", true),
//!     ["test/precision", "test/recall", "test/f1"],
//! )?;
//! board.layout(&Layout::new().split("dev", ["PER", "LOC"]))?;
//!
//! for step in [100, 200] {
//!     board.scalar("dev/precision", step, 0.8)?;
//!     board.scalar("dev/recall", step, 0.7)?;
//!     board.scalar("dev/f1", step, 0.747)?;
//!     board.scalar("dev/per_type/PER/f1", step, 0.75)?;
//!     board.text("dev/report", step, "| type | F1 |\n|---|---|\n| PER | 0.75 |")?;
//!     board.flush()?;
//! }
//! board.scalar("test/f1", 200, 0.74)?;
//! board.finish(Outcome::Success)?;
//! # Ok::<(), chunkeval_core::Error>(())
//! ```
//!
//! Look at it with `tensorboard --logdir runs`. The Scalars and Time Series pages group tags by
//! what stands before the first slash, twelve charts a page; with many entity types the Custom
//! Scalars page is the better one: [`Layout::split`] puts precision, recall and F1 of a split into
//! one chart, and the F1 of all its types into another.
//!
//! # What is on disk
//!
//! Events are gathered in memory, up to 64 KiB, and handed to the operating system in whole
//! chunks. At every moment the file holds **a prefix of the accepted events**, the last of which
//! may be cut anywhere; TensorBoard reads up to the cut.
//!
//! | after | the file holds |
//! |---|---|
//! | [`create`](TensorBoard::create), [`resume`](TensorBoard::resume) | the file-version event, and the session starts of a continued run |
//! | [`flush`](chunkeval_core::Sink::flush), [`close`](TensorBoard::close), [`finish`](TensorBoard::finish) gave `Ok` | everything; the writer stays open after a flush, readers may come |
//! | drop | everything, unless the file fails, which nobody hears of then |
//! | the process is killed, aborts or exits without drop | all of the last flush, perhaps more |
//! | the machine loses power | what the operating system had written by itself: nothing here waits for the disk |
//!
//! # When the file fails
//!
//! A full disk or a folder that cannot be written is an `Err` with the path, never a panic, and
//! the writer stays usable. An event whose call gave `Ok` is kept and tried again with the next
//! flush, from the very byte where the last attempt stopped ([`Records`]), so nothing is torn in
//! the middle and a disk that has room again gets everything in order. An event whose call gave
//! `Err` is not part of the file. Memory stays bounded: once 64 KiB wait, new events are refused.
//!
//! # Values, steps and tags
//!
//! - A value is rounded once to the 32 bits that TensorBoard's scalars have. NaN and infinities
//!   are written as such: TensorBoard leaves a gap at a NaN and marks infinities. A finite value
//!   that would become infinite is an error. Undefined scores never get here: the logger leaves
//!   them out.
//! - A step has 63 bits; a greater one is an error. The steps of a tag should not go back: the
//!   default loader takes that for a restart and drops what was at that step or later.
//! - TensorBoard's loaders take any tag. These are refused here, with the tag in the error, for
//!   what its pages make of them (seen in TensorBoard 2.21):
//!
//! | refused | because |
//! |---|---|
//! | the empty tag, a leading `/` | the group of charts has no name |
//! | white space at either end, control and invisible characters, byte-order marks | two tags look the same, break lines or are drawn backwards |
//! | `_hparams_/…`, `custom_scalars__config__`, `__run_graph__` | plugins take them for their own data and ignore what they really need |
//! | one tag for scalars and texts | the default loader loses points of it, the other one answers with an error instead of the page |
//!
//! Everything else is fine: other languages, spaces inside, punctuation, `a//b`.
//!
//! # Restarts
//!
//! [`TensorBoard::resume`] says from which step on the earlier points of a run are void. One run
//! is one folder: several writers in one folder never harm each other's files, but TensorBoard
//! joins them into one run, and its loader behind `--load_fast=false` no longer looks at a file
//! when there is a newer one.
//!
//! # Built on
//!
//! `tensorboard-rs`'s record framing and `tensorboard-proto`'s messages. Its `SummaryWriter` is not
//! used: it panics when a write fails, gives two writers of one second the same file, and has no
//! texts. A point costs the caller less than there, allocates nothing, and needs no thread and no
//! queue that grows (`cargo bench -p chunkeval-tensorboard`).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod board;
mod event;
mod file;
mod hparams;
mod layout;
mod options;
mod records;
mod tags;

pub use board::TensorBoard;
pub use hparams::{HParam, HParams, Outcome};
pub use layout::{Chart, Layout};
pub use options::Options;
pub use records::Records;
