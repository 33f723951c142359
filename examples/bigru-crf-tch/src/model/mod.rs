//! The tagger: embeddings, libtorch's bidirectional GRU, linear layer, conditional random field.
//!
//! | file | what it holds |
//! |---|---|
//! | [`tagger`] | [`Tagger`]: the whole network, its loss and its decoder |
//! | [`gru`] | [`BiGru`](gru::BiGru): one layer over rows of different length |
//! | [`crf`] | [`Crf`](crf::Crf): loss and Viterbi decoding |
//! | [`adam`] | Adam with exact resume |
//! | [`params`] | named variables, safetensors in and out |

pub mod adam;
pub mod crf;
pub mod gru;
pub mod params;
pub mod tagger;

use tch::{TchError, Tensor};

pub use adam::Adam;
pub use tagger::Tagger;
pub use training_loop::bigru::TaggerConfig;
pub use training_loop::model::{AdamConfig, Mode};

/// What can go wrong in the model.
pub type ModelError = training_loop::model::ModelError<TchError>;

/// Ids `[B, T]` on the host, padded.
#[derive(Clone, Debug)]
pub struct Ids {
    /// Row by row.
    pub values: Vec<i64>,
    /// `T`.
    pub width: usize,
}

/// The number in a tensor that holds one.
///
/// # Errors
/// It holds none or several.
pub fn scalar(tensor: &Tensor) -> Result<f64, ModelError> {
    Ok(tensor.f_double_value(&[])?)
}
