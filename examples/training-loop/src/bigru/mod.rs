//! The BiGRU-CRF tagger, but for its tensors: `bigru-crf-candle` and `bigru-crf-tch` are this with
//! a [`Tagger`] each.
//!
//! | file | what it holds |
//! |---|---|
//! | `tagger` | [`Tagger`]: what the tensor library is asked for |
//! | `network` | [`BiGru`]: a tagger as the network of the training loop |
//! | `tokens` | [`Tokens`]: tokens to ids |
//! | `config` | [`TaggerConfig`]: the sizes |
//! | `options` | [`Options`]: the command line |

mod config;
mod network;
mod options;
mod tagger;
mod tokens;

pub use config::{Config, MAX_LAYERS, MAX_SIZE, TaggerConfig};
pub use network::BiGru;
pub use options::{Options, program};
pub use tagger::{Batch, Tagger};
pub use tokens::Tokens;
