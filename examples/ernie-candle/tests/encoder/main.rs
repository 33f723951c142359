//! Tests of the encoder as a user of the library sees it.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
mod export;
mod folders;
#[allow(dead_code)] // one of its functions is enough here
#[path = "../../../training-candle/shared_tests/gradients.rs"]
mod gradients;
mod minilm;
mod reference;
mod strangers;
mod training;
