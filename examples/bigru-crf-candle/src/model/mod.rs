//! The tagger: embeddings, bidirectional GRU, linear layer, conditional random field.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tagger`] | [`Tagger`]: the whole network, its loss and its decoder |
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
//! | `dropout` | random zeros as one candle operation |
//! | [`math`] | fast exponential, sigmoid and tanh |
//! | `slices` | tensors as borrowed slices |

pub mod adam;
mod cell;
pub mod crf;
mod crf_op;
mod dropout;
mod embed;
pub mod gru;
mod gru_op;
pub mod math;
mod packed;
pub mod params;
mod pool;
mod slices;
pub mod tagger;

pub use adam::Adam;
pub use tagger::Tagger;
pub use training_loop::model::{AdamConfig, Mode, TaggerConfig};

/// What can go wrong in the model.
pub type ModelError = training_loop::model::ModelError<candle_core::Error>;
