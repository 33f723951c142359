//! Strict schemes: a chunk must be opened before it can end.

use super::block::latch;
use super::engine::Masks;

/// Leaves the starts that open a chunk, and the ends of open chunks, in consecutive blocks of one
/// side. `open` says, before and after, whether a chunk is open.
///
/// A start opens a chunk and insides keep it open. A start where an open chunk goes on is none;
/// nor is an end there, or one without an open chunk.
#[inline(always)]
pub(super) fn keep_opened(blocks: &mut [Masks], open: &mut bool) {
    for masks in blocks {
        let was_open = latch(masks.starts, masks.insides & !masks.starts, open);
        let goes_on = was_open & masks.insides;
        masks.starts &= !goes_on;
        masks.ends &= was_open & !goes_on;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_one_token_at_a_time(
            given in prop::collection::vec(any::<[u64; 3]>(), 0..4),
            before: bool,
        ) {
            let given = given.into_iter().map(|[starts, ends, insides]| Masks { starts, ends, insides });
            let given: Vec<Masks> = given.collect();
            let (mut found, mut after) = (given.clone(), before);
            keep_opened(&mut found, &mut after);
            let mut open = before;
            for (given, found) in given.iter().zip(&found) {
                for i in 0..64 {
                    let is = |mask: u64| mask >> i & 1 == 1;
                    let goes_on = open && is(given.insides);
                    prop_assert_eq!(is(found.starts), is(given.starts) && !goes_on);
                    prop_assert_eq!(is(found.ends), is(given.ends) && open && !goes_on);
                    open = is(given.starts) || goes_on;
                }
            }
            prop_assert_eq!(after, open);
        }
    }
}
