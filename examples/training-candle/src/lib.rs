//! What the training programs in candle share. All of it runs on the CPU.
//!
//! | module | what it holds |
//! |---|---|
//! | [`params`] | named variables, safetensors in and out |
//! | [`adam`] | Adam in one pass over each variable, with exact resume |
//! | [`crf`] | [`Crf`](crf::Crf): a conditional random field, its loss and Viterbi decoding |
//! | `crf_op`, `crf_chain` | forward-backward as one candle operation, and its arithmetic |
//! | [`cross_entropy`] | the loss of each token by itself, as one candle operation |
//! | [`embed`] | table lookup with a scatter backward |
//! | [`dropout`] | random zeros as one candle operation |
//! | [`lanes`] | sums in a fixed order that the compiler vectorises |
//! | [`math`] | fast exponential, sigmoid and tanh |
//! | [`slices`] | tensors as borrowed slices |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adam;
pub mod crf;
mod crf_chain;
mod crf_op;
pub mod cross_entropy;
pub mod dropout;
pub mod embed;
pub mod lanes;
pub mod math;
pub mod params;
pub mod slices;

pub use adam::Adam;

/// An error without the backtrace that candle makes part of its message.
pub fn bare(error: candle_core::Error) -> candle_core::Error {
    use candle_core::Error;
    match error {
        Error::WithBacktrace { inner, .. } => bare(*inner),
        Error::WithPath { inner, path } => Error::WithPath { inner: Box::new(bare(*inner)), path },
        other => other,
    }
}

/// What can go wrong in a model.
pub type ModelError = training_loop::model::ModelError<candle_core::Error>;
