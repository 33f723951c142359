//! Tests of the model as a user of the library sees it.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../training-candle/shared_tests/gradients.rs"]
mod gradients;
mod gru;
mod tagger;
