//! Counting chunks without listing them: one pass, no strings, no allocation.
//!
//! Three facts make it possible. Whether a chunk starts at a token or ends before it can be read
//! off two neighbouring tags. The chunks of a side are as many as its ends. And two chunks are
//! equal when they end together, have the same type, and began together, for which one latch a
//! row pair is enough: `aligned` is set where both sides start, cleared where only one does, and
//! set at the beginning of a row.
//!
//! [`alphabet`] turns label ids into small codes and pairs of codes into bits; [`stream`] lines
//! the rows up as one long run of codes with a boundary between rows; [`block`] reads 64 tokens
//! of both sides at a time as bit masks.

mod alphabet;
mod block;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use alphabet::Alphabet;
pub(crate) use stream::count;
