//! Sixty-four tokens of both sides at once, as bit masks.

use super::alphabet::{END, FIRST, Pairs, START};
use crate::ChunkCounts;

/// Tokens read at once.
pub(super) const BLOCK: usize = 64;

/// How far the predicted side's bits are moved to share a byte with the gold side's.
const PREDICTED: u32 = 4;

/// Counts the chunks that end in one block and moves the latch on.
///
/// Both slices hold `BLOCK + 1` codes, the first one being that before the block. The counts go
/// to the code of the tag before the end. `aligned` says, before and after, whether the chunks
/// last started on the two sides started together.
pub(super) fn count_block<P: Pairs>(
    pairs: &P,
    gold: &[P::Code; BLOCK + 1],
    predicted: &[P::Code; BLOCK + 1],
    aligned: &mut bool,
    tally: &mut [ChunkCounts],
) {
    let mut bytes = [0; BLOCK];
    for i in 0..BLOCK {
        bytes[i] = pairs.bits(gold[i], gold[i + 1])
            | pairs.bits(predicted[i], predicted[i + 1]) << PREDICTED;
    }
    if bytes == [0; BLOCK] {
        return; // `O` all along, the most common block: nothing ends, the latch stays.
    }
    let gold_starts = plane(&bytes, START);
    let predicted_starts = plane(&bytes, START << PREDICTED);
    let first = plane(&bytes, FIRST);

    // A start at the beginning of a row changes nothing: both sides begin at 0 there anyway.
    let set = gold_starts & predicted_starts | first;
    let kept = !(gold_starts | predicted_starts | first);
    let seen = latch(set, kept, aligned);

    let gold_ends = plane(&bytes, END);
    let predicted_ends = plane(&bytes, END << PREDICTED);
    for i in ones(gold_ends) {
        tally[P::index(gold[i])].gold += 1;
    }
    for i in ones(predicted_ends) {
        tally[P::index(predicted[i])].predicted += 1;
    }
    let types = &pairs.codes().types;
    for i in ones(gold_ends & predicted_ends & seen) {
        let (g, p) = (P::index(gold[i]), P::index(predicted[i]));
        tally[g].correct += u64::from(types[g] == types[p]);
    }
}

/// The positions that see a latch set: it becomes true after each position of `set`, stays as it
/// is over `kept`, and becomes false elsewhere. `state` is the latch before and after the block.
///
/// One addition does it: each set event carries through the run of kept positions behind it and
/// stops at the first that is not. `set` and `kept` share no position.
fn latch(set: u64, kept: u64, state: &mut bool) -> u64 {
    let events = set << 1 | u64::from(*state);
    let seen = (kept.wrapping_add(events) ^ kept) | events;
    *state = (set | (kept & seen)) >> 63 == 1;
    seen
}

/// One bit of each byte, gathered: bit `i` of the result is that of `bytes[i]`.
fn plane(bytes: &[u8; BLOCK], bit: u8) -> u64 {
    let mut mask = 0;
    let shift = bit.trailing_zeros();
    for (i, eight) in bytes.chunks_exact(8).enumerate() {
        let word = eight.iter().rev().fold(0, |word: u64, &b| word << 8 | u64::from(b));
        // Eight bytes of 0 or 1, moved into the eight bits of the top byte by one product.
        let ones = word >> shift & 0x0101_0101_0101_0101;
        mask |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

/// The positions of the set bits, from the lowest.
fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (i < 64).then_some(i as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_latch_is_a_latch(a: u64, b: u64, before: bool) {
            let (set, kept) = (a, b & !a);
            let mut after = before;
            let seen = latch(set, kept, &mut after);
            let mut state = before;
            for i in 0..64 {
                prop_assert_eq!(seen >> i & 1 == 1, state, "position {}", i);
                state = if set >> i & 1 == 1 { true } else { state && kept >> i & 1 == 1 };
            }
            prop_assert_eq!(after, state);
        }

        #[test]
        fn planes_gather_bits(bytes: [u8; 64], bit in 0..8u32) {
            let mask = plane(&bytes, 1 << bit);
            for (i, byte) in bytes.iter().enumerate() {
                prop_assert_eq!(mask >> i & 1, u64::from(byte >> bit & 1));
            }
            let set: Vec<usize> = (0..64).filter(|i| mask >> i & 1 == 1).collect();
            prop_assert_eq!(ones(mask).collect::<Vec<_>>(), set);
        }
    }
}
