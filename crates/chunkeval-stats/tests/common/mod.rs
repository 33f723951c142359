//! Rows to resample: random ones, and a generator for them.
#![allow(dead_code, reason = "each test binary uses a part")]

use chunkeval_core::{ChunkCounts, ChunkEvaluator, RowCounts, TagBatch};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u8) -> Self {
        Self(ChaCha8Rng::from_seed([seed; 32]))
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// True with that chance.
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        f64::from(self.0.next_u32()) < p * 4_294_967_296.0
    }

    /// 0 to 3 gold chunks, each found with a chance that differs from row to row (0.5 or 0.9), and
    /// a spurious one with a chance of 0.3.
    pub(crate) fn row(&mut self) -> ChunkCounts {
        let gold = u64::from(self.below(4));
        let found = if self.chance(0.5) { 0.5 } else { 0.9 };
        let correct = (0..gold).filter(|_| self.chance(found)).count() as u64;
        ChunkCounts { gold, predicted: correct + u64::from(self.chance(0.3)), correct }
    }
}

/// The F1 of infinitely many [rows](Random::row): 2 · 1.05 / (1.5 + 1.35).
pub(crate) const TRUE_F1: f64 = 2.1 / 2.85;

/// Row counts out of rows of single-token chunks, the types being 1 and 2 and none 0.
pub(crate) fn rows(rows: &[Vec<(i32, i32)>]) -> RowCounts {
    let metric = ChunkEvaluator::new(["O", "B-X", "B-Y"]).unwrap();
    let gold: Vec<i32> = rows.iter().flatten().map(|t| t.0).collect();
    let predicted: Vec<i32> = rows.iter().flatten().map(|t| t.1).collect();
    let ends = rows.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let mut counts = RowCounts::new(&metric);
    counts.push(&metric, TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
    counts
}

/// Random rows of up to six tokens.
pub(crate) fn random_rows(seed: u8, count: usize) -> Vec<Vec<(i32, i32)>> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            (0..random.below(7))
                .map(|_| {
                    let gold = random.below(3) as i32;
                    (gold, if random.chance(0.7) { gold } else { random.below(3) as i32 })
                })
                .collect()
        })
        .collect()
}
