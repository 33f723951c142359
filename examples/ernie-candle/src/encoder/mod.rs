//! The encoder: BERT (Devlin et al. 2019) and ERNIE (Sun et al. 2019, 2021), on the CPU.
//!
//! candle-transformers has both, but its layer norm has no backward pass, so fine-tuning it trains
//! the head alone and says nothing. Here each operation has one, written by hand.
//!
//! | file | what it holds |
//! |---|---|
//! | [`config`] | [`EncoderConfig`]: the sizes, as in Hugging Face's `config.json` |
//! | [`folder`] | [`Folder`]: configuration, weights and vocabulary of a Hugging Face folder |
//! | `text` | its text files |
//! | `export` | such a folder, written |
//! | `weights` | the tensors of a file, under the names that the encoder uses |
//! | [`batch`] | [`Batch`]: sentences as ids, without padding |
//! | [`classifier`] | [`TokenClassifier`]: the encoder with a score for each label |
//! | [`model`] | [`Encoder`]: embeddings and layers |
//! | `layers` | linear layer, norm, attention and feed-forward with their variables |
//! | `linear_op`, `norm_op`, `attention_op`, `activation_op`, `padding_op` | one candle operation each, with its backward |
//! | [`error`] | what can go wrong |
//!
//! A batch has no padding: its sentences lie one behind the other in a tensor `[N, D]` of all
//! their tokens. Only attention needs to know where one ends. Padding comes in at the end, for
//! those who want logits `[B, T, C]`.

mod activation_op;
mod attention_op;
pub mod batch;
pub mod classifier;
pub mod config;
pub mod error;
mod export;
pub mod folder;
mod layers;
mod linear_op;
pub mod model;
mod norm_op;
mod padding_op;
mod text;
mod weights;

pub use batch::Batch;
pub use classifier::TokenClassifier;
pub use config::{Activation, EncoderConfig, ModelType};
pub use error::{EncoderError, Result};
pub use export::{write_config, write_weights};
pub use folder::{Folder, Head, LoadReport};
pub use model::Encoder;
pub(crate) use text::read_text;
pub(crate) use weights::{FIELD, HEAD};
