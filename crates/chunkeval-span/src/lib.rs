//! Scores of spans given by offsets, with credit for partial matches.
//!
//! For named entities, slots and other extractions whose spans may nest, overlap and come from
//! anywhere: tags, annotation tools, language models. For flat tags alone, and exact matches,
//! `chunkeval_core::ChunkEvaluator` is faster.
//!
//! ```
//! use chunkeval_core::Metric;
//! use chunkeval_span::{SpanDocs, SpanEvaluator};
//!
//! let mut docs = SpanDocs::default();
//! // Gold and predicted spans of a document: type, start, end.
//! docs.push([("ORG", 0, 4), ("LOC", 2, 3)], [("LOC", 2, 3), ("ORG", 0, 3)])?;
//!
//! let mut metric = SpanEvaluator::new();
//! metric.update(docs.batch())?;
//! let overall = metric.accumulate().overall;
//! assert_eq!(overall.strict.f1, 0.5);
//! assert_eq!(overall.partial.f1, 0.75); // half a point for ORG
//! assert_eq!(overall.ent_type.f1, 1.0);
//! # Ok::<(), chunkeval_core::Error>(())
//! ```
//!
//! | to | look at |
//! |---|---|
//! | score spans | [`SpanEvaluator`], its [`SpanReport`] and the [`SchemaCounts`] behind every score |
//! | know what the schemas mean | [`Schema`]: strict, exact, partial, ent_type |
//! | choose how spans are paired | [`Matching`], [`Threshold`] |
//! | hand over data | [`SpanDocs`], and the sources [`SpanRows`] and [`TagSpans`] |
//! | convert and check offsets | [`TextOffsets`], [`Unit`], [`End`] |
//! | see which spans were right and wrong | [`SpanEvaluator::cases`] |
//! | reproduce nervaluate | [`nervaluate`] |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod batch;
mod cases;
mod counts;
mod error;
mod evaluator;
mod matching;
pub mod nervaluate;
mod offsets;
mod outcomes;
mod report;
mod schema;
mod sources;
mod span;
mod state;

pub use batch::{SpanBatch, SpanDocs, Spans};
pub use cases::{Case, CaseList, Cases};
pub use chunkeval_core::Side;
pub use counts::{SchemaCounts, Sides, SpanScores};
pub use error::SpanError;
pub use evaluator::{SpanEvaluator, SpanEvaluatorBuilder};
pub use matching::{Matching, Threshold};
pub use offsets::{TextOffsets, Unit};
pub use report::{SpanReport, SpanTypeScores};
pub use schema::{PerSchema, Schema};
pub use sources::{SpanRows, TagSpans};
pub use span::{End, Span};
pub use state::{SpanDiagnostics, SpanState};
