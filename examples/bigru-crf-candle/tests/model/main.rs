//! Tests of the model as a user of the library sees it.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

mod adam;
mod common;
mod crf;
mod gru;
mod tagger;
