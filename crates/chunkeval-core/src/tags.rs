//! Label lists, compiled once: strings on the outside, small integers within.

mod builder;
mod chunk;
mod detect;
mod mode;
mod notation;
mod read;
mod rules;
mod set;
mod types;
mod within;

pub use builder::TagSetBuilder;
pub use chunk::Chunk;
pub(crate) use chunk::Span;
pub use mode::{Mode, Scheme};
pub use notation::Notation;
pub use read::{LabelReading, TagStyle};
pub(crate) use rules::{Counting, Position, Rules};
pub use set::TagSet;
