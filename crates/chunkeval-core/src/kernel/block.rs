//! Sixty-four tokens of both sides at once, as bit masks.

use super::alphabet::Code;
use super::engine::{Engine, Masks, Window};
use crate::ChunkCounts;

/// Tokens counted at once.
pub(super) const BLOCK: usize = 64;

/// One side of a block: its codes, and where chunks start and end.
pub(super) type Side<'a, C> = (&'a Window<C>, Masks);

/// A way to count chunks from masks. Each is compiled apart, so that none pays for another.
pub(super) trait Counter {
    /// Whether only opened chunks end (see [`open`](super::open)).
    const OPENS: bool;
    /// The latch at the beginning.
    const LATCH: bool;

    /// Counts one block by type slot, and moves the latch on. `first` says where rows start.
    fn count<E: Engine>(
        engine: &E,
        gold: Side<'_, E::Code>,
        predicted: Side<'_, E::Code>,
        first: u64,
        latch: &mut bool,
        tally: &mut [ChunkCounts],
    );
}

/// Counts ends; two chunks are equal if they end together and began together.
pub(super) struct ByEnds<const OPENS: bool>;

impl<const OPENS: bool> Counter for ByEnds<OPENS> {
    const OPENS: bool = OPENS;
    const LATCH: bool = true;

    #[inline(always)]
    fn count<E: Engine>(
        engine: &E,
        gold: Side<'_, E::Code>,
        predicted: Side<'_, E::Code>,
        first: u64,
        latch: &mut bool,
        tally: &mut [ChunkCounts],
    ) {
        count_ends(engine, gold, predicted, first, latch, tally);
    }
}

/// `aligned` says, before and after, whether the chunks last started on the two sides started
/// together.
#[inline(always)]
fn count_ends<E: Engine>(
    engine: &E,
    (gold, g): Side<'_, E::Code>,
    (predicted, p): Side<'_, E::Code>,
    first: u64,
    aligned: &mut bool,
    tally: &mut [ChunkCounts],
) {
    if g.starts | p.starts | g.ends | p.ends | first == 0 {
        return; // `O` all along: nothing ends, the latch stays.
    }
    // A start at the beginning of a row changes nothing: both sides begin at 0 there anyway.
    let set = g.starts & p.starts | first;
    let kept = !(g.starts | p.starts | first);
    let together = g.ends & p.ends & latch(set, kept, aligned);

    // The type of a chunk is that of the token before its end.
    let (gold, predicted) = (&gold[..BLOCK], &predicted[..BLOCK]);
    if (g.ends.count_ones() + p.ends.count_ones()) as usize > 2 * E::few(tally.len()) {
        for (slot, counts) in tally.iter_mut().enumerate() {
            let g_slot = engine.of_slot(gold, slot);
            let p_slot = engine.of_slot(predicted, slot);
            counts.gold += u64::from((g.ends & g_slot).count_ones());
            counts.predicted += u64::from((p.ends & p_slot).count_ones());
            counts.correct += u64::from((together & g_slot & p_slot).count_ones());
        }
        return;
    }
    for i in ones(g.ends) {
        tally[gold[i].slot()].gold += 1;
    }
    for i in ones(p.ends) {
        tally[predicted[i].slot()].predicted += 1;
    }
    for i in ones(together) {
        let slot = gold[i].slot();
        tally[slot].correct += u64::from(slot == predicted[i].slot());
    }
}

/// The positions that see a latch set: it becomes true after each position of `set`, stays as it
/// is over `kept`, and becomes false elsewhere. `state` is the latch before and after the block.
///
/// One addition does it: each set event carries through the run of kept positions behind it and
/// stops at the first that is not. `set` and `kept` share no position.
#[inline(always)]
pub(super) fn latch(set: u64, kept: u64, state: &mut bool) -> u64 {
    let events = set << 1 | u64::from(*state);
    let seen = (kept.wrapping_add(events) ^ kept) | events;
    *state = (set | (kept & seen)) >> 63 == 1;
    seen
}

/// The positions of the set bits, from the lowest.
#[inline(always)]
pub(super) fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
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
        fn ones_are_the_set_bits(mask: u64) {
            let set: Vec<usize> = (0..64).filter(|i| mask >> i & 1 == 1).collect();
            prop_assert_eq!(ones(mask).collect::<Vec<_>>(), set);
        }
    }
}
