//! Ways to cut and order rows.

use std::ops::Range;

/// How many random cuts follow the two regular ones.
const RANDOM: u64 = 14;

/// Some ways to cut `rows` rows into batches and to order these: row by row, row by row backwards,
/// then random ones with empty batches among them.
pub(super) fn splits(rows: usize, seed: u64) -> impl Iterator<Item = Vec<Range<usize>>> {
    let single = move |row| row..row + 1;
    let regular = [(0..rows).map(single).collect(), (0..rows).rev().map(single).collect()];
    regular.into_iter().chain((0..RANDOM).map(move |n| {
        let mut random = Random::new(seed, n);
        let pieces = 2 + random.below(7);
        let mut parts = cut(rows, pieces, &mut random);
        for i in (1..parts.len()).rev() {
            parts.swap(i, random.below(i + 1));
        }
        parts
    }))
}

/// All rows as one part.
pub(super) fn whole(rows: usize) -> [Range<usize>; 1] {
    std::array::from_fn(|_| 0..rows)
}

/// Some ways to cut `rows` rows into three parts, in order.
pub(super) fn thirds(rows: usize, seed: u64) -> impl Iterator<Item = [Range<usize>; 3]> {
    (0..RANDOM).map(move |n| {
        let mut random = Random::new(seed, n);
        let (a, b) = (random.below(rows + 1), random.below(rows + 1));
        let (a, b) = (a.min(b), a.max(b));
        [0..a, a..b, b..rows]
    })
}

fn cut(rows: usize, pieces: usize, random: &mut Random) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = (1..pieces).map(|_| random.below(rows + 1)).collect();
    ends.push(rows);
    ends.sort_unstable();
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): enough to shuffle, and no dependency.
struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is at least 1. Its slight bias does not matter here.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_split_has_each_row_once() {
        for rows in [0, 1, 2, 9] {
            let all: Vec<_> = splits(rows, 7).collect();
            assert_eq!(all.len() as u64, 2 + RANDOM);
            for parts in all {
                let mut seen: Vec<usize> = parts.into_iter().flatten().collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..rows).collect::<Vec<_>>());
            }
            for [a, b, c] in thirds(rows, 7) {
                assert_eq!((a.start, a.end, b.end, c.end), (0, b.start, c.start, rows));
            }
        }
    }

    #[test]
    fn splits_follow_from_the_seed() {
        let of = |seed| splits(9, seed).collect::<Vec<_>>();
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        let disordered = |parts: &Vec<Range<usize>>| !parts.is_sorted_by_key(|p| p.start);
        assert!(of(1).iter().skip(2).any(disordered));
        assert!(of(1).iter().flatten().any(Range::is_empty), "an empty batch");
    }
}
