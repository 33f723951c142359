//! Evaluation of named-entity recognition and sequence labelling for people who train in Rust.
//!
//! Precision, recall and F1 of entities, over a stream of batches, from the tensors a training
//! loop already has; the numbers equal those of seqeval, PaddleNLP and conlleval. Not for you if
//! you want the loss: your training loop has that already.
//!
//! ```
//! use chunkeval::{ChunkEvaluator, Metric, TagBatch};
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
//! //                          gold  PER PER  O  LOC    predicted  PER PER  O  PER
//! metric.update(TagBatch::new(&[1, 2, 0, 3],                    &[1, 2, 0, 1], &[4])?)?;
//!
//! let report = metric.accumulate();
//! assert_eq!(report.overall.f1, 0.5);
//! assert_eq!(report.get("PER").unwrap().precision, 0.5);
//! # Ok::<(), chunkeval::Error>(())
//! ```
//!
//! # Contents
//! - The idea: [`Metric`] (name, reset, update, accumulate) and [`Mergeable`] (measure, merge,
//!   finish).
//! - Chunks: [`ChunkEvaluator`], [`ChunkReport`], [`TagSet`]; several modes at once: [`SideBySide`].
//! - Behind the scores: [`ChunkErrors`] (types confused, wrong boundaries, missed, spurious),
//!   [`TagDiagnostics`] (ill-formed tags).
//! - Data: [`TagBatch`] from plain slices; the sources [`PaddedTags`], [`IdRows`], [`TextRows`];
//!   [`TagRows`] where there is no label list; `candle::CandleTags` and `tch::TchTags` for
//!   tensors; [`adapter`] for other libraries.
//! - Words cut into pieces: [`WordIds`], [`WordTags`]; see [`guide::subwords`].
//! - Scores: [`Average`], [`Beta`], [`ZeroDivision`]; [`TokenEvaluator`]; the signature of a report,
//!   [`Protocol`].
//! - Reports: `report`, seqeval's and conlleval's byte for byte, JSON, CSV, Markdown, LaTeX,
//!   terminal; as one HTML file: `html`.
//! - Logging: [`EveryN`], [`Logger`], [`Sink`], `tensorboard::TensorBoard`.
//! - Spans given by offsets, partial matches: `span::SpanEvaluator`.
//! - Answers of language models: `llm::ExtractionEvaluator`.
//! - Training: [`Running`] and [`Windowed`] values, [`Collection`], [`BestValue`] for early stopping.
//! - Schemes: [`Mode`], [`Scheme`], [`Notation`]; which one data is in: [`SchemeDetection`].
//! - Rows one by one: [`RowCounts`], for intervals and tests with `stats`; [`WeightedChunkEvaluator`].
//! - Several threads: [`measure_parallel`]. Tests of your own metric: [`testkit`].
//! - Files: `data`, readers and writers with a place in every error.
//!
//! Guides: [which mode do I want](guide::modes), reproduce a paper's number (`guide::papers`, with
//! feature `report`), [sub-words](guide::subwords), which number to report for a language model
//! (`guide::llm`, with feature `llm`).
//!
//! # Features
//! All are off by default, and none changes a number.
//!
//! | feature | module | what it is for |
//! |---|---|---|
//! | `candle` | `candle` | tensors of candle as batches |
//! | `tch` | `tch` | tensors of tch as batches; wants a libtorch |
//! | `tensorboard` | `tensorboard` | a sink that writes TensorBoard event files |
//! | `report` | `report` | reports as text: seqeval's, conlleval's, JSON, CSV, Markdown, LaTeX, terminal |
//! | `html` | `html` | one HTML file with scores, intervals, errors and marked examples |
//! | `data` | `data` | CoNLL columns, waybill records, parallel files; vocabularies and batches |
//! | `llm` | `llm` | entities that language models extract: their answers, read and repaired |
//! | `span` | `span` | spans given by offsets, nested or not, with credit for partial matches |
//! | `stats` | `stats` | confidence intervals by row or document, tests between systems, corrections for many |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod guide;

#[doc(inline)]
pub use chunkeval_core::*;

#[cfg(feature = "candle")]
pub use chunkeval_candle as candle;
#[cfg(feature = "data")]
pub use chunkeval_data as data;
#[cfg(feature = "html")]
pub use chunkeval_html as html;
#[cfg(feature = "llm")]
pub use chunkeval_llm as llm;
#[cfg(feature = "report")]
pub use chunkeval_report as report;
#[cfg(feature = "span")]
pub use chunkeval_span as span;
#[cfg(feature = "stats")]
pub use chunkeval_stats as stats;
#[cfg(feature = "tch")]
pub use chunkeval_tch as tch;
#[cfg(feature = "tensorboard")]
pub use chunkeval_tensorboard as tensorboard;

/// The README, compiled and run.
#[cfg(all(doctest, feature = "candle", feature = "report", feature = "tensorboard"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The Chinese README, compiled and run.
#[cfg(all(doctest, feature = "candle", feature = "report", feature = "tensorboard"))]
#[doc = include_str!("../../../README.zh-CN.md")]
struct ReadmeZhCn;
