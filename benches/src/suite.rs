//! Which rows are counted.

use std::error::Error;

use crate::{Rows, Workload, corpora, random};

const SEED: u64 = 20_261_130;

/// Far more tokens than any cache holds.
const LARGE: usize = 20_000_000;

/// What a slow way to count can do in a few seconds.
const SHARED: usize = 1_000_000;

/// 20 million tokens of each kind of random rows.
#[must_use]
pub fn large() -> [Workload; 2] {
    [("realistic-20M", Rows::Realistic), ("uniform-20M", Rows::Uniform)]
        .map(|(name, rows)| random(name, rows, LARGE, SEED))
}

/// A batch as a training loop hands it over: 64 rows of 128 tokens.
#[must_use]
pub fn in_cache() -> Workload {
    let rows = random("batch-64x128", Rows::Realistic, 64 * 128, SEED);
    Workload { ends: (1..=64).map(|row| row * 128).collect(), ..rows }
}

/// What is given to every way of counting: the corpora and a million tokens of each kind of
/// random rows.
///
/// # Errors
/// A corpus cannot be read.
pub fn shared_with_others() -> Result<Vec<Workload>, Box<dyn Error>> {
    let mut all = corpora()?;
    for (name, rows) in [("realistic-1M", Rows::Realistic), ("uniform-1M", Rows::Uniform)] {
        all.push(random(name, rows, SHARED, SEED));
    }
    Ok(all)
}
