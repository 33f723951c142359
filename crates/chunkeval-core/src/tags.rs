//! Label lists, compiled once: strings on the outside, small integers within.

mod chunk;
mod mode;
mod read;
mod rules;
mod set;

pub use chunk::Chunk;
pub use mode::{Mode, Scheme};
pub use read::{LabelReading, TagStyle};
pub(crate) use rules::{Position, Rules};
pub use set::TagSet;
