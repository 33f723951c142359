//! For those who come from nervaluate 1.2.1: its loaders and its texts, with equal results.
//!
//! | nervaluate | here |
//! |---|---|
//! | `Evaluator(true, pred, tags, loader="list")` | [`Documents::from_tags`] |
//! | `loader="conll"` | [`Documents::from_conll`] |
//! | `loader="dict"` | [`Documents::from_entities`], or JSON by [`Documents::from_json`] |
//! | `tags`, `min_overlap_percentage` | [`SpanEvaluator::builder`](crate::SpanEvaluator::builder) with [`Matching::Nervaluate`](crate::Matching) and `types` |
//! | `evaluate()` | `update`, then `accumulate`; the indices by [`SpanEvaluator::cases`](crate::SpanEvaluator::cases) |
//! | `summary_report`, `results_to_csv`, `summary_report_indices` | [`summary`], [`csv`], [`indices`] |
//! | `collect_named_entities`, `list_to_spans`, `conll_to_spans`, `split_list` | [`collect_named_entities`], [`conll_to_spans`], [`split_list`] |
//!
//! ```
//! use chunkeval_core::{Metric, Source};
//! use chunkeval_span::nervaluate::{Documents, Table, summary};
//! use chunkeval_span::{Matching, SpanDocs, SpanEvaluator};
//!
//! let gold = [["O", "B-PER", "I-PER", "B-LOC"]];
//! let predicted = [["O", "B-PER", "O", "B-LOC"]];
//! let documents = Documents::from_tags(&gold, &predicted)?;
//!
//! let builder = SpanEvaluator::builder().matching(Matching::NERVALUATE);
//! let mut metric = builder.types(["PER", "LOC"]).build()?;
//! let mut buffer = SpanDocs::default();
//! metric.update(documents.load(&mut buffer)?)?;
//! let report = metric.accumulate();
//! assert_eq!((report.overall.strict.f1, report.overall.partial.f1), (0.5, 0.75));
//! assert!(summary(&report, Table::Overall, 2).starts_with("Scenario: all\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod helpers;
mod json;
mod load;
mod reader;
mod text;

pub use error::LoadError;
pub use helpers::{collect_named_entities, conll_to_spans, split_list};
pub use json::Loader;
pub use load::{Documents, Entity};
pub use text::{Table, csv, indices, summary};
