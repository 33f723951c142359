//! The tagger: embeddings, bidirectional GRU, linear layer, conditional random field.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tagger`] | [`Tagger`]: the whole network, its loss and its decoder |
//! | [`config`] | [`TaggerConfig`]: the sizes, stored beside a checkpoint |
//! | `embed` | table lookup with a scatter backward |
//! | [`gru`] | [`BiGru`](gru::BiGru): the layer and its PyTorch-compatible weights |
//! | `gru_op` | the layer as one candle operation with its own backward |
//! | `cell` | one token of one step, forward and backward |
//! | `pool` | buffers that are used again |
//! | `packed` | rows of different length, sorted so that a time step is one block |
//! | [`crf`] | [`Crf`](crf::Crf): loss and Viterbi decoding |
//! | `crf_op` | forward-backward as one candle operation |
//! | [`adam`] | Adam in one pass over each variable, with exact resume |
//! | [`params`] | named variables, safetensors in and out |
//! | [`random`] | random numbers that depend on seed and step only |
//! | `dropout` | random zeros as one candle operation |
//! | [`math`] | fast exponential, sigmoid and tanh |
//! | `slices` | tensors as borrowed slices |
//! | [`error`] | what can go wrong |

pub mod adam;
mod cell;
pub mod config;
pub mod crf;
mod crf_op;
mod dropout;
mod embed;
pub mod error;
pub mod gru;
mod gru_op;
pub mod math;
mod packed;
pub mod params;
mod pool;
pub mod random;
mod slices;
pub mod tagger;

pub use adam::{Adam, AdamConfig};
pub use config::TaggerConfig;
pub use error::ModelError;
pub use tagger::{Mode, Tagger};
