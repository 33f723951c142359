//! What the tests over vectors, cases and corpora have in common: finding the files, saying what
//! ran and what did not.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod close;
pub mod conlleval;
mod files;
pub mod fuzzed;
pub mod seqeval;
pub mod tags;
mod tally;

pub use close::assert_close;
pub use files::{Kind, Line, cases, corpora, golden, skip};
pub use tally::Tally;
