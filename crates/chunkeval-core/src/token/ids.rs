//! Counting tokens by ids.

use std::collections::HashMap;

use super::TokenCounts;
use crate::{Batch, Diagnostics, ErrorKind, MISSING_PREDICTION, Result, TagBatch};

/// Which ids stand for the same text.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    /// How many ids there are.
    labels: u32,
    /// The id of `O`; one that is none if the list has no `O`.
    outside: i32,
    /// The first id of each id's text, if any text stands in the list twice.
    first: Option<Vec<i32>>,
}

impl Ids {
    pub(super) fn new(labels: &[String]) -> Self {
        let mut of_text = HashMap::new();
        let first: Vec<i32> =
            labels.iter().zip(0..).map(|(label, id)| *of_text.entry(label).or_insert(id)).collect();
        let outside = labels.iter().zip(0..).find(|(label, _)| *label == "O");
        Self {
            labels: labels.len() as u32,
            outside: outside.map_or(labels.len() as i32, |(_, id)| id),
            first: (of_text.len() < labels.len()).then_some(first),
        }
    }

    /// Whether the list has the id; a negative one is a very large one.
    #[inline(always)]
    fn has(&self, id: i32) -> bool {
        (id as u32) < self.labels
    }

    pub(super) fn count(&self, batch: TagBatch<'_>) -> Result<(TokenCounts, Diagnostics)> {
        match &self.first {
            None => self.count_by(batch, |id| if self.has(id) { id } else { self.outside }),
            Some(first) => self.count_by(batch, |id| {
                first.get(id as u32 as usize).copied().unwrap_or(self.outside)
            }),
        }
    }

    /// Counts a batch in one pass without branches, so that the compiler can take many tokens at
    /// a time.
    #[inline(always)]
    fn count_by(
        &self,
        batch: TagBatch<'_>,
        code: impl Fn(i32) -> i32,
    ) -> Result<(TokenCounts, Diagnostics)> {
        /// So few that sums of 32 bits hold them.
        const BLOCK: usize = 1 << 12;
        let (all_gold, all_predicted) = batch.flat();
        let [mut strange, mut unknown, mut missing, mut equal, mut outside, mut both] = [0u64; 6];
        for (gold, predicted) in all_gold.chunks(BLOCK).zip(all_predicted.chunks(BLOCK)) {
            let mut sums = [0u32; 6];
            for (&gold, &predicted) in gold.iter().zip(predicted) {
                sums[0] += u32::from(!self.has(gold));
                sums[1] += u32::from(!self.has(predicted));
                sums[2] += u32::from(predicted == MISSING_PREDICTION);
                let (gold, predicted) = (code(gold), code(predicted));
                sums[3] += u32::from(gold == predicted);
                sums[4] += u32::from(predicted == self.outside);
                sums[5] += u32::from(gold == self.outside) & u32::from(predicted == self.outside);
            }
            let totals =
                [&mut strange, &mut unknown, &mut missing, &mut equal, &mut outside, &mut both];
            totals.into_iter().zip(sums).for_each(|(total, sum)| *total += u64::from(sum));
        }
        if strange > 0
            && let Some(at) = all_gold.iter().position(|&id| !self.has(id))
        {
            let (row, column) = batch.place_of(at);
            let (id, labels) = (i64::from(all_gold[at]), self.labels as usize);
            return Err(ErrorKind::UnknownGold { row, column, id, labels }.into());
        }
        let tokens = batch.tokens() as u64;
        let false_negative = outside - both;
        let counts = TokenCounts {
            true_positive: equal - both,
            false_positive: tokens - equal - false_negative,
            false_negative,
            true_negative: both,
        };
        let diagnostics = Diagnostics {
            rows: batch.len() as u64,
            tokens,
            ignored: batch.ignored(),
            unknown_predicted: unknown - missing,
            missing_predicted: missing,
        };
        Ok((counts, diagnostics))
    }
}
