//! Fine-tunes an ERNIE or BERT encoder in candle and scores it every N steps.
//!
//! | module | what it holds |
//! |---|---|
//! | [`network`] | the encoder as the network of the training loop: loss, backward, step, predictions |
//! | [`options`] | what the command line says of it |
//! | [`inputs`] | sentences as pieces of words, long ones in windows |
//! | [`encoder`] | the encoder, its token classification head, and Hugging Face folders |
//! | [`tokens`] | words or text to pieces of words |
//! | `scratch` | the pieces of an encoder that is trained from nothing |
//!
//! Everything else, from the command line to the TensorBoard log, is in the library
//! [`training_loop`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod encoder;
pub mod inputs;
pub mod network;
pub mod options;
mod scratch;
pub mod tokens;
