//! Measuring one batch on several threads.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use crate::{Batch, BatchOf, Mergeable, Result, State};

/// The state of one batch, measured on up to `threads` threads: exactly what
/// [`measure`](Mergeable::measure) gives.
///
/// Rows are cut into ranges of about equal [`cost`](Batch::cost), one for each thread, and their
/// states are merged in the order of the rows. Threads are started for each call: this is for
/// whole test sets, not for the batches of a training loop. A thread that the system refuses to
/// start is done without.
///
/// ```
/// use std::num::NonZeroUsize;
/// use chunkeval_core::{ChunkEvaluator, Mergeable, Metric, TagBatch, measure_parallel};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let batch = TagBatch::new(&[1, 2, 0, 1], &[1, 2, 0, 0], &[3, 4])?;
///
/// let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
/// let state = measure_parallel(&metric, batch, threads)?;
/// assert_eq!(state, metric.measure(batch)?);
/// metric.merge(&state)?;
/// assert_eq!(metric.accumulate().overall.recall, 1.0 / 2.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// # Errors
/// As for [`measure`](Mergeable::measure). Of several bad ranges the first one counts, so a
/// metric that stops at its first bad row names the same row here.
pub fn measure_parallel<M: Mergeable + Sync>(
    metric: &M,
    batch: BatchOf<'_, M>,
    threads: NonZeroUsize,
) -> Result<M::State> {
    let mut ranges = cut(batch, threads).into_iter().map(|range| batch.rows(range));
    let Some(first) = ranges.next() else { return metric.measure(batch) };
    scope(|scope| {
        let rest: Vec<_> = ranges
            .map(|rows| (rows, Builder::new().spawn_scoped(scope, move || metric.measure(rows))))
            .collect();
        let mut sum = metric.measure(first)?;
        for (rows, thread) in rest {
            let state = match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // The system has no more threads: this one does the work.
                Err(_) => metric.measure(rows),
            };
            sum.merge(&state?)?;
        }
        Ok(sum)
    })
}

/// Row ranges that are not empty and cover all rows in order, at most one for each thread.
fn cut<B: Batch>(batch: B, threads: NonZeroUsize) -> Vec<Range<usize>> {
    let rows = batch.len();
    let parts = threads.get().min(rows);
    let total = batch.cost() as u128;
    let mut ranges = Vec::with_capacity(parts);
    let mut start = 0;
    for part in 1..=parts {
        let target = total * part as u128 / parts as u128;
        let end = if part == parts { rows } else { nearest(batch, start, target) };
        if end > start {
            ranges.push(start..end);
            start = end;
        }
    }
    ranges
}

/// How many rows, `least` or more, cost nearest to `target`.
fn nearest<B: Batch>(batch: B, least: usize, target: u128) -> usize {
    let cost = |rows| batch.rows(0..rows).cost() as u128;
    let (mut low, mut high) = (least, batch.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if cost(middle) < target { low = middle + 1 } else { high = middle }
    }
    // Now `low` is the least number that reaches the target; one row less may be nearer to it.
    let over = cost(low).saturating_sub(target);
    if low > least && target.saturating_sub(cost(low - 1)) < over { low - 1 } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TagBatch;

    fn ranges(lengths: &[usize], threads: usize) -> Vec<Range<usize>> {
        let ends: Vec<usize> = lengths
            .iter()
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect();
        let ids = vec![0; ends.last().copied().unwrap_or(0)];
        cut(TagBatch::new(&ids, &ids, &ends).unwrap(), NonZeroUsize::new(threads).unwrap())
    }

    #[test]
    fn ranges_are_balanced_by_tokens() {
        assert_eq!(ranges(&[1, 1, 1, 1, 1, 1], 3), [0..2, 2..4, 4..6]);
        assert_eq!(ranges(&[90, 1, 1, 1, 1, 1, 1], 2), [0..1, 1..7]);
        assert_eq!(ranges(&[1, 1, 1, 1, 1, 1, 90], 2), [0..6, 6..7]);
        assert_eq!(ranges(&[1, 90, 1], 4), [0..1, 1..2, 2..3], "no row is cut");
        assert_eq!(ranges(&[5, 5], 9), [0..1, 1..2]);
        assert_eq!(ranges(&[0, 0, 0], 2).len(), 1);
        assert_eq!(ranges(&[], 2), []);
    }
}
