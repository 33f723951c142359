//! The laws of metrics, and states and batches that are refused.

use chunkeval_core::{Mergeable, Metric, testkit};
use chunkeval_span::{Matching, SpanEvaluator, Threshold};
use proptest::prelude::*;

use crate::documents::{collect, docs, evaluator, for_rule, matching, measured};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))] // each tries many cuts and threads

    #[test]
    fn the_laws_of_metrics_hold(matching in matching(), docs in docs(), seed in any::<u64>()) {
        let docs = for_rule(matching, docs);
        let metric = evaluator(matching);
        testkit::mergeable(|| metric.clone(), collect(&docs).batch(), seed).unwrap();
    }
}

#[test]
fn states_that_no_data_can_give_are_refused() {
    let mut metric = measured(Matching::default(), &[[vec![("X", 0, 2)], vec![("X", 0, 1)]]]);
    let json = serde_json::to_value(metric.state()).unwrap();
    let text = json.to_string();
    let before = metric.clone();
    let edits = [
        ("\"listed\":{\"gold\":1", "\"listed\":{\"gold\":2"),
        (
            "\"incorrect\":{\"gold\":1,\"predicted\":1}",
            "\"incorrect\":{\"gold\":1,\"predicted\":0}",
        ),
        ("\"per_type\":{\"X\"", "\"per_type\":{\"Y\":null,\"X\""),
        (&format!("\"per_type\":{}", json["per_type"]), "\"per_type\":{}"),
        ("\"documents\":1", "\"documents\":18446744073709551615"),
        ("\"documents\":1", "\"documents\":0"),
        ("\"paired_one_by_one\":0", "\"paired_one_by_one\":2"),
        // Under the exact schema, which comes first with one, no pair is partial.
        (
            "\"incorrect\":{\"gold\":1,\"predicted\":1},\"missed\":0,\"partial\":{\"gold\":0,\"predicted\":0}",
            "\"incorrect\":{\"gold\":0,\"predicted\":0},\"missed\":0,\"partial\":{\"gold\":1,\"predicted\":1}",
        ),
    ];
    for (from, to) in edits {
        assert!(text.contains(from), "{from} in {text}");
        let edited = text.replacen(from, to, 1);
        let refused = match serde_json::from_str(&edited) {
            Ok(state) => metric.merge(&state).is_err(),
            Err(_) => true,
        };
        assert!(refused, "{to}");
        assert_eq!(metric.state(), before.state());
    }
    let only = SpanEvaluator::builder().types(["Y"]).build();
    assert!(only.unwrap().merge(before.state()).is_err());
}

#[test]
fn states_that_another_rule_gives_are_refused() {
    // Of two types: under nervaluate's rule the types do not add up to the confusion.
    let docs = [[vec![("X", 0, 2)], vec![("Y", 0, 2)]]];
    let theirs = measured(Matching::NERVALUATE, &docs);
    assert!(evaluator(Matching::NERVALUATE).merge(theirs.state()).is_ok());
    let mut ours = SpanEvaluator::new();
    assert!(ours.merge(theirs.state()).is_err());
    assert_eq!(ours.state(), SpanEvaluator::new().state());

    let mut some = SpanEvaluator::builder().types(["X"]).build().unwrap();
    some.update(collect(&docs).batch()).unwrap();
    assert!(ours.merge(some.state()).is_err(), "all types count here");

    let twice = measured(Matching::default(), &[[vec![("X", 0, 2); 2], vec![]]]);
    assert!(evaluator(Matching::NERVALUATE).merge(twice.state()).is_err());
}

#[test]
fn bad_options_are_errors() {
    assert!(SpanEvaluator::builder().types([""; 0]).build().is_err());
    for least in [0.0, 0.99, 100.1, f64::NAN] {
        let matching = Matching::Nervaluate { min_overlap_percentage: least };
        assert!(SpanEvaluator::builder().matching(matching).build().is_err());
    }
    for share in [0.0, -1.0, 1.1, f64::NAN] {
        for threshold in [Threshold::Gold, Threshold::Predicted, Threshold::Union] {
            let matching = Matching::MaximumOverlap(threshold(share));
            assert!(SpanEvaluator::builder().matching(matching).build().is_err());
        }
    }
}

#[test]
fn a_failing_update_changes_nothing() {
    let good = collect(&[[vec![("X", 0, 2)], vec![("X", 0, 1)]]]);
    let bad = collect(&[
        [vec![("X", 0, 2)], vec![("X", 0, 1)]],
        [vec![("X", 5, 6), ("X", 3, 3)], vec![("X", 2, 4)]],
    ]);
    let metric = evaluator(Matching::NERVALUATE);
    testkit::failing_changes_nothing(|| metric.clone(), good.batch(), bad.batch()).unwrap();
    let error = metric.measure(bad.batch()).unwrap_err();
    let text = "document 1, gold span 1: an empty gold span";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn a_state_of_another_rule_is_refused() {
    let docs = collect(&[[vec![("X", 0, 2)], vec![("X", 0, 1)]]]);
    let metrics = [
        SpanEvaluator::new(),
        evaluator(Matching::NERVALUATE),
        evaluator(Matching::MaximumOverlap(Threshold::Gold(0.5))),
        evaluator(Matching::MaximumOverlap(Threshold::Gold(0.25))),
        SpanEvaluator::builder().types(["X"]).build().unwrap(),
    ];
    for (at, metric) in metrics.iter().enumerate() {
        for (other_at, other) in metrics.iter().enumerate() {
            if at != other_at {
                testkit::foreign_is_refused(|| metric.clone(), other, docs.batch()).unwrap();
            }
        }
    }
}
