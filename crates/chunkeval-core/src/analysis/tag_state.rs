//! What [`TagDiagnostics`](crate::TagDiagnostics) keeps.

use serde::{Deserialize, Serialize};

use super::fault::{Side, TagFault, TagFaultCounts};
use super::well_formed::Checker;
use crate::evaluator::malformed;
use crate::{Batch, ErrorKind, Result, State, TagBatch, TagSet};

/// Counts of rows, tokens and faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagDiagnosticsState {
    pub(super) rows: u64,
    pub(super) tokens: u64,
    pub(super) ignored: u64,
    pub(super) empty_rows: u64,
    pub(super) rows_without_gold: u64,
    pub(super) rows_without_predicted: u64,
    pub(super) gold: TagFaultCounts,
    pub(super) predicted: TagFaultCounts,
}

impl TagDiagnosticsState {
    /// The state of a batch. `each` gets every fault with the number of its row in the batch, its
    /// offset there, and the id.
    pub(super) fn of(
        tags: &TagSet,
        checker: &Checker,
        batch: TagBatch<'_>,
        mut each: impl FnMut(usize, usize, Side, TagFault, i32),
    ) -> Result<Self> {
        batch.check(tags.labels().len())?;
        let mut state = Self {
            rows: batch.len() as u64,
            tokens: batch.tokens() as u64,
            ignored: batch.ignored(),
            ..Self::default()
        };
        let no_chunk = |ids: &[i32]| u64::from(!tags.has_chunk(ids));
        for (row, (gold, predicted)) in batch.iter_rows().enumerate() {
            state.empty_rows += u64::from(gold.is_empty());
            state.rows_without_gold += no_chunk(gold);
            state.rows_without_predicted += no_chunk(predicted);
            let sides = [
                (Side::Gold, gold, &mut state.gold),
                (Side::Predicted, predicted, &mut state.predicted),
            ];
            for (side, ids, counts) in sides {
                checker.faults(ids, |at, fault| {
                    *counts.of(fault) += 1;
                    each(row, at, side, fault, ids.get(at).copied().unwrap_or_default());
                });
            }
        }
        Ok(state)
    }

    /// The sum of two states.
    pub(super) fn plus(&self, other: &Self) -> Result<Self> {
        let sum = |a: u64, b: u64| a.checked_add(b).ok_or_else(|| ErrorKind::Overflow);
        Ok(Self {
            rows: sum(self.rows, other.rows)?,
            tokens: sum(self.tokens, other.tokens)?,
            ignored: sum(self.ignored, other.ignored)?,
            empty_rows: sum(self.empty_rows, other.empty_rows)?,
            rows_without_gold: sum(self.rows_without_gold, other.rows_without_gold)?,
            rows_without_predicted: sum(self.rows_without_predicted, other.rows_without_predicted)?,
            gold: self.gold.plus(&other.gold)?,
            predicted: self.predicted.plus(&other.predicted)?,
        })
    }

    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        let sides = [self.rows_without_gold, self.rows_without_predicted];
        if !sides.iter().all(|side| (self.empty_rows..=self.rows).contains(side)) {
            return Err(malformed("the rows without chunks are not some of all rows"));
        }
        let unpredicted = [TagFault::UnknownId, TagFault::MissingPrediction];
        if unpredicted.iter().any(|&fault| self.gold.count(fault) > 0) {
            return Err(malformed("gold tags cannot be unknown or missing"));
        }
        let too_many = |side: &TagFaultCounts| {
            TagFault::ALL.into_iter().any(|fault| side.count(fault) > self.tokens)
        };
        match [self.gold, self.predicted].iter().any(too_many) {
            true => Err(malformed("there are more faults of a kind than tokens")),
            false => Ok(()),
        }
    }
}

impl State for TagDiagnosticsState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        other.check()?;
        *self = self.plus(other)?;
        Ok(())
    }
}
