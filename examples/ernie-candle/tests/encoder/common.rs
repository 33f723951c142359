//! What the tests share: golden folders, numbers of tensors.

use std::path::PathBuf;

use candle_core::Tensor;
use ernie_candle::encoder::Batch;

pub(crate) const LABELS: [&str; 5] = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"];

/// A folder that `cargo xtask golden encoder` made.
pub(crate) fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

pub(crate) fn flat(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

pub(crate) fn batch(rows: &[&[u32]]) -> Batch {
    let mut batch = Batch::default();
    rows.iter().for_each(|row| batch.push(row));
    batch
}
