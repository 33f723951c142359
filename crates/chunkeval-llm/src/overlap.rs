//! How many things two lists have in common.

use chunkeval_core::ChunkCounts;

/// Lists up to this long are compared pair by pair, which needs no memory.
const SHORT: usize = 8;

/// Counts of two lists as sets: what stands in a list twice counts once.
pub(crate) fn of_sets<T: Ord>(gold: &[T], predicted: &[T]) -> ChunkCounts {
    if gold.len() <= SHORT && predicted.len() <= SHORT {
        let gold = distinct(gold);
        let correct = gold.clone().filter(|thing| predicted.contains(thing)).count();
        return counts(gold.count(), distinct(predicted).count(), correct);
    }
    let [mut gold, mut predicted] = [sorted(gold), sorted(predicted)];
    gold.dedup();
    predicted.dedup();
    counts(gold.len(), predicted.len(), common(&gold, &predicted))
}

/// Counts of two lists as multisets: what stands in both so many times counts so many times.
pub(crate) fn of_multisets<T: Ord>(gold: &[T], predicted: &[T]) -> ChunkCounts {
    counts(gold.len(), predicted.len(), common(&sorted(gold), &sorted(predicted)))
}

/// How many things of a list stood in it before.
pub(crate) fn repeats<T: Ord>(list: &[T]) -> usize {
    let distinct = match list.len() {
        0 | 1 => list.len(),
        short if short <= SHORT => distinct(list).count(),
        _ => {
            let mut sorted = sorted(list);
            sorted.dedup();
            sorted.len()
        }
    };
    list.len() - distinct
}

fn counts(gold: usize, predicted: usize, correct: usize) -> ChunkCounts {
    ChunkCounts { gold: gold as u64, predicted: predicted as u64, correct: correct as u64 }
}

/// Each thing where it stands first.
fn distinct<T: PartialEq>(list: &[T]) -> impl Iterator<Item = &T> + Clone {
    let first = |&(at, thing): &(usize, &T)| !list.iter().take(at).any(|before| before == thing);
    list.iter().enumerate().filter(first).map(|(_, thing)| thing)
}

fn sorted<T: Ord>(list: &[T]) -> Vec<&T> {
    let mut sorted: Vec<&T> = list.iter().collect();
    sorted.sort_unstable();
    sorted
}

/// How many things of two sorted lists can be paired with an equal one.
fn common<T: Ord>(a: &[&T], b: &[&T]) -> usize {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut pairs = 0;
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let order = x.cmp(y);
        pairs += usize::from(order.is_eq());
        if order.is_le() {
            a.next();
        }
        if order.is_ge() {
            b.next();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Short lists and long ones, which are counted in two ways.
        #[test]
        fn counts_are_those_of_plain_sets_and_multisets(
            gold in prop::collection::vec(0_u8..9, 0..20),
            predicted in prop::collection::vec(0_u8..9, 0..20),
        ) {
            let set = |list: &[u8]| list.iter().copied().collect::<BTreeSet<u8>>();
            let (g, p) = (set(&gold), set(&predicted));
            let sets = of_sets(&gold, &predicted);
            prop_assert_eq!(sets, counts(g.len(), p.len(), g.intersection(&p).count()));
            prop_assert_eq!(repeats(&gold), gold.len() - g.len());

            let times = |list: &[u8], x: u8| list.iter().filter(|&&y| y == x).count();
            let common = (0..9).map(|x| times(&gold, x).min(times(&predicted, x))).sum();
            let multisets = of_multisets(&gold, &predicted);
            prop_assert_eq!(multisets, counts(gold.len(), predicted.len(), common));
        }
    }
}
