//! The laws of `TokenEvaluator`, and its equality with comparing tag by tag.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::testkit;
use chunkeval_core::{
    ErrorKind, MISSING_PREDICTION, Mergeable, Metric, TagBatch, TokenCounts, TokenEvaluator,
    TokenState,
};
use proptest::prelude::*;

/// Label lists: one in which a text stands twice, one in which none does, one without `O`.
const LISTS: [[&str; 5]; 3] = [
    ["B-X", "O", "I-X", "B-X", "o"],
    ["B-X", "O", "I-X", "S-X", "o"],
    ["B-X", "o", "I-X", "S-X", "E-X"],
];

fn evaluator() -> TokenEvaluator {
    TokenEvaluator::new(LISTS[0]).unwrap()
}

fn tokens() -> impl Strategy<Value = Vec<(i32, i32)>> {
    let predicted =
        prop_oneof![10 => 0..5, 1 => Just(-1), 1 => Just(99), 1 => Just(MISSING_PREDICTION)];
    prop::collection::vec((0..5, predicted), 0..300)
}

proptest! {
    #[test]
    fn counts_are_those_of_the_tags_however_the_rows_are_cut(
        list in prop::sample::select(&LISTS[..]),
        tokens in tokens(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (gold, predicted): (Vec<i32>, Vec<i32>) = tokens.into_iter().unzip();
        let cut = cut.index(gold.len() + 1);
        let ends = [cut, gold.len()];
        let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
        let evaluator = || TokenEvaluator::new(list).unwrap();
        let mut whole = evaluator();
        whole.update(batch).unwrap();

        let tag = |id| usize::try_from(id).ok().and_then(|id| list.get(id)).unwrap_or(&"O");
        let tags = |ids: &[i32]| ids.iter().map(|&id: &i32| tag(id)).collect::<Vec<_>>();
        let expected = TokenCounts::of_tags(&tags(&gold), &tags(&predicted)).unwrap();
        let report = whole.accumulate();
        prop_assert_eq!(report.counts, expected);
        prop_assert_eq!(report.counts.tokens(), gold.len() as u64);
        let odd = predicted.iter().filter(|&&id| !(0..5).contains(&id)).count() as u64;
        let d = report.diagnostics;
        prop_assert_eq!(d.unknown_predicted + d.missing_predicted, odd);

        testkit::mergeable(evaluator, batch, cut as u64).unwrap();
        testkit::threads_are_an_accident(evaluator, batch).unwrap();
        let foreign = TokenEvaluator::new(["O"]).unwrap();
        testkit::foreign_is_refused(evaluator, &foreign, batch).unwrap();
    }
}

#[test]
fn a_failing_update_changes_nothing_and_names_the_place() {
    let mut metric = evaluator();
    metric.update(TagBatch::new(&[0, 1], &[0, 2], &[2]).unwrap()).unwrap();
    let before = *metric.state();
    for bad in [-1, 5, i32::MAX, MISSING_PREDICTION] {
        let batch = [0, 1, bad];
        let error = metric.update(TagBatch::new(&batch, &batch, &[1, 3]).unwrap()).unwrap_err();
        let place = matches!(error.kind(), &ErrorKind::UnknownGold { row: 1, column: 1, id, .. } if id == i64::from(bad));
        assert!(place, "{error}");
        assert_eq!(*metric.state(), before);
    }
    assert!(TokenCounts::of_tags(&["O"], &["O", "O"]).is_err());
    assert!(TokenEvaluator::new([""; 0]).is_err());
}

#[test]
fn states_that_cannot_be_are_refused() {
    let metric = evaluator();
    let mut value = serde_json::to_value(metric.state()).unwrap();
    value["counts"]["true_positive"] = 3.into();
    let state: TokenState = serde_json::from_value(value.clone()).unwrap();
    assert!(metric.clone().merge(&state).is_err());
    value["diagnostics"]["tokens"] = 3.into();
    let state: TokenState = serde_json::from_value(value.clone()).unwrap();
    metric.clone().merge(&state).unwrap();
    // No token was predicted as `O`, so none was read as one.
    value["diagnostics"]["missing_predicted"] = 1.into();
    let state: TokenState = serde_json::from_value(value.clone()).unwrap();
    assert!(metric.clone().merge(&state).is_err());
    value["diagnostics"]["missing_predicted"] = 0.into();
    value["diagnostics"]["tokens"] = u64::MAX.into();
    value["counts"]["true_negative"] = u64::MAX.into();
    let state: TokenState = serde_json::from_value(value).unwrap();
    assert!(metric.clone().merge(&state).is_err(), "3 + (2^64 - 1) tokens are not 2^64 - 1");
}

#[test]
fn nothing_seen_has_no_accuracy() {
    let nothing = evaluator().accumulate();
    assert_eq!(nothing.accuracy, None);
    assert_eq!(nothing.protocol.get("metric"), Some("tokens"));
}
