//! Scoring answers of language models: from the bytes of a file to counts.
//!
//! Each block of whole lines becomes records, which every thread measures by itself. States, examples
//! and rows of the blocks are put together in the order of the lines, so the result is the same on
//! any number of threads.

mod confusion;
mod example;
mod fault;
mod guess;
mod ids;
mod lengths;
mod marks;
mod pool;
mod said;
mod same_gold;
mod scored;
mod settings;
mod worker;

pub(crate) use confusion::Confusion;
pub(crate) use example::{Example, ExampleKind, Mention, PairError};
pub(crate) use guess::{Guess, Named, guess};
pub(crate) use ids::{Again, Repeated};
pub(crate) use lengths::Lengths;
pub(crate) use marks::{Marks, Side};
pub(crate) use said::{Said, Texts};
pub(crate) use same_gold::same_gold;
pub(crate) use scored::{Scored, convert, score};
pub(crate) use settings::Settings;
pub(crate) use worker::{CheckIds, Labels, Plan, Replaced, Rows, Splits};
