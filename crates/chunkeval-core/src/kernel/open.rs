//! Strict schemes: a chunk must be opened before it can end.

use super::block::latch;
use super::engine::{Engine, HELD, HELD_BLOCKS, Masks};

/// Leaves the starts that open a chunk, and the ends of open chunks, in the blocks held of one
/// side. `open` says, before and after, whether a chunk is open.
#[inline(always)]
pub(super) fn keep_opened<E: Engine>(
    engine: &E,
    codes: &[E::Code; HELD + 1],
    first: &[u8; HELD],
    blocks: &mut [Masks],
    open: &mut bool,
) {
    let mut insides = [0; HELD_BLOCKS];
    let insides = &mut insides[..blocks.len()];
    engine.insides(codes, first, insides);
    for (masks, &mut inside) in blocks.iter_mut().zip(insides) {
        *masks = opened(*masks, inside, open);
    }
}

/// A start opens a chunk and insides keep it open. A start where an open chunk goes on is none;
/// nor is an end there, or one without an open chunk.
#[inline(always)]
fn opened(masks: Masks, inside: u64, open: &mut bool) -> Masks {
    let was_open = latch(masks.starts, inside & !masks.starts, open);
    let goes_on = was_open & inside;
    Masks { starts: masks.starts & !goes_on, ends: masks.ends & was_open & !goes_on }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_one_token_at_a_time(starts: u64, ends: u64, inside: u64, before: bool) {
            let mut after = before;
            let found = opened(Masks { starts, ends }, inside, &mut after);
            let mut open = before;
            for i in 0..64 {
                let is = |mask: u64| mask >> i & 1 == 1;
                let goes_on = open && is(inside);
                prop_assert_eq!(is(found.starts), is(starts) && !goes_on);
                prop_assert_eq!(is(found.ends), is(ends) && open && !goes_on);
                open = is(starts) || goes_on;
            }
            prop_assert_eq!(after, open);
        }
    }
}
