//! The BiGRU-CRF tagger in candle, and what makes it the network of the training program.
//!
//! | module | what it holds |
//! |---|---|
//! | [`network`] | the tagger as the training loop wants it: loss, backward, step |
//! | [`model`] | the network, its loss, its decoder and its optimiser |
//!
//! Everything else, from the command line to the TensorBoard log, is in the library
//! [`training_loop`], which the program in tch shares.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod model;
pub mod network;
