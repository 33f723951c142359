//! Reports as text: seqeval's and conlleval's byte for byte, and tables of our own.
//!
//! ```
//! use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
//! use chunkeval_report::{Format, Table, seqeval_text};
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC"])?;
//! metric.update(TagBatch::new(&[1, 2, 0, 3], &[1, 2, 0, 1], &[4])?)?;
//! let report = metric.accumulate();
//!
//! let text = seqeval_text(&report, 2)?;
//! let lines: Vec<&str> = text.lines().collect();
//! assert_eq!(lines[0], "              precision    recall  f1-score   support");
//! assert_eq!(lines[3], "         PER       0.50      1.00      0.67         1");
//! assert_eq!(lines[6], "   macro avg       0.25      0.50      0.33         2");
//!
//! let csv = Table::new(&report).render(Format::Csv);
//! assert!(csv.starts_with("kind,name,precision,recall,f1,support,predicted,correct,signature\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | to | look at |
//! |---|---|
//! | write a report for people or programs | [`Table`], its [`Format`]s, [`Color`] |
//! | write any other table in the same formats | [`Grid`], its [`Cell`]s |
//! | reproduce seqeval's report | [`seqeval_text`], [`SeqevalDict`], [`seqeval_warnings`] |
//! | reproduce conlleval's report | [`conlleval_text`] |
//! | run conlleval on a file | [`Conlleval`] |
//!
//! Every table carries the signature of its report
//! ([`Protocol`](chunkeval_core::Protocol)). The texts of seqeval and conlleval have no room for
//! one, since they are equal to the last byte; print `report.protocol` beside them.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod conlleval;
mod grid;
mod memory;
mod seqeval;
mod table;

pub use conlleval::{Conlleval, ConllevalError, ConllevalLayout, conlleval_text};
pub use grid::{Cell, Grid, List};
pub use seqeval::{NoTypes, SeqevalDict, SeqevalRow, seqeval_text, seqeval_warnings};
pub use table::{Color, Format, Table};
