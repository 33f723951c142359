//! The core of chunkeval.
// `forbid` in all but name: the one exception is the vector module of the kernel.
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
mod counts;
mod error;
mod evaluator;
mod fingerprint;
mod kernel;
mod logger;
mod mergeable;
mod metric;
mod report;
mod scalars;
mod schedule;
mod sink;
mod source;
mod tagging;
mod tags;
mod task;

pub use counts::{ChunkCounts, Scores, ZeroDivision};
pub use error::{Error, ErrorKind, Place, Result};
pub use evaluator::{ChunkEvaluator, ChunkEvaluatorBuilder, ChunkState, Diagnostics};
pub use fingerprint::Fingerprint;
pub use logger::{Logger, OnFailure};
pub use mergeable::{Mergeable, Snapshot, State};
pub use metric::Metric;
pub use report::{ChunkReport, TypeScores};
pub use scalars::Scalars;
pub use schedule::EveryN;
pub use sink::{JsonLines, Memory, Point, Sink, Tee};
pub use source::{IdRows, PaddedTags, ShortRows, TextRows, argmax};
pub use tagging::{MISSING_PREDICTION, TagBatch, TagBuffer, Tagging};
pub use tags::{Chunk, LabelReading, TagSet, TagStyle};
pub use task::{Batch, BatchOf, Source, Task};
