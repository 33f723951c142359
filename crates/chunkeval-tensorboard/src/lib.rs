//! PLACEHOLDER
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod board;
mod event;
mod file;
mod hparams;
mod layout;
mod options;
mod records;
mod tags;

pub use board::TensorBoard;
pub use hparams::{HParam, HParams, Outcome};
pub use layout::{Chart, Layout};
pub use options::Options;
pub use records::Records;
