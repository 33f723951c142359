//! Label lists, compiled once: strings on the outside, small integers within.

mod chunk;
mod read;
mod rules;
mod set;

pub use chunk::Chunk;
pub use read::{LabelReading, TagStyle};
#[cfg(test)]
pub(crate) use rules::LENIENT;
pub(crate) use rules::{Position, Rules};
pub use set::TagSet;
