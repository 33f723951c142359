//! The laws of `Metric` and `Mergeable`, on random rows.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use std::num::NonZeroUsize;

use chunkeval_core::{
    Batch, ChunkCounts, ChunkEvaluator, ChunkState, ErrorKind, LabelReading, Mergeable, Metric,
    Mode, RowCounts, Scheme, Snapshot, TagBatch, ZeroDivision, measure_parallel, testkit,
};
use proptest::prelude::*;

mod common;
use common::{DOZEN, MOST_ROWS, Rows, labels, mode};

fn evaluator(mode: Mode) -> ChunkEvaluator {
    let builder = ChunkEvaluator::builder(labels(mode)).reading(LabelReading::Reference);
    builder.mode(mode).build().unwrap()
}

/// Predictions are right half of the time.
fn rows() -> impl Strategy<Value = Rows> {
    common::rows(DOZEN, 2)
}

fn measured(mode: Mode, rows: &Rows) -> ChunkEvaluator {
    let mut metric = evaluator(mode);
    metric.update(rows.batch()).unwrap();
    metric
}

proptest! {
    #[test]
    fn the_laws_hold(mode in mode(), rows in rows(), seed: u64) {
        testkit::mergeable(|| evaluator(mode), rows.batch(), seed).unwrap();
    }

    #[test]
    fn any_number_of_threads_gives_the_same(mode in mode(), rows in rows(), threads in 1..20usize) {
        let metric = evaluator(mode);
        let threads = NonZeroUsize::new(threads).unwrap();
        let state = measure_parallel(&metric, rows.batch(), threads).unwrap();
        prop_assert_eq!(state, metric.measure(rows.batch()).unwrap());
    }

    #[test]
    fn rows_add_up_to_the_whole(mode in mode(), rows in rows(), cut in 0..MOST_ROWS + 2) {
        let whole = measured(mode, &rows).accumulate();
        let (metric, batch) = (evaluator(mode), rows.batch());
        let [mut first, mut second] = [RowCounts::new(&metric), RowCounts::new(&metric)];
        first.push(&metric, batch.rows(0..cut)).unwrap();
        second.push(&metric, batch.rows(cut..99)).unwrap();
        first.append(&second).unwrap();

        prop_assert_eq!(first.len(), batch.len());
        prop_assert_eq!(first.total(), whole.overall.counts);
        let types: Vec<_> = whole.per_type.iter().map(|t| t.entity_type.clone()).collect();
        prop_assert_eq!(first.types(), types);
        let per_type: Vec<_> = whole.per_type.iter().map(|t| t.scores.counts).collect();
        prop_assert_eq!(first.per_type(), per_type);
        for row in 0..batch.len() {
            let alone = metric.finish(&metric.measure(batch.rows(row..row + 1)).unwrap());
            prop_assert_eq!(first.row_total(row), alone.overall.counts);
        }
    }

    #[test]
    fn a_failing_update_changes_nothing_and_names_the_place(
        mode in mode(),
        rows in rows().prop_filter("a token", |r| !r.gold.is_empty()),
        at: prop::sample::Index,
        bad in prop_oneof![Just(-1), Just(DOZEN as i32), Just(i32::MAX), Just(i32::MIN)],
        also_bad in prop::option::of(any::<prop::sample::Index>()),
        threads in 1..20usize,
        before in rows(),
    ) {
        let mut broken = rows.clone();
        let at = at.index(rows.gold.len());
        broken.gold[at] = bad;
        if let Some(later) = also_bad {
            broken.gold[at..][later.index(rows.gold.len() - at)] = bad;
        }
        let build = || evaluator(mode);
        testkit::failing_changes_nothing(build, before.batch(), broken.batch()).unwrap();
        let error = build().update(broken.batch()).unwrap_err();

        let row = rows.ends.iter().position(|&end| end > at).unwrap();
        let column = at - if row == 0 { 0 } else { rows.ends[row - 1] };
        let named = matches!(error.kind(), ErrorKind::UnknownGold { row: r, column: c, id, .. }
            if (*r, *c, *id) == (row, column, i64::from(bad)));
        prop_assert!(named, "{}", error);
        let threads = NonZeroUsize::new(threads).unwrap();
        let on_threads = measure_parallel(&build(), broken.batch(), threads).unwrap_err();
        prop_assert_eq!(on_threads.to_string(), error.to_string());
    }

    #[test]
    fn relabelling_types_only_renames_them(mode in mode(), rows in rows()) {
        let renamed = labels(mode).into_iter().map(|l| l.replace('X', "地名").replace('Y', "A-A"));
        let mut other = ChunkEvaluator::builder(renamed)
            .reading(LabelReading::Reference)
            .mode(mode)
            .build()
            .unwrap();
        other.update(rows.batch()).unwrap();
        let (ours, theirs) = (measured(mode, &rows).accumulate(), other.accumulate());
        prop_assert_eq!(ours.overall, theirs.overall);
        prop_assert_eq!(ours.get("X"), theirs.get("地名"));
        prop_assert_eq!(ours.get("Z-z"), theirs.get("Z-z"));
    }

    #[test]
    fn predicting_the_gold_is_perfect(mode in mode(), rows in rows()) {
        let same = Rows { predicted: rows.gold.clone(), ..rows };
        let counts = measured(mode, &same).accumulate().overall.counts;
        prop_assert_eq!(counts.predicted, counts.gold);
        match mode {
            // It opens a chunk after a `.` without ending the one before, which is lost then.
            Mode::Conlleval => prop_assert!(counts.correct <= counts.gold),
            _ => prop_assert_eq!(counts.correct, counts.gold),
        }
    }
}

/// Not a number is the same value as not a number.
#[test]
fn undefined_scores_break_no_law() {
    let rule = ZeroDivision::Undefined;
    let build =
        || ChunkEvaluator::builder(["O", "B-X", "B-Y"]).zero_division(rule).build().unwrap();
    let batch = TagBatch::new(&[1, 0, 0, 1], &[1, 0, 0, 0], &[1, 1, 3, 4]).unwrap();
    let mut metric = build();
    metric.update(batch).unwrap();
    assert!(metric.accumulate().get("Y").unwrap().f1.is_nan());
    testkit::mergeable(build, batch, 1).unwrap();
}

#[test]
fn states_that_cannot_be_are_refused() {
    let metric = evaluator(Mode::Lenient);
    let mut value = serde_json::to_value(metric.state()).unwrap();
    let mut odd = value.clone();
    odd["diagnostics"]["unknown_predicted"] = 9.into();
    assert!(metric.clone().merge(&serde_json::from_value(odd).unwrap()).is_err());
    value["total"]["correct"] = 5.into();
    let state = serde_json::from_value(value.clone()).unwrap();
    assert!(metric.clone().merge(&state).is_err());
    value["total"] = serde_json::json!({"gold": 0, "predicted": 0, "correct": 0});
    value["per_type"][1] = serde_json::json!({"gold": 1, "predicted": 1, "correct": 1});
    let state: ChunkState = serde_json::from_value(value.clone()).unwrap();
    assert!(metric.clone().merge(&state).is_err());
    let mut used = evaluator(Mode::Lenient);
    used.update_counts(ChunkCounts { gold: 3, predicted: 2, correct: 1 }).unwrap();
    let before = used.state().clone();
    let fingerprint = metric.fingerprint();
    let snapshot = Snapshot { fingerprint, state };
    assert!(snapshot.restore_into(&mut used).is_err());
    assert_eq!(used.state(), &before, "a failing restore changes nothing");
    value["per_type"] = serde_json::json!([]);
    let state = serde_json::from_value(value).unwrap();
    assert!(metric.clone().merge(&state).is_err());
}

/// Only conlleval can count a chunk as correct under another type than it found it under.
#[test]
fn correct_chunks_of_a_type_without_chunks() {
    let of = |mode| {
        let builder = ChunkEvaluator::builder(["O", "B-X", ".-X", "O-Y", "B-Y"]).mode(mode);
        builder.reading(LabelReading::Reference).build().unwrap()
    };
    let mut conlleval = of(Mode::Conlleval);
    conlleval.update(TagBatch::new(&[1, 2, 3], &[1, 2, 3], &[3]).unwrap()).unwrap();
    let report = conlleval.accumulate();
    let counts = |t| report.get(t).unwrap().counts;
    assert_eq!(report.overall.counts, ChunkCounts { gold: 1, predicted: 1, correct: 1 });
    assert_eq!(counts("X"), ChunkCounts { gold: 1, predicted: 1, correct: 0 });
    assert_eq!(counts("Y"), ChunkCounts { gold: 0, predicted: 0, correct: 1 });
    let state = conlleval.state().clone();
    conlleval.merge(&state).unwrap();
    assert_eq!(conlleval.accumulate().overall.counts.correct, 2);
    let mut lenient = of(Mode::Lenient);
    assert!(matches!(
        lenient.merge(&state).unwrap_err().kind(),
        ErrorKind::ImpossibleCounts { gold: 0, predicted: 0, correct: 1 }
    ));
    assert_eq!(lenient.state(), &lenient.zero());
}

#[test]
fn a_sum_that_overflows_changes_nothing() {
    let mut metric = evaluator(Mode::Lenient);
    let full = ChunkCounts { gold: u64::MAX, predicted: 3, correct: 2 };
    metric.update_counts(full).unwrap();
    let before = metric.state().clone();
    let error = metric.update(TagBatch::new(&[1, 0], &[1, 0], &[2]).unwrap()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Overflow));
    assert_eq!(metric.state(), &before);
    assert!(metric.update_counts(ChunkCounts { gold: 1, predicted: 1, correct: 2 }).is_err());
    assert_eq!(metric.state(), &before);
}

#[test]
fn states_of_other_modes_are_refused() {
    let labels = ["O", "B-X", "I-X"];
    let of = |mode| ChunkEvaluator::builder(labels).mode(mode).build().unwrap();
    let strict = of(Mode::Strict(Scheme::Iob2));
    let batch = TagBatch::new(&[1, 2, 0], &[1, 0, 0], &[2, 3]).unwrap();
    for other in [Mode::Lenient, Mode::Conlleval, Mode::Strict(Scheme::Iob1)] {
        testkit::foreign_is_refused(|| strict.clone(), &of(other), batch).unwrap();
        let error = Snapshot::of(&of(other)).merge_into(&mut strict.clone()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incompatible { .. }), "{error}");
    }
    let same = testkit::foreign_is_refused(|| strict.clone(), &strict, batch).unwrap_err();
    assert_eq!(same.law, testkit::Law::ForeignIsRefused);
}
