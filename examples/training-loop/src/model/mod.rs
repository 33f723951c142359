//! What the networks have in common, whatever library their tensors come from.
//!
//! | file | what it holds |
//! |---|---|
//! | [`config`] | [`AdamConfig`]: the constants of the optimiser |
//! | [`random`] | random numbers that depend on seed and step only |
//! | [`labels`] | gold labels, checked |
//! | [`viterbi`] | the best path through scores |
//! | [`checkpoint`] | in which tensors a file and a network differ |
//! | [`error`] | what can go wrong |

pub mod checkpoint;
pub mod config;
pub mod error;
pub mod labels;
pub mod random;
pub mod viterbi;

pub use config::{AdamConfig, ConfigError};
pub use error::ModelError;
pub use random::Mode;
pub use viterbi::Viterbi;
