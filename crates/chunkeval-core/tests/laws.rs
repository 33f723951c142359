//! The laws of `Metric` and `Mergeable`, on random rows.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    Batch, ChunkCounts, ChunkEvaluator, ChunkState, ErrorKind, LabelReading, Mergeable, Metric,
    Mode, Scheme, Snapshot, State, TagBatch,
};
use proptest::prelude::*;

/// Rows of gold and predicted ids as flat arrays.
#[derive(Clone, Debug)]
struct Rows {
    gold: Vec<i32>,
    predicted: Vec<i32>,
    ends: Vec<usize>,
}

impl Rows {
    fn batch(&self) -> TagBatch<'_> {
        TagBatch::new(&self.gold, &self.predicted, &self.ends).unwrap()
    }
}

const LABELS: usize = 12;

/// A dozen labels for each mode.
fn labels(mode: Mode) -> Vec<String> {
    let lenient = "O B-X I-X E-X S-X B-Y I-Y B-Z-z I-Z-z B M-X .";
    let conlleval = "O B-X I-X E-X S-X B-Y O-Y B-Z-z I-Z-z B .-X .";
    match mode {
        Mode::Strict(scheme) => ["Z-z", "X", "Y", "_"]
            .into_iter()
            .flat_map(|t| scheme.letters().chars().map(move |letter| format!("{letter}-{t}")))
            .take(LABELS)
            .collect(),
        Mode::Conlleval => conlleval.split(' ').map(str::to_owned).collect(),
        _ => lenient.split(' ').map(str::to_owned).collect(),
    }
}

fn mode() -> impl Strategy<Value = Mode> {
    let strict = prop::sample::select(&Scheme::ALL[..]).prop_map(Mode::Strict);
    prop_oneof![Just(Mode::Lenient), Just(Mode::Conlleval), strict]
}

fn evaluator(mode: Mode) -> ChunkEvaluator {
    let builder = ChunkEvaluator::builder(labels(mode)).reading(LabelReading::Reference);
    builder.mode(mode).build().unwrap()
}

fn rows() -> impl Strategy<Value = Rows> {
    let known = 0..LABELS as i32;
    // Predictions agree half of the time, and are unknown or missing now and then.
    let odd = prop_oneof![Just(-7), Just(99), Just(i32::MIN)];
    let token = (known.clone(), prop_oneof![10 => known, 1 => odd], any::<bool>())
        .prop_map(|(gold, other, same)| (gold, if same { gold } else { other }));
    prop::collection::vec(prop::collection::vec(token, 0..40), 0..16).prop_map(|rows| {
        let mut flat = Rows { gold: vec![], predicted: vec![], ends: vec![] };
        for row in rows {
            let (gold, predicted): (Vec<_>, Vec<_>) = row.into_iter().unzip();
            flat.gold.extend(gold);
            flat.predicted.extend(predicted);
            flat.ends.push(flat.gold.len());
        }
        flat
    })
}

fn measured(mode: Mode, rows: &Rows) -> ChunkEvaluator {
    let mut metric = evaluator(mode);
    metric.update(rows.batch()).unwrap();
    metric
}

proptest! {
    #[test]
    fn any_cut_and_any_order_give_the_whole(
        mode in mode(),
        rows in rows(),
        cuts in prop::collection::vec(0..17usize, 0..5),
        rotate in 0..6usize,
    ) {
        let whole = measured(mode, &rows);
        let mut cuts: Vec<usize> = cuts.into_iter().chain([0, rows.ends.len()]).collect();
        cuts.iter_mut().for_each(|c| *c = (*c).min(rows.ends.len()));
        cuts.sort_unstable();
        let mut parts: Vec<_> = cuts.windows(2).map(|w| rows.batch().rows(w[0]..w[1])).collect();
        let n = parts.len();
        parts.rotate_left(rotate % n);

        let (mut updated, mut merged) = (evaluator(mode), evaluator(mode));
        for part in parts {
            updated.update(part).unwrap();
            merged.merge(&merged.measure(part).unwrap()).unwrap();
        }
        prop_assert_eq!(updated.state(), whole.state());
        prop_assert_eq!(merged.state(), whole.state());
        prop_assert_eq!(merged.accumulate(), whole.accumulate());
    }

    #[test]
    fn merge_is_a_commutative_monoid(mode in mode(), a in rows(), b in rows(), c in rows()) {
        let [a, b, c] = [a, b, c].map(|r| measured(mode, &r).state().clone());
        let plus = |x: &_, y: &_| {
            let mut sum = Clone::clone(x);
            State::merge(&mut sum, y).unwrap();
            sum
        };
        prop_assert_eq!(plus(&a, &b), plus(&b, &a));
        prop_assert_eq!(plus(&plus(&a, &b), &c), plus(&a, &plus(&b, &c)));
        prop_assert_eq!(plus(&a, &evaluator(mode).zero()), a);
    }

    #[test]
    fn saved_is_restored(mode in mode(), rows in rows(), before in rows()) {
        let whole = measured(mode, &rows);
        let text = serde_json::to_string(&Snapshot::of(&whole)).unwrap();
        let read: Snapshot<_> = serde_json::from_str(&text).unwrap();
        let mut restored = measured(mode, &before);
        read.restore_into(&mut restored).unwrap();
        prop_assert_eq!(restored.state(), whole.state());
        read.merge_into(&mut restored).unwrap();
        prop_assert_eq!(restored.accumulate().overall.counts.gold, 2 * whole.accumulate().overall.counts.gold);
    }

    #[test]
    fn reset_forgets_and_reading_is_free(mode in mode(), rows in rows()) {
        let mut metric = measured(mode, &rows);
        let state = metric.state().clone();
        prop_assert_eq!(metric.accumulate(), metric.accumulate());
        prop_assert_eq!(metric.state(), &state);
        metric.reset();
        prop_assert_eq!(metric.state(), &evaluator(mode).zero());
    }

    #[test]
    fn a_failing_update_changes_nothing_and_names_the_place(
        mode in mode(),
        rows in rows().prop_filter("a token", |r| !r.gold.is_empty()),
        at: prop::sample::Index,
        bad in prop_oneof![Just(-1), Just(12), Just(i32::MAX), Just(i32::MIN)],
        before in rows(),
    ) {
        let mut broken = rows.clone();
        let at = at.index(rows.gold.len());
        broken.gold[at] = bad;
        let mut metric = measured(mode, &before);
        let state = metric.state().clone();
        let error = metric.update(broken.batch()).unwrap_err();

        let row = rows.ends.iter().position(|&end| end > at).unwrap();
        let column = at - if row == 0 { 0 } else { rows.ends[row - 1] };
        let named = matches!(error.kind(), ErrorKind::UnknownGold { row: r, column: c, id, .. }
            if (*r, *c, *id) == (row, column, i64::from(bad)));
        prop_assert!(named, "{}", error);
        prop_assert_eq!(metric.state(), &state);
        metric.update(rows.batch()).unwrap(); // and it goes on as if nothing had been
        let mut straight = measured(mode, &before);
        straight.update(rows.batch()).unwrap();
        prop_assert_eq!(metric.state(), straight.state());
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
    for other in [Mode::Lenient, Mode::Conlleval, Mode::Strict(Scheme::Iob1)] {
        let error = Snapshot::of(&of(other)).merge_into(&mut strict.clone()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incompatible { .. }), "{error}");
    }
    Snapshot::of(&strict).merge_into(&mut strict.clone()).unwrap();
}
