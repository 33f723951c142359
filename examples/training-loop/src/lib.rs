//! Trains a BiGRU-CRF tagger and scores it every N steps: what the programs `bigru-crf-candle` and
//! `bigru-crf-tch` share. Nothing here knows a tensor library.
//!
//! | module | what it holds |
//! |---|---|
//! | [`args`] | the command line |
//! | [`settings`] | what a run is made with, as stored beside its checkpoints |
//! | [`generate`] | the waybills of the default run |
//! | [`corpus`] | sentences, vocabularies, batches |
//! | [`network`] | what the training loop asks of a network |
//! | [`model`] | what networks have in common: sizes, random numbers, Viterbi, errors |
//! | [`run`] | the training loop and all it writes |
//! | [`console`] | what the user sees |
//! | [`program`] | from a command line to a finished run |
//! | [`error`] | what can go wrong |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod args;
pub mod console;
pub mod corpus;
pub mod error;
pub mod generate;
pub mod model;
pub mod network;
pub mod program;
pub mod run;
pub mod settings;
