//! The core of chunkeval: streaming evaluation of named-entity recognition and sequence labelling.
//!
//! Most people use the façade crate `chunkeval`, which shows all of this together with tensors,
//! TensorBoard and file readers. This crate knows none of them.
//!
//! ```
//! use chunkeval_core::{ChunkEvaluator, EveryN, Logger, Memory, Metric, PaddedTags, Source, TagBuffer};
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
//! let mut log = Logger::new(Memory::default(), EveryN::new(100)?);
//! let mut buffer = TagBuffer::default();
//!
//! // One batch of two rows, padded to four: gold ids, predicted ids, row lengths.
//! let gold = [1, 2, 0, 3, /* row 1 */ 0, 1, 0, 0];
//! let predicted = [1, 2, 0, 1, /* row 1 */ 0, 1, 2, 2];
//! let tags = PaddedTags::ids(&gold, &predicted, 4)?.lengths(&[4, 2]);
//! metric.update(tags.load(&mut buffer)?)?;
//!
//! let report = metric.accumulate();
//! assert_eq!(report.overall.counts.correct, 2); // PER at 0..2 of row 0, PER at 1..2 of row 1
//! assert_eq!(report.overall.f1, 2.0 / 3.0);
//! log.log(100, "dev", &report)?;
//! assert_eq!(log.sink().series("dev/f1"), [(100, 2.0 / 3.0)]);
//! # Ok::<(), chunkeval_core::Error>(())
//! ```
//!
//! # Where things are
//!
//! | to | look at |
//! |---|---|
//! | understand the idea | [`Metric`]: name, reset, update, accumulate; [`Mergeable`]: measure, merge, finish |
//! | score tags | [`ChunkEvaluator`], its [`ChunkReport`] and the [`ChunkCounts`] behind every score |
//! | weigh rows | [`WeightedChunkEvaluator`], [`WeightedTagBatch`] |
//! | see which errors are behind a score | [`ChunkErrors`]: types confused, wrong boundaries, missed, spurious; [`ConfusionMatrix`] |
//! | see what is wrong with the tags themselves | [`TagDiagnostics`] |
//! | find out which scheme tags are in | [`SchemeDetection`]; as seqeval does: [`Scheme::detect_as_seqeval`] |
//! | average (micro, macro, weighted), or weigh recall | [`Average`], [`Beta`], [`ZeroDivision`]; what is undefined: [`Undefined`] |
//! | print the names of types | [`visible_name`], [`visible_text`] |
//! | say how a number was made | [`Protocol`], the signature of a report |
//! | score single tokens | [`TokenEvaluator`] |
//! | read labels | [`TagSet`] and its [builder](TagSetBuilder), [`TagStyle`], [`LabelReading`], [`Notation`] |
//! | read chunks strictly, or as conlleval.pl | [`Mode`], [`Scheme`]; several modes at once: [`SideBySide`] |
//! | hand over data | [`TagBatch`], and the sources [`PaddedTags`], [`IdRows`], [`TextRows`]; [`TagRows`] where there is no label list |
//! | score words that a tokenizer cut into pieces | [`WordIds`], [`WordTags`], [`Pieces`], [`Windows`] |
//! | log every N steps | [`EveryN`], [`Logger`], [`Sink`]: [`Memory`], [`JsonLines`], [`Tee`] |
//! | follow a training run | [`Running`], [`Windowed`]; [`BestValue`] for the best checkpoint and early stopping |
//! | update several metrics at once | [`Collection`] |
//! | save and restore | [`Snapshot`] |
//! | keep the counts of each row or document | [`RowCounts`] |
//! | use several threads | [`measure_parallel`] |
//! | test a metric of your own | [`testkit`] |
//! | write an adapter for a tensor library | [`adapter`], [`Source`] |
//! | find out what went wrong | [`Error`], [`ErrorKind`], [`Place`] |
//!
//! # How it counts
//!
//! Labels are compiled once, into codes of a few bits; strings exist at the edges only. One pass
//! over both sides counts the chunks without listing them, 64 tokens at a time, and allocates
//! nothing. On x86-64 processors with AVX2 that is found at run time and used; everywhere else
//! portable code gives the same counts.
// `forbid` in all but name: the one exception is the vector module of the kernel.
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
mod analysis;
mod average;
mod best;
mod collection;
mod counts;
mod error;
mod evaluator;
mod fingerprint;
mod kernel;
mod logger;
mod mergeable;
mod metric;
mod names;
mod numpy_sum;
mod parallel;
mod protocol;
mod report;
mod row_counts;
mod running;
mod scalars;
mod schedule;
mod scores;
mod side_by_side;
mod sink;
mod source;
mod tagging;
mod tags;
mod task;
pub mod testkit;
mod token;
mod undefined;
mod weighted;
mod windowed;

pub use analysis::{
    ChunkError, ChunkErrorKind, ChunkErrorReport, ChunkErrorState, ChunkErrors, ConfusionMatrix,
    ErrorCounts, FaultyTag, FirstFault, Pairs, SchemeCandidate, SchemeDetection, SchemeDetector,
    Side, TagDiagnostics, TagDiagnosticsReport, TagDiagnosticsState, TagFault, TagFaultCounts,
    TypeConfusion, TypeErrors, TypePair,
};
pub use average::{Average, AverageScores};
pub use best::{Best, BestValue, Direction, Verdict};
pub use collection::{Collection, CollectionSnapshot, NamedScalars};
pub use counts::ChunkCounts;
pub use error::{Error, ErrorKind, Place, Result};
pub use evaluator::{ChunkEvaluator, ChunkEvaluatorBuilder, ChunkState, Diagnostics};
pub use fingerprint::Fingerprint;
pub use logger::{Logger, OnFailure};
pub use mergeable::{Mergeable, Snapshot, State};
pub use metric::Metric;
pub use names::{is_hidden, visible_name, visible_text};
pub use parallel::measure_parallel;
pub use protocol::Protocol;
pub use report::{ChunkReport, TypeScores};
pub use row_counts::RowCounts;
pub use running::{Running, RunningValue};
pub use scalars::Scalars;
pub use schedule::EveryN;
pub use scores::{Beta, Scores, ZeroDivision};
pub use side_by_side::{Gap, ModeReport, SideBySide, SideBySideReport, SideBySideState};
pub use sink::{JsonLines, Memory, Point, Sink, Tee};
pub use source::{
    IdRows, PaddedTags, Pieces, ShortRows, TagRows, TextRows, Windows, WordIds, WordTags, argmax,
};
pub use tagging::{MISSING_PREDICTION, TagBatch, TagBuffer, Tagging};
pub use tags::{Chunk, LabelReading, Mode, Notation, Scheme, TagSet, TagSetBuilder, TagStyle};
pub use task::{Batch, BatchOf, Source, Task};
pub use token::{TokenCounts, TokenEvaluator, TokenReport, TokenState};
pub use undefined::{Score, Undefined};
pub use weighted::{
    Weighted, WeightedChunkEvaluator, WeightedChunkReport, WeightedChunkState, WeightedScores,
    WeightedTagBatch, WeightedTagging, WeightedTypeScores,
};
pub use windowed::Windowed;
