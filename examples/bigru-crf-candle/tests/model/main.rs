//! Tests of the model as a user of the library sees it.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

mod adam;
mod common;
#[path = "../../../training-loop/shared_tests/crf.rs"]
mod crf;
mod field;
mod gru;
mod tagger;
