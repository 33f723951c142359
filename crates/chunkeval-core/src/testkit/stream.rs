//! The laws of [`Metric`].

use std::fmt::Debug;
use std::ops::Range;

use super::split::{splits, whole};
use super::violation::{Law, Trial, Violation};
use crate::{Batch, BatchOf, Metric, Result};

/// All laws of [`Metric`] that a good batch can show.
///
/// # Errors
/// The first violation.
pub fn metric<M>(build: impl Fn() -> M, batch: BatchOf<'_, M>, seed: u64) -> Result<(), Violation>
where
    M: Metric,
    M::Output: PartialEq + Debug,
{
    reset_forgets(&build, batch)?;
    batches_are_an_accident(&build, batch, seed)?;
    reading_is_free(&build, batch, seed)
}

/// After a reset a metric has the value of a new one, then and from then on.
///
/// # Errors
/// It has not, or it refuses the batch.
pub fn reset_forgets<M>(build: impl Fn() -> M, batch: BatchOf<'_, M>) -> Result<(), Violation>
where
    M: Metric,
    M::Output: PartialEq + Debug,
{
    let all = whole(batch.len());
    let trial = Trial { law: Law::ResetForgets, parts: &all };
    let (mut new, mut used) = (build(), build());
    trial.taken(used.update(batch))?;
    used.reset();
    trial.same("the value after a reset", &new.accumulate(), &used.accumulate())?;
    let half = batch.rows(0..batch.len().div_ceil(2));
    trial.taken(new.update(half))?;
    trial.taken(used.update(half))?;
    trial.same("the value of half the rows after a reset", &new.accumulate(), &used.accumulate())
}

/// The rows give one value, however they are cut into batches and whatever the order of these.
///
/// # Errors
/// They give another value, or a part of the batch is refused.
pub fn batches_are_an_accident<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Metric,
    M::Output: PartialEq + Debug,
{
    let mut uncut = build();
    let all = whole(batch.len());
    Trial { law: Law::BatchesAreAnAccident, parts: &all }.taken(uncut.update(batch))?;
    let expected = uncut.accumulate();
    for parts in splits(batch.len(), seed) {
        let trial = Trial { law: Law::BatchesAreAnAccident, parts: &parts };
        let mut cut = build();
        trial.taken(feed(&mut cut, batch, &parts))?;
        trial.same("the value", &expected, &cut.accumulate())?;
    }
    Ok(())
}

/// Reading the value, twice and in the middle of a stream, changes nothing.
///
/// # Errors
/// It does, or a part of the batch is refused.
pub fn reading_is_free<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Metric,
    M::Output: PartialEq + Debug,
{
    for parts in splits(batch.len(), seed) {
        let trial = Trial { law: Law::ReadingIsFree, parts: &parts };
        let (mut unread, mut read) = (build(), build());
        trial.taken(feed(&mut unread, batch, &parts))?;
        for part in &parts {
            trial.taken(read.update(batch.rows(part.clone())))?;
            trial.same("the value read again", &read.accumulate(), &read.accumulate())?;
        }
        trial.same("the value", &unread.accumulate(), &read.accumulate())?;
    }
    Ok(())
}

/// An update with `bad` rows fails and leaves the metric as it was, then and from then on.
///
/// Put the bad row behind good ones: a metric that counts while it checks is found out then.
///
/// # Errors
/// The metric takes the bad batch, refuses the good one, or has changed.
pub fn failing_changes_nothing<M>(
    build: impl Fn() -> M,
    good: BatchOf<'_, M>,
    bad: BatchOf<'_, M>,
) -> Result<(), Violation>
where
    M: Metric,
    M::Output: PartialEq + Debug,
{
    let middle = good.len() / 2;
    let parts = [0..middle, middle..good.len()];
    let trial = Trial { law: Law::FailingChangesNothing, parts: &parts };
    let (mut straight, mut disturbed) = (build(), build());
    for part in &parts {
        trial.refused("the bad batch", disturbed.update(bad))?;
        trial.same("the value after", &straight.accumulate(), &disturbed.accumulate())?;
        let part = good.rows(part.clone());
        trial.taken(straight.update(part))?;
        trial.taken(disturbed.update(part))?;
        trial.same("the value", &straight.accumulate(), &disturbed.accumulate())?;
    }
    trial.refused("the bad batch", disturbed.update(bad))?;
    trial.same("the value after", &straight.accumulate(), &disturbed.accumulate())
}

/// One update with each part, in order.
pub(super) fn feed<M: Metric>(
    metric: &mut M,
    batch: BatchOf<'_, M>,
    parts: &[Range<usize>],
) -> Result<()> {
    parts.iter().try_for_each(|part| metric.update(batch.rows(part.clone())))
}
