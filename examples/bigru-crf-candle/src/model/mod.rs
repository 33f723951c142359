//! The tagger: embeddings, bidirectional GRU, linear layer, conditional random field.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tagger`] | [`Tagger`]: the whole network, its loss and its decoder |
//! | [`gru`] | [`BiGru`](gru::BiGru): the layer and its PyTorch-compatible weights |
//! | `gru_op` | the layer as one candle operation with its own backward |
//! | `cell` | one token of one step, forward and backward |
//! | `pool` | buffers that are used again |
//! | `packed` | rows of different length, sorted so that a time step is one block |
//!
//! Variables, Adam, dropout and the conditional random field are those of [`training_candle`].

mod cell;
pub mod gru;
mod gru_op;
mod packed;
mod pool;
pub mod tagger;

pub use tagger::Tagger;
pub use training_candle::{Adam, ModelError};
pub use training_loop::bigru::TaggerConfig;
pub use training_loop::model::{AdamConfig, Mode};
