//! The rows of a batch as one long run of codes, cut into blocks.

use super::Alphabet;
use super::alphabet::{BOUNDARY, Pairs};
use super::block::{BLOCK, count_block};
use crate::{ChunkCounts, ErrorKind, MISSING_PREDICTION, Result, TagBatch};

/// Predicted ids outside the label list, all of which read as `O`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unknown {
    /// Ids the list does not have.
    pub(crate) ids: u64,
    /// Tokens without a prediction.
    pub(crate) missing: u64,
}

/// Adds the chunks of a batch to `tally`, which has one entry for each code of the alphabet.
///
/// # Errors
/// A gold id is not in the label list. `tally` is then of no use.
pub(crate) fn count(
    alphabet: &Alphabet,
    batch: TagBatch<'_>,
    tally: &mut [ChunkCounts],
) -> Result<Unknown> {
    match alphabet {
        Alphabet::Narrow(pairs) => Stream::new(pairs, tally).count(batch),
        Alphabet::Wide(pairs) => Stream::new(pairs, tally).count(batch),
    }
}

/// Codes held before they are counted; small enough to stay in the nearest cache.
const HELD: usize = 16 * BLOCK;

struct Stream<'a, P: Pairs> {
    pairs: &'a P,
    tally: &'a mut [ChunkCounts],
    /// The code before the ones held, then those held.
    gold: [P::Code; HELD + 1],
    predicted: [P::Code; HELD + 1],
    held: usize,
    aligned: bool,
    unknown: Unknown,
}

impl<'a, P: Pairs> Stream<'a, P> {
    fn new(pairs: &'a P, tally: &'a mut [ChunkCounts]) -> Self {
        // The default code is 0, which is the boundary: the first row has one before it.
        const { assert!(BOUNDARY == 0) };
        let codes = [P::Code::default(); HELD + 1];
        let unknown = Unknown::default();
        Self { pairs, tally, gold: codes, predicted: codes, held: 0, aligned: true, unknown }
    }

    fn count(mut self, batch: TagBatch<'_>) -> Result<Unknown> {
        for (row, (gold, predicted)) in batch.iter_rows().enumerate() {
            self.push_row(gold, predicted).map_err(|position| {
                let (row, column) = batch.place(row, position);
                let id = i64::from(gold[position]);
                let labels = self.pairs.codes().of_id.len() - 1;
                ErrorKind::UnknownGold { row, column, id, labels }
            })?;
        }
        // More boundaries fill the last block; nothing starts or ends between them.
        while !self.held.is_multiple_of(BLOCK) {
            self.push_boundary();
        }
        self.flush();
        Ok(self.unknown)
    }

    /// Adds a row and the boundary behind it; `Err` is the position of an unknown gold id.
    fn push_row(&mut self, gold: &[i32], predicted: &[i32]) -> Result<(), usize> {
        let of_id = &self.pairs.codes().of_id;
        let mut done = 0;
        while done < gold.len() {
            let n = (HELD - self.held).min(gold.len() - done);
            let to = self.held + 1..self.held + 1 + n;
            let piece = &gold[done..done + n];
            if encode(of_id, piece, &mut self.gold[to.clone()]) > 0 {
                let labels = of_id.len() - 1;
                let unknown = |&id: &i32| usize::try_from(id).map_or(true, |i| i >= labels);
                return Err(done + piece.iter().position(unknown).unwrap_or(0));
            }
            let piece = &predicted[done..done + n];
            let unknown = encode(of_id, piece, &mut self.predicted[to]);
            if unknown > 0 {
                let missing = piece.iter().filter(|&&id| id == MISSING_PREDICTION).count() as u64;
                self.unknown.missing += missing;
                self.unknown.ids += unknown - missing;
            }
            done += n;
            self.held += n;
            if self.held == HELD {
                self.flush();
            }
        }
        self.push_boundary();
        Ok(())
    }

    fn push_boundary(&mut self) {
        self.held += 1;
        self.gold[self.held] = P::Code::default();
        self.predicted[self.held] = P::Code::default();
        if self.held == HELD {
            self.flush();
        }
    }

    /// Counts what is held, a whole number of blocks.
    fn flush(&mut self) {
        let blocks = (0..self.held).step_by(BLOCK).map(|at| at..at + BLOCK + 1);
        for block in blocks {
            let gold = self.gold[block.clone()].first_chunk();
            let predicted = self.predicted[block].first_chunk();
            if let (Some(gold), Some(predicted)) = (gold, predicted) {
                count_block(self.pairs, gold, predicted, &mut self.aligned, self.tally);
            }
        }
        self.gold[0] = self.gold[self.held];
        self.predicted[0] = self.predicted[self.held];
        self.held = 0;
    }
}

/// Codes of ids. Ids outside the list get the code of `O`; the result says how many they were.
fn encode<C: Copy>(of_id: &[C], ids: &[i32], codes: &mut [C]) -> u64 {
    let labels = of_id.len() - 1;
    let mut unknown = 0;
    for (code, &id) in codes.iter_mut().zip(ids) {
        // A negative id becomes a very large one.
        let index = (id as u32 as usize).min(labels);
        *code = of_id[index];
        unknown += u64::from(index == labels);
    }
    unknown
}
