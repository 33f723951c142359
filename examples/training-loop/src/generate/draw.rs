//! Seeded chance.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Part;

/// Draws from tables; a part of the corpus and a seed give the same draws everywhere.
pub(super) struct Draw {
    rng: ChaCha8Rng,
    part: Part,
}

impl Draw {
    pub(super) fn new(seed: u64, part: Part) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(part as u64);
        Self { rng, part }
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // Drawn in 32 bits, so that it is the same on every platform.
        self.rng.random_range(0..end.max(1) as u32) as usize
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Any word of a table.
    pub(super) fn word<'t>(&mut self, table: &'t str) -> &'t str {
        let count = table.split_whitespace().count();
        let index = self.below(count);
        table.split_whitespace().nth(index).unwrap_or_default()
    }

    /// An entry of a table of which each part of the corpus has some to itself: of ten entries
    /// the ninth is for the dev set only and the tenth for the test set only. These two sets take
    /// half of their draws from there, and half from what the training set has.
    pub(super) fn entry<'t, T>(&mut self, table: &'t [T]) -> &'t T {
        let wanted = match self.part {
            Part::Train => Part::Train,
            own => [Part::Train, own][self.below(2)],
        };
        loop {
            let index = self.below(table.len());
            let of = match index % 10 {
                8 => Part::Dev,
                9 => Part::Test,
                _ => Part::Train,
            };
            if of == wanted {
                return &table[index];
            }
        }
    }

    /// A number of so many digits, the first one not 0.
    pub(super) fn digits(&mut self, count: usize) -> String {
        let digit = |i| if i == 0 { 1 + self.below(9) } else { self.below(10) };
        (0..count).map(digit).map(|d| char::from(b'0' + d as u8)).collect()
    }
}
