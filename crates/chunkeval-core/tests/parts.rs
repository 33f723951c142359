//! Counts made under parts of a label list and taken over into the whole, on random rows.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    ChunkCounts, ChunkErrors, ChunkEvaluator, ChunkEvaluatorBuilder, ErrorKind, LabelReading,
    Mergeable, Metric, Mode, RowCounts, Scheme, SideBySide, TagBatch, TagSet, Tagging,
};
use proptest::prelude::*;

mod common;
use common::{DOZEN, Rows, labels, mode, rows};

/// Some labels of a list of a dozen in any order, by id in that list, and rows of them.
#[derive(Clone, Debug)]
struct Part {
    ids: Vec<usize>,
    rows: Rows,
}

impl Part {
    fn labels(&self, all: &[String]) -> Vec<String> {
        self.ids.iter().map(|&id| all[id].clone()).collect()
    }

    /// The same rows in ids of the whole list; those outside the part stay unknown.
    fn in_whole(&self) -> Rows {
        let id = |&id: &i32| match usize::try_from(id).ok().and_then(|id| self.ids.get(id)) {
            Some(&whole) => whole as i32,
            None => id,
        };
        let Rows { gold, predicted, ends } = &self.rows;
        let [gold, predicted] = [gold, predicted].map(|ids| ids.iter().map(id).collect());
        Rows { gold, predicted, ends: ends.clone() }
    }
}

fn part() -> impl Strategy<Value = Part> {
    let order = Just((0..DOZEN).collect::<Vec<_>>()).prop_shuffle();
    (order, 1..=DOZEN).prop_flat_map(|(mut ids, count)| {
        ids.truncate(count);
        rows(count, 2).prop_map(move |rows| Part { ids: ids.clone(), rows })
    })
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    prop::collection::vec(part(), 0..4)
}

fn builder(labels: Vec<String>) -> ChunkEvaluatorBuilder {
    ChunkEvaluator::builder(labels).reading(LabelReading::Reference)
}

/// Parts absorbed by a metric of the whole list, and the whole counted by one.
fn both_ways<M: Metric<Task = Tagging>>(
    all: &[String],
    parts: &[Part],
    metric: impl Fn(Vec<String>) -> M,
    absorb: impl Fn(&mut M, &M) -> chunkeval_core::Result<()>,
) -> [M; 2] {
    let [mut absorbed, mut whole] = [metric(all.to_vec()), metric(all.to_vec())];
    for part in parts {
        let mut alone = metric(part.labels(all));
        alone.update(part.rows.batch()).unwrap();
        absorb(&mut absorbed, &alone).unwrap();
        whole.update(part.in_whole().batch()).unwrap();
    }
    [absorbed, whole]
}

proptest! {
    #[test]
    fn evaluators(mode in mode(), parts in parts()) {
        let metric = |labels| builder(labels).mode(mode).build().unwrap();
        let [absorbed, whole] =
            both_ways(&labels(mode), &parts, metric, ChunkEvaluator::absorb);
        prop_assert_eq!(absorbed.state(), whole.state());
    }

    #[test]
    fn errors(
        mode in mode().prop_filter("has spans", |mode| *mode != Mode::Conlleval),
        parts in parts(),
    ) {
        let metric = |labels| {
            let builder = TagSet::builder(labels).reading(LabelReading::Reference).mode(mode);
            ChunkErrors::with_tags(builder.build().unwrap()).unwrap()
        };
        let [absorbed, whole] = both_ways(&labels(mode), &parts, metric, ChunkErrors::absorb);
        prop_assert_eq!(absorbed.state(), whole.state());
        prop_assert_eq!(absorbed.accumulate(), whole.accumulate());
    }

    #[test]
    fn readings_side_by_side(scheme in prop::sample::select(&Scheme::ALL[..]), parts in parts()) {
        let strict = Mode::Strict(scheme);
        let metric = |labels| {
            builder(labels).side_by_side([strict, Mode::Lenient, Mode::Conlleval]).unwrap()
        };
        let [absorbed, whole] = both_ways(&labels(strict), &parts, metric, SideBySide::absorb);
        prop_assert_eq!(absorbed.state(), whole.state());
    }

    /// Where a chunk can be correct under a type that none of the part's labels begins, it is in
    /// the row's total only.
    #[test]
    fn rows_one_by_one(mode in mode(), parts in parts()) {
        let all = builder(labels(mode)).mode(mode).build().unwrap();
        let [mut moved, mut whole] = [RowCounts::new(&all), RowCounts::new(&all)];
        for part in &parts {
            let metric = builder(part.labels(&labels(mode))).mode(mode).build().unwrap();
            let mut alone = RowCounts::new(&metric);
            alone.push(&metric, part.rows.batch()).unwrap();
            moved.append(&alone.moved(&metric, &all).unwrap()).unwrap();
            whole.push(&all, part.in_whole().batch()).unwrap();
        }
        if mode != Mode::Conlleval {
            prop_assert_eq!(&moved, &whole);
        }
        prop_assert_eq!(moved.len(), whole.len());
        for row in 0..whole.len() {
            prop_assert_eq!(moved.row_total(row), whole.row_total(row));
        }
        for (moved, whole) in moved.per_type().iter().zip(whole.per_type()) {
            prop_assert_eq!((moved.gold, moved.predicted), (whole.gold, whole.predicted));
            prop_assert!(moved.correct <= whole.correct);
        }
    }
}

/// What is not a part is refused, and nothing has changed then.
#[test]
fn what_is_no_part() {
    let list = |labels: &[&str]| labels.iter().copied().map(str::to_owned).collect::<Vec<_>>();
    let (few, other) = (list(&["O", "B-X"]), list(&["O", "B-Y"]));
    let batch = TagBatch::new(&[1, 0], &[1, 1], &[2]).unwrap();
    let incompatible = |error: chunkeval_core::Error| {
        assert!(matches!(error.kind(), ErrorKind::Incompatible { .. }), "{error}");
    };

    let modes = [Mode::Lenient, Mode::Strict(Scheme::Iob2)];
    let readings = |labels: &[String], modes: &[Mode]| {
        let mut metric = builder(labels.to_vec()).side_by_side(modes.iter().copied()).unwrap();
        metric.update(batch).unwrap();
        metric
    };
    let mut mine = readings(&few, &modes);
    let before = mine.state().clone();
    let turned = [modes[1], modes[0]];
    for part in [readings(&other, &modes), readings(&few, &turned), readings(&few, &modes[..1])] {
        incompatible(mine.absorb(&part).unwrap_err());
        assert_eq!(mine.state(), &before);
    }

    let errors = |labels: &[String]| ChunkErrors::new(labels.to_vec()).unwrap();
    let mut mine = errors(&few);
    mine.update(batch).unwrap();
    let before = mine.state().clone();
    incompatible(mine.absorb(&errors(&other)).unwrap_err());
    assert_eq!(mine.state(), &before);

    let evaluator = |labels: &[String]| builder(labels.to_vec()).build().unwrap();
    let (few, other) = (evaluator(&few), evaluator(&other));
    incompatible(RowCounts::new(&few).moved(&few, &other).unwrap_err());
    incompatible(RowCounts::new(&few).moved(&other, &other).unwrap_err());
}

/// Sums that do not fit change nothing, not even readings in which they fit.
#[test]
fn a_sum_that_overflows_changes_nothing() {
    let metric = || builder(vec!["O".to_owned(), "B-X".to_owned()]);
    let batch = TagBatch::new(&[1], &[1], &[1]).unwrap();
    let overflows = |error: chunkeval_core::Error| {
        assert!(matches!(error.kind(), ErrorKind::Overflow), "{error}");
    };

    let mut full = metric().build().unwrap();
    full.update_counts(ChunkCounts { gold: u64::MAX, predicted: 1, correct: 1 }).unwrap();
    let mut part = metric().build().unwrap();
    part.update(batch).unwrap();
    let before = full.state().clone();
    overflows(full.absorb(&part).unwrap_err());
    assert_eq!(full.state(), &before);

    let mut full = metric().side_by_side([Mode::Lenient, Mode::Conlleval]).unwrap();
    let mut state = serde_json::to_value(full.state()).unwrap();
    state[1]["total"]["gold"] = u64::MAX.into();
    full.merge(&serde_json::from_value(state).unwrap()).unwrap();
    let mut part = metric().side_by_side([Mode::Lenient, Mode::Conlleval]).unwrap();
    part.update(batch).unwrap();
    let before = full.state().clone();
    overflows(full.absorb(&part).unwrap_err());
    assert_eq!(full.state(), &before);
}
