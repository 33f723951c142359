//! Skeleton.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub use chunkeval_core::{
    Batch, BatchOf, Chunk, ChunkCounts, ChunkEvaluator, ChunkEvaluatorBuilder, ChunkReport,
    ChunkState, Diagnostics, Error, ErrorKind, EveryN, Fingerprint, IdRows, JsonLines,
    LabelReading, Logger, MISSING_PREDICTION, Memory, Mergeable, Metric, OnFailure, PaddedTags,
    Place, Point, Result, Scalars, Scores, ShortRows, Sink, Snapshot, Source, State, TagBatch,
    TagBuffer, TagSet, TagStyle, Tagging, Task, Tee, TextRows, TypeScores, ZeroDivision, adapter,
    argmax,
};

#[cfg(feature = "candle")]
pub use chunkeval_candle as candle;
#[cfg(feature = "data")]
pub use chunkeval_data as data;
#[cfg(feature = "tensorboard")]
pub use chunkeval_tensorboard as tensorboard;
