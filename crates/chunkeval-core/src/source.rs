//! From padded arrays, rows and strings to a [`TagBatch`](crate::TagBatch).
//!
//! What every back end has in common stands here: which positions count, ids of any integer type,
//! arg-max of logits. A tensor adapter only finds the memory.

mod argmax;
mod assemble;
mod ids;
mod padded;
mod rows;
mod tag_rows;
mod words;

pub use argmax::{Logit, Logits, argmax};
pub use assemble::{Keep, Predict, assemble};
pub use ids::{Grid, TagId};
pub use padded::PaddedTags;
pub use rows::{IdRows, ShortRows, TextRows};
pub use tag_rows::TagRows;
pub(crate) use words::Word;
pub use words::{Pieces, Windows, WordIds, WordTags, assemble_pieces, assemble_words};
