//! Counting chunks without listing them: one pass, no strings, no allocation.
//!
//! Three facts make it possible. Whether a chunk starts at a token or ends before it can be read
//! off two neighbouring tags. The chunks of a side are as many as its ends. And two chunks are
//! equal when they end together, have the same type, and began together, for which one latch a
//! row pair is enough: `aligned` is set where both sides start, cleared where only one does, and
//! set at the beginning of a row.
//!
//! Strict schemes add a second latch a side: a chunk is open from its start as long as it goes on
//! ([`open`]), and only an open chunk ends. conlleval counts starts instead of ends, and its latch
//! is a match that both sides started ([`starts`]).
//!
//! [`alphabet`] turns label ids into codes of a few bits and says what happens between two of
//! them; [`stream`] walks all rows as one long run of codes; [`block`] counts 64 tokens of both
//! sides at a time, as bit masks. How ids become codes and codes become masks is an [`engine`]:
//! a portable one, and one for AVX2 that is chosen when labels are compiled and gives the same masks.

mod alphabet;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod block;
mod engine;
mod open;
mod starts;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use alphabet::Alphabet;
pub(crate) use stream::count;
