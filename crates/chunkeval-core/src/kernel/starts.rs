//! conlleval: chunks are counted where they start, and matched by a latch of their own.

use super::alphabet::Code;
use super::block::{BLOCK, Counter, Side, latch, ones};
use super::engine::Engine;
use crate::ChunkCounts;

/// Counts starts. A match opens where both sides start with the same type. It is dropped where
/// only one side ends or the types differ, and counts where both sides end, or at the end of a
/// row.
pub(super) struct ByStarts;

impl Counter for ByStarts {
    const OPENS: bool = false;
    const LATCH: bool = false;

    #[inline(always)]
    fn count<E: Engine>(
        engine: &E,
        (gold, g): Side<'_, E::Code>,
        (predicted, p): Side<'_, E::Code>,
        first: u64,
        matching: &mut bool,
        tally: &mut [ChunkCounts],
    ) {
        if g.starts | p.starts == 0 && !*matching {
            return; // No match is open, and none opens.
        }
        let (gold_before, gold) = (&gold[..BLOCK], &gold[1..]);
        let predicted = &predicted[1..];
        let same = engine.same_slot(gold, predicted);
        let set = g.starts & p.starts & same;
        let kept = same & !(g.ends | p.ends | first | set);
        let correct = latch(set, kept, matching) & (g.ends & p.ends | first);

        add(engine, gold, g.starts, tally, |counts| &mut counts.gold);
        add(engine, predicted, p.starts, tally, |counts| &mut counts.predicted);
        // As long as a match is open both sides have the same type.
        add(engine, gold_before, correct, tally, |counts| &mut counts.correct);
    }
}

/// Adds the tokens of a mask by their type slots.
#[inline(always)]
fn add<E: Engine>(
    engine: &E,
    codes: &[E::Code],
    mask: u64,
    tally: &mut [ChunkCounts],
    count: impl Fn(&mut ChunkCounts) -> &mut u64,
) {
    if mask.count_ones() as usize > E::few(tally.len()) {
        for (slot, counts) in tally.iter_mut().enumerate() {
            *count(counts) += u64::from((mask & engine.of_slot(codes, slot)).count_ones());
        }
        return;
    }
    for i in ones(mask) {
        *count(&mut tally[codes[i].slot()]) += 1;
    }
}
