//! Trains a tagger and scores it every N steps: what the training programs share. Nothing here
//! knows a tensor library.
//!
//! | module | what it holds |
//! |---|---|
//! | [`args`] | the command line |
//! | [`settings`] | what a run is made with, as stored beside its checkpoints |
//! | [`generate`] | the waybills of the default run |
//! | [`corpus`] | sentences, labels, batches |
//! | [`network`] | what the training loop asks of a network |
//! | [`bigru`] | the BiGRU-CRF tagger, but for its tensors |
//! | [`model`] | what networks have in common: random numbers, Viterbi, errors |
//! | [`run`] | the training loop and all it writes |
//! | [`console`] | what the user sees |
//! | [`program`] | from a command line to a finished run |
//! | [`infer`] | predictions of a trained network for a file or standard input |
//! | [`error`] | what can go wrong |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod args;
pub mod bigru;
pub mod console;
pub mod corpus;
pub mod error;
pub mod generate;
pub mod infer;
pub mod model;
pub mod network;
pub mod program;
pub mod run;
pub mod settings;
