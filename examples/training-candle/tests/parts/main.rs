//! Tests of the parts as a user of the library sees them.

// A failed unwrap is a failed test; clippy excuses only the test functions themselves.
#![allow(clippy::unwrap_used, clippy::panic)]

use candle_core::Tensor;

mod adam;
#[path = "../../../training-loop/shared_tests/crf.rs"]
mod crf;
mod field;
mod params;

fn flat(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}
