//! From pieces of words to words: what a tokenizer cut is put together before it is counted.

mod assemble;
mod choice;
mod ids;
mod spread;
mod tags;

pub use assemble::{assemble_pieces, assemble_words};
pub use choice::{Pieces, Windows};
pub(crate) use ids::Word;
pub use ids::WordIds;
pub use tags::WordTags;
