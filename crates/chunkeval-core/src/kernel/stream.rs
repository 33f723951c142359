//! All rows of a batch as one long run of codes, counted block by block.

use super::alphabet::{Alphabet, AnyEngine};
use super::block::{BLOCK, ByEnds, Counter};
use super::engine::{Engine, HELD, HELD_BLOCKS, Masks};
use super::open::keep_opened;
use super::starts::ByStarts;
use crate::tags::Counting;
use crate::{ChunkCounts, ErrorKind, MISSING_PREDICTION, Result, TagBatch};

/// Predicted ids outside the label list, all of which read as `O`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unknown {
    /// Ids the list does not have.
    pub(crate) ids: u64,
    /// Tokens without a prediction.
    pub(crate) missing: u64,
}

/// Adds the chunks of a batch to `tally`, which has one entry for each type slot of the alphabet.
///
/// # Errors
/// A gold id is not in the label list. `tally` is then of no use.
pub(crate) fn count(
    alphabet: &Alphabet,
    batch: TagBatch<'_>,
    tally: &mut [ChunkCounts],
) -> Result<Unknown> {
    match alphabet.counting {
        Counting::Ends => count_by::<ByEnds<false>>(&alphabet.engine, batch, tally),
        Counting::OpenedEnds => count_by::<ByEnds<true>>(&alphabet.engine, batch, tally),
        Counting::Starts => count_by::<ByStarts>(&alphabet.engine, batch, tally),
    }
    .map_err(|Strange { position, labels }| {
        let (row, column) = batch.place_of(position);
        let id = batch.flat().0.get(position).map_or(0, |&id| i64::from(id));
        ErrorKind::UnknownGold { row, column, id, labels }.into()
    })
}

/// See [`count`].
fn count_by<K: Counter>(
    engine: &AnyEngine,
    batch: TagBatch<'_>,
    tally: &mut [ChunkCounts],
) -> Result<Unknown, Strange> {
    match engine {
        #[cfg(target_arch = "x86_64")]
        AnyEngine::Avx2(engine) => engine.count::<K>(batch, tally),
        AnyEngine::Narrow(engine) => count_with::<K, _>(engine, batch, tally),
        AnyEngine::Wide(engine) => count_with::<K, _>(engine, batch, tally),
    }
}

/// A gold id that the label list does not have.
pub(super) struct Strange {
    /// In the flat run of all tokens.
    position: usize,
    labels: usize,
}

/// See [`count`].
#[inline(always)]
pub(super) fn count_with<K: Counter, E: Engine>(
    engine: &E,
    batch: TagBatch<'_>,
    tally: &mut [ChunkCounts],
) -> Result<Unknown, Strange> {
    let (all_gold, all_predicted) = batch.flat();
    let mut row_starts = batch.row_starts().peekable();
    let mut unknown = Unknown::default();
    let mut latch = K::LATCH;
    let mut open = [false; 2];
    // Each side's codes with the one before them, which at first is that of the boundary.
    let mut gold = [E::Code::default(); HELD + 1];
    let mut predicted = gold;

    // One step more than there are tokens: the last row ends before it.
    let steps = all_gold.len() + 1;
    for at in (0..steps).step_by(HELD) {
        let tokens = at..(at + HELD).min(all_gold.len());
        let held = (steps - at).min(HELD);
        let ids = &all_gold[tokens.clone()];
        if engine.encode(ids, &mut gold[1..]) > 0 {
            let labels = engine.labels();
            let strange = |&id: &i32| id as u32 as usize >= labels;
            let position = at + ids.iter().position(strange).unwrap_or(0);
            return Err(Strange { position, labels });
        }
        let ids = &all_predicted[tokens.clone()];
        let strange = engine.encode(ids, &mut predicted[1..]);
        if strange > 0 {
            let missing = ids.iter().filter(|&&id| id == MISSING_PREDICTION).count() as u64;
            unknown.missing += missing;
            unknown.ids += strange - missing;
        }

        // Where rows start, as bytes and as bits.
        let (mut first, mut first_bits) = ([0; HELD], [0u64; HELD_BLOCKS]);
        let mut mark = |i: usize| {
            first[i] = u8::MAX;
            first_bits[i / BLOCK] |= 1 << (i % BLOCK);
        };
        while let Some(start) = row_starts.next_if(|start| *start < at + HELD) {
            mark(start - at);
        }
        // Behind the last token there are boundaries up to the end of the block.
        if tokens.len() < HELD {
            mark(tokens.len());
            let behind = tokens.len() + 1..held.div_ceil(BLOCK) * BLOCK + 1;
            gold[behind.clone()].fill(E::Code::default());
            predicted[behind].fill(E::Code::default());
        }
        let blocks = held.div_ceil(BLOCK);
        let mut masks = [[Masks::default(); HELD_BLOCKS]; 2];
        engine.masks(&gold, &first, &mut masks[0][..blocks]);
        engine.masks(&predicted, &first, &mut masks[1][..blocks]);
        if K::OPENS {
            let [g, p] = &mut masks;
            keep_opened(engine, &gold, &first, &mut g[..blocks], &mut open[0]);
            keep_opened(engine, &predicted, &first, &mut p[..blocks], &mut open[1]);
        }
        for block in 0..blocks {
            let from = block * BLOCK;
            let sides = (gold[from..].first_chunk(), predicted[from..].first_chunk());
            let (Some(gold), Some(predicted)) = sides else { break };
            // Counting waits for no memory: the ids behind those held come nearer meanwhile.
            let ahead = at + HELD + from;
            engine.fetch(all_gold.get(ahead..).unwrap_or_default());
            engine.fetch(all_predicted.get(ahead..).unwrap_or_default());
            let (gold, predicted) = ((gold, masks[0][block]), (predicted, masks[1][block]));
            K::count(engine, gold, predicted, first_bits[block], &mut latch, tally);
        }
        gold[0] = gold[HELD];
        predicted[0] = predicted[HELD];
    }
    Ok(unknown)
}
