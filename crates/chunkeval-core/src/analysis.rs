//! What lies behind a score: which errors were made, and what is wrong with the tags themselves.
//!
//! [`window`] finds where the sides of a row differ, [`matching`] pairs its chunks, [`kind`] says
//! what kind of error a pair is, and [`chunk_errors`] counts them over a stream. [`well_formed`] says what a scheme asks of two
//! neighbouring tags, and [`tag_diagnostics`] counts where that is not kept. Both can list the
//! first few places ([`listing`]). [`detector`] holds every scheme against the tags in turn, by
//! what follows what ([`bigrams`]), and [`detection`] is what it finds.

mod bigrams;
mod chunk_error;
mod chunk_errors;
mod confusion_matrix;
mod detection;
mod detector;
mod error_report;
mod error_state;
mod fault;
mod kind;
mod listing;
mod matching;
mod tag_diagnostics;
mod tag_report;
mod tag_state;
mod type_pairs;
mod well_formed;
mod window;

pub use chunk_error::ChunkError;
pub use chunk_errors::ChunkErrors;
pub use confusion_matrix::{ConfusionMatrix, Pairs};
pub use detection::{FirstFault, SchemeCandidate, SchemeDetection};
pub use detector::SchemeDetector;
pub use error_report::{ChunkErrorReport, ErrorCounts, TypeConfusion, TypeErrors};
pub use error_state::ChunkErrorState;
pub use fault::{Side, TagFault, TagFaultCounts};
pub use kind::ChunkErrorKind;
pub use tag_diagnostics::{FaultyTag, TagDiagnostics};
pub use tag_report::TagDiagnosticsReport;
pub use tag_state::TagDiagnosticsState;
pub use type_pairs::TypePair;
