//! The laws of [`Mergeable`] and of its [`State`].

use std::fmt::Debug;
use std::num::NonZeroUsize;

use super::split::{splits, thirds, whole};
use super::stream::{feed, metric};
use super::violation::{Law, Trial, Violation};
use crate::{Batch, BatchOf, Error, Mergeable, Result, Snapshot, State, measure_parallel};

/// All laws of [`Metric`](crate::Metric) and of [`Mergeable`] that a good batch can show.
///
/// # Errors
/// The first violation.
pub fn mergeable<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Mergeable,
    M::Output: PartialEq + Debug,
{
    metric(&build, batch, seed)?;
    states_are_a_sum(&build, batch, seed)?;
    update_is_merge(&build, batch, seed)?;
    saved_comes_back(&build, batch, seed)
}

/// `merge` is associative and commutative, and `zero` is its identity.
///
/// # Errors
/// It is not, or a part of the batch or its state is refused.
pub fn states_are_a_sum<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Mergeable,
{
    let metric = build();
    for parts in thirds(batch.len(), seed) {
        let trial = |law| Trial { law, parts: &parts };
        let plus = |law, a: &M::State, b: &M::State| {
            let mut sum = a.clone();
            trial(law).taken(sum.merge(b))?;
            Ok::<_, Violation>(sum)
        };
        let [a, b, c] = parts
            .each_ref()
            .map(|part| trial(Law::UpdateIsMerge).taken(metric.measure(batch.rows(part.clone()))));
        let (a, b, c) = (a?, b?, c?);

        let law = Law::ZeroIsNothing;
        let zero = metric.zero();
        trial(law).same_state(&a, &plus(law, &a, &zero)?)?;
        trial(law).same_state(&a, &plus(law, &zero, &a)?)?;
        let law = Law::MergeCommutes;
        trial(law).same_state(&plus(law, &a, &b)?, &plus(law, &b, &a)?)?;
        let law = Law::MergeAssociates;
        let (left, right) = (plus(law, &a, &b)?, plus(law, &b, &c)?);
        trial(law).same_state(&plus(law, &left, &c)?, &plus(law, &a, &right)?)?;
    }
    Ok(())
}

/// An update with a batch is a merge of what was measured of it, whole or in parts; the value is
/// that of the state; a reset leaves the state of nothing seen.
///
/// # Errors
/// It is not, or a part of the batch or its state is refused.
pub fn update_is_merge<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Mergeable,
    M::Output: PartialEq + Debug,
{
    let all = whole(batch.len());
    let trial = Trial { law: Law::UpdateIsMerge, parts: &all };
    let mut uncut = build();
    trial.same_state(&uncut.zero(), uncut.state())?;
    trial.taken(uncut.update(batch))?;
    trial.same_state(uncut.state(), &trial.taken(uncut.measure(batch))?)?;
    for parts in splits(batch.len(), seed) {
        let trial = Trial { law: Law::UpdateIsMerge, parts: &parts };
        let mut merged = build();
        for part in &parts {
            let state = trial.taken(uncut.measure(batch.rows(part.clone())))?;
            trial.taken(merged.merge(&state))?;
        }
        trial.same_state(uncut.state(), merged.state())?;
        trial.same("the value", &uncut.accumulate(), &merged.accumulate())?;
        let finished = uncut.finish(merged.state());
        trial.same("the value of the state", &uncut.accumulate(), &finished)?;
        merged.reset();
        let trial = Trial { law: Law::ResetForgets, ..trial };
        trial.same_state(&uncut.zero(), merged.state())?;
    }
    Ok(())
}

/// A [`Snapshot`] that was written as JSON and read back restores the metric, whatever that had
/// seen, and adds to it what it holds.
///
/// # Errors
/// It does not, or it cannot be written or read, or a part of the batch is refused.
pub fn saved_comes_back<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
    seed: u64,
) -> Result<(), Violation>
where
    M: Mergeable,
    M::Output: PartialEq + Debug,
{
    for parts in thirds(batch.len(), seed) {
        let trial = Trial { law: Law::SavedComesBack, parts: &parts };
        let [first, second, third] = parts.each_ref().map(|part| batch.rows(part.clone()));
        let (mut straight, mut restored) = (build(), build());
        trial.taken(straight.update(first))?;
        trial.taken(restored.update(second))?;
        let saved = trial.taken(through_json(&Snapshot::of(&straight)))?;

        trial.taken(saved.restore_into(&mut restored))?;
        trial.same_state(straight.state(), restored.state())?;
        trial.same("the value", &straight.accumulate(), &restored.accumulate())?;
        trial.taken(straight.update(third))?;
        trial.taken(restored.update(third))?;
        trial.same_state(straight.state(), restored.state())?;

        let mut added = build();
        trial.taken(added.update(third))?;
        trial.taken(saved.merge_into(&mut added))?;
        trial.same_state(straight.state(), added.state())?;
    }
    Ok(())
}

fn through_json<S: State>(snapshot: &Snapshot<S>) -> Result<Snapshot<S>> {
    let text = serde_json::to_string(snapshot).map_err(Error::custom)?;
    serde_json::from_str(&text).map_err(Error::custom)
}

/// Measuring on any number of threads gives the state that one gives; see [`measure_parallel`].
///
/// # Errors
/// It does not, or a part of the batch is refused.
pub fn threads_are_an_accident<M>(
    build: impl Fn() -> M,
    batch: BatchOf<'_, M>,
) -> Result<(), Violation>
where
    M: Mergeable + Sync,
{
    let all = whole(batch.len());
    let trial = Trial { law: Law::ThreadsAreAnAccident, parts: &all };
    let metric = build();
    let uncut = trial.taken(metric.measure(batch))?;
    for threads in [1, 2, 3, batch.len(), batch.len() + 3] {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        trial.same_state(&uncut, &trial.taken(measure_parallel(&metric, batch, threads))?)?;
    }
    Ok(())
}

/// A [`Snapshot`] of `foreign`, a metric of another configuration, is refused and changes nothing.
///
/// # Errors
/// It is taken, the metric has changed, or the batch is refused.
pub fn foreign_is_refused<M, F>(
    build: impl Fn() -> M,
    foreign: &F,
    batch: BatchOf<'_, M>,
) -> Result<(), Violation>
where
    M: Mergeable,
    F: Mergeable<State = M::State>,
{
    let all = whole(batch.len());
    let trial = Trial { law: Law::ForeignIsRefused, parts: &all };
    let (mut metric, mut before) = (build(), build());
    trial.taken(feed(&mut metric, batch, &all))?;
    trial.taken(feed(&mut before, batch, &all))?;
    let snapshot = Snapshot::of(foreign);
    trial.refused("restoring a foreign snapshot", snapshot.restore_into(&mut metric))?;
    trial.refused("merging a foreign snapshot", snapshot.merge_into(&mut metric))?;
    trial.same_state(before.state(), metric.state())
}
