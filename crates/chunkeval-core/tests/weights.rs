//! Row weights: the laws of a metric, and that weights really weigh.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    ChunkEvaluator, ErrorKind, Mergeable, Metric, Scalars, State, TagBatch, WeightedChunkEvaluator,
    WeightedTagBatch, testkit,
};
use proptest::prelude::*;

mod common;
use common::{Row, Rows};

/// Rows of ids with a weight each.
#[derive(Clone, Debug)]
struct Weighted {
    rows: Rows,
    weights: Vec<f64>,
}

impl Weighted {
    fn of(rows: impl IntoIterator<Item = (Row, f64)>) -> Self {
        let (rows, weights): (Vec<_>, _) = rows.into_iter().unzip();
        Self { rows: Rows::of(rows), weights }
    }

    fn tags(&self) -> TagBatch<'_> {
        self.rows.batch()
    }

    fn batch(&self) -> WeightedTagBatch<'_> {
        WeightedTagBatch::new(self.tags(), &self.weights).unwrap()
    }
}

const LABELS: [&str; 5] = ["O", "B-X", "I-X", "B-Y", "I-Y"];

fn plain() -> ChunkEvaluator {
    ChunkEvaluator::new(LABELS).unwrap()
}

fn evaluator() -> WeightedChunkEvaluator {
    WeightedChunkEvaluator::new(plain())
}

fn measured(rows: &Weighted) -> WeightedChunkEvaluator {
    let mut metric = evaluator();
    metric.update(rows.batch()).unwrap();
    metric
}

fn rows(weight: impl Strategy<Value = f64>) -> impl Strategy<Value = Vec<(Row, f64)>> {
    prop::collection::vec((common::row(LABELS.len(), 2), weight), 0..12)
}

fn any_weight() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.0..10.0, 1e-12..1e-3, 1e6..4e9]
}

/// Name and value of every scalar.
fn scalars(report: &impl Scalars) -> Vec<(String, Option<f64>)> {
    let mut all = Vec::new();
    report.visit(&mut |name, value| all.push((name.to_owned(), value)));
    all
}

proptest! {
    #[test]
    fn equal_weights_change_nothing(rows in rows(Just(1.0)), weight in any_weight()) {
        let ones = Weighted::of(rows.clone());
        let mut metric = plain();
        metric.update(ones.tags()).unwrap();
        let expected = scalars(&metric.accumulate());
        prop_assert_eq!(scalars(&measured(&ones).accumulate()), expected.clone());
        prop_assert_eq!(measured(&ones).accumulate().diagnostics, metric.accumulate().diagnostics);
        if weight > 0.0 {
            let same = Weighted::of(rows.into_iter().map(|(row, _)| (row, weight)));
            prop_assert_eq!(scalars(&measured(&same).accumulate()), expected);
        }
    }

    #[test]
    fn whole_weights_are_repeats_and_zero_is_nothing(
        rows in rows(prop::sample::select(&[0.0, 1.0, 2.0, 5.0][..])),
    ) {
        let weighted = measured(&Weighted::of(rows.clone())).accumulate();
        let zeros = rows.iter().filter(|row| row.1 == 0.0).count();
        prop_assert_eq!(weighted.weightless, zeros as u64);
        let repeated = rows.into_iter().flat_map(|(row, weight)| {
            std::iter::repeat_n((row, 1.0), weight as usize)
        });
        let repeated = Weighted::of(repeated);
        let mut metric = plain();
        metric.update(repeated.tags()).unwrap();
        prop_assert_eq!(scalars(&weighted), scalars(&metric.accumulate()));
        prop_assert_eq!(weighted.overall.gold, metric.accumulate().overall.counts.gold as f64);
    }

    #[test]
    fn the_laws_hold(rows in rows(any_weight()), seed: u64) {
        testkit::mergeable(evaluator, Weighted::of(rows).batch(), seed).unwrap();
    }

    #[test]
    fn no_order_of_rows_shows(rows in rows(any_weight())) {
        let forwards = measured(&Weighted::of(rows.clone()));
        let backwards = measured(&Weighted::of(rows.into_iter().rev()));
        prop_assert_eq!(forwards.state(), backwards.state());
    }

    #[test]
    fn a_failing_update_changes_nothing(
        rows in rows(any_weight()).prop_filter("a row", |rows| !rows.is_empty()),
        at: prop::sample::Index,
        bad in prop::sample::select(&[f64::NAN, -1.0, f64::INFINITY, 1e300, 1e-300][..]),
    ) {
        let good = Weighted::of(rows);
        let mut spoiled = good.clone();
        let row = at.index(spoiled.weights.len());
        spoiled.weights[row] = bad;
        testkit::failing_changes_nothing(evaluator, good.batch(), spoiled.batch()).unwrap();
        let error = evaluator().update(spoiled.batch()).unwrap_err();
        prop_assert!(error.to_string().contains(&format!("row {row}: ")), "{}", error);
    }
}

#[test]
fn scores_follow_the_weights() {
    let right = vec![(1, 1)];
    let wrong = vec![(1, 3)];
    let rows = Weighted::of([(right, 0.25), (wrong, 0.75)]);
    let report = measured(&rows).accumulate();
    assert_eq!(report.overall.precision, Some(0.25));
    assert_eq!(report.get("X").unwrap().precision, Some(1.0));
    assert_eq!(report.get("Y").unwrap().precision, Some(0.0));
    assert_eq!(report.get("Y").unwrap().recall, None);
    let signature = report.protocol.to_string();
    assert!(signature.ends_with("|metric:weighted|average:micro|zero:undefined"), "{signature}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = Weighted::of([(vec![(1, 1)], 1.0)]);
    assert!(WeightedTagBatch::new(rows.tags(), &[]).is_err());
    let mut metric = measured(&rows);
    let before = metric.state().clone();
    let unknown = Weighted::of([(vec![(1, 1)], 1.0), (vec![(0, 0), (9, 1)], 0.0)]);
    let error = metric.update(unknown.batch()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownGold { row: 1, column: 1, id: 9, .. }));

    let state = serde_json::to_value(&before).unwrap();
    let edits: [fn(&mut serde_json::Value); 4] = [
        |v| v["weightless"] = 2.into(),
        |v| v["diagnostics"]["unknown_predicted"] = 2.into(),
        // X has the chunks and Y the correct one.
        |v| {
            v["per_type"][1]["correct"] = v["per_type"][0]["correct"].clone();
            v["per_type"][0]["correct"] = "0".into();
        },
        |v| v["total"]["gold"] = "0".into(),
    ];
    let spoiled = edits.map(|edit| {
        let mut value = state.clone();
        edit(&mut value);
        serde_json::from_value(value).unwrap()
    });
    for state in &spoiled {
        assert!(metric.merge(state).is_err(), "{state:?}");
    }
    let [.., impossible] = spoiled;
    let other = WeightedChunkEvaluator::new(ChunkEvaluator::new(["O", "B-X"]).unwrap());
    assert!(metric.merge(other.state()).is_err());
    assert!(before.clone().merge(&impossible).is_err());
    assert_eq!(metric.state(), &before);
    // A saved state of plain counts is another configuration.
    assert_ne!(metric.fingerprint(), plain().fingerprint());
}
