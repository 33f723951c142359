//! Scoring answers of language models: from the bytes of a file to counts.
//!
//! [`Blocks`](block) cuts a file at line ends; each block becomes records, which every thread
//! measures by itself. States, examples and rows of the blocks are put together in the order of the
//! lines, so the result is the same on any number of threads.

mod block;
mod example;
mod pool;
mod scored;
mod worker;

pub(crate) use example::{Example, ExampleKind, Mention};
pub(crate) use scored::{Scored, score};
pub(crate) use worker::{Labels, Plan, Rows};
