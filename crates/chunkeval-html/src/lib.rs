//! The HTML report: one file with scores and their intervals, errors, marked examples, and how the
//! numbers were made.
//!
//! ```
//! use chunkeval_core::{Chunk, ChunkEvaluator, Metric, TagBatch};
//! use chunkeval_html::{Example, Examples, Page, Scores};
//!
//! let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
//! let (gold, predicted) = ([1, 2, 0, 0, 3], [1, 2, 0, 0, 1]);
//! metric.update(TagBatch::new(&gold, &predicted, &[5])?)?;
//! let report = metric.accumulate();
//!
//! let tokens = ["Ada", "Lovelace", "lived", "in", "London"];
//! let (gold, predicted) = (metric.tags().entities(&gold), metric.tags().entities(&predicted));
//! let example = Example::new("dev.conll:1", tokens, &gold, &predicted);
//!
//! let page = Page::new("My tagger on dev.conll")
//!     .with(Scores::of(&report))
//!     .with(Examples::new([example]));
//! let html = page.to_string(); // or write!(file, "{page}")
//! assert!(html.contains("0.5000")); // one of two chunks is right
//! assert!(html.contains("LOC as PER"));
//! # Ok::<(), chunkeval_core::Error>(())
//! ```
//!
//! # Where things are
//!
//! | to show | look at |
//! |---|---|
//! | precision, recall, F1 by type and averaged, with intervals | [`Scores`] |
//! | F1 by sentence length, or by anything else in order | [`Groups`] |
//! | errors by kind, and which types are confused | [`Errors`]; the latter alone: [`Confusion`] |
//! | sentences with gold and predicted chunks marked | [`Examples`], [`Example`] |
//! | two systems side by side | [`Differences`] |
//! | what became of answers or lines, with where to find them | [`Health`] |
//! | anything else in rows and columns | [`Table`] |
//! | how the numbers were made | [`Protocol`](chunkeval_core::Protocol) |
//!
//! # What a page is
//! - One file. It loads nothing and runs nothing, and says so to the browser in its content
//!   security policy, so even text that is meant to do harm could not.
//! - Every text is escaped: an entity type called `<script>` is shown as that. Characters that are
//!   not seen, or that turn the writing direction, are spelled out: `\u{202e}`.
//! - Light or dark as the reader's system is; readable on a telephone and on paper; each drawing
//!   has its numbers in words beside it.
//! - The same parts give the same bytes. A page is well-formed XML, too.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bar;
mod differences;
mod errors;
mod examples;
mod groups;
mod health;
mod page;
mod part;
mod protocol;
mod scores;
mod table;
mod text;

pub use differences::Differences;
pub use errors::{Confusion, Errors};
pub use examples::{Example, Examples, Joined};
pub use groups::{Group, Groups};
pub use health::{Finding, Health};
pub use page::Page;
pub use part::Part;
pub use scores::Scores;
pub use table::{Column, Table};
