//! What holds for any documents: no dependence on order, sums, merging, and the greatest overlap.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use std::collections::{BTreeMap, BTreeSet};

use chunkeval_core::{Batch, Mergeable, Metric, Scalars, testkit};
use chunkeval_span::{
    Case, Matching, Schema, Sides, Span, SpanDocs, SpanEvaluator, SpanReport, Threshold,
};
use proptest::prelude::*;

/// A document: gold and predicted spans, as type, start, end.
type Doc = [Vec<Spanned>; 2];
type Spanned = (&'static str, usize, usize);

const TYPES: [&str; 3] = ["LOC", "ORG", "PER"];

fn span() -> impl Strategy<Value = Spanned> {
    (prop::sample::select(&TYPES[..]), 0..12usize, 0..7usize)
        .prop_map(|(entity_type, start, length)| (entity_type, start, start + length))
}

fn doc() -> impl Strategy<Value = Doc> {
    let side = || prop::collection::vec(span(), 0..7);
    (side(), side()).prop_map(|(gold, predicted)| [gold, predicted])
}

fn docs() -> impl Strategy<Value = Vec<Doc>> {
    prop::collection::vec(doc(), 0..6)
}

fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        Just(Threshold::Any),
        Just(Threshold::Gold(0.5)),
        Just(Threshold::Predicted(0.5)),
        Just(Threshold::Union(0.3)),
    ]
}

fn matching() -> impl Strategy<Value = Matching> {
    prop_oneof![
        threshold().prop_map(Matching::MaximumOverlap),
        // Without gold spans of no length nervaluate's rule takes any document.
        Just(Matching::NERVALUATE),
    ]
}

fn collect(docs: &[Doc]) -> SpanDocs {
    let mut collected = SpanDocs::default();
    for [gold, predicted] in docs {
        collected.push(gold.iter().copied(), predicted.iter().copied()).unwrap();
    }
    collected
}

/// nervaluate's rule divides by the length of gold spans.
fn for_rule(matching: Matching, mut docs: Vec<Doc>) -> Vec<Doc> {
    if let Matching::Nervaluate { .. } = matching {
        docs.iter_mut().for_each(|[gold, _]| gold.retain(|(_, start, end)| start < end));
    }
    docs
}

fn evaluator(matching: Matching) -> SpanEvaluator {
    SpanEvaluator::builder().matching(matching).build().unwrap()
}

fn measured(matching: Matching, docs: &[Doc]) -> SpanEvaluator {
    let mut metric = evaluator(matching);
    metric.update(collect(docs).batch()).unwrap();
    metric
}

fn total(sides: impl Iterator<Item = Sides>) -> Sides {
    sides.fold(Sides::default(), |a, b| Sides {
        gold: a.gold + b.gold,
        predicted: a.predicted + b.predicted,
    })
}

fn overlap(gold: Spanned, predicted: Spanned) -> usize {
    gold.2.min(predicted.2).saturating_sub(gold.1.max(predicted.1))
}

/// The pairs of one document under the partial schema, all kinds.
fn pairs(metric: &SpanEvaluator, doc: &Doc) -> Vec<Case> {
    let docs = collect(std::slice::from_ref(doc));
    let cases = metric.cases(docs.batch(), Schema::Partial, usize::MAX).unwrap();
    cases.correct.first.into_iter().chain(cases.partial.first).collect()
}

fn common(doc: &Doc, pairs: &[Case]) -> usize {
    pairs.iter().map(|c| overlap(doc[0][c.gold.unwrap()], doc[1][c.predicted.unwrap()])).sum()
}

/// The greatest total overlap, by trying every assignment.
fn best(gold: &[Spanned], predicted: &[Spanned]) -> usize {
    let Some((&first, rest)) = predicted.split_first() else { return 0 };
    let without = best(gold, rest);
    let with = (0..gold.len()).map(|at| {
        let mut left = gold.to_vec();
        overlap(left.swap_remove(at), first) + best(&left, rest)
    });
    with.max().unwrap_or(0).max(without)
}

proptest! {
    #[test]
    fn the_order_of_spans_does_not_matter(
        threshold in threshold(),
        (docs, shuffled) in docs().prop_flat_map(|docs| {
            let shuffled: Vec<_> = docs.iter().cloned().map(|[gold, predicted]| {
                (Just(gold).prop_shuffle(), Just(predicted).prop_shuffle())
            }).collect();
            (Just(docs), shuffled)
        }),
    ) {
        let matching = Matching::MaximumOverlap(threshold);
        let shuffled: Vec<Doc> = shuffled.into_iter().map(|(g, p)| [g, p]).collect();
        let (a, b) = (measured(matching, &docs), measured(matching, &shuffled));
        prop_assert_eq!(a.state(), b.state());
    }

    #[test]
    fn counts_add_up(threshold in threshold(), docs in docs()) {
        let report = measured(Matching::MaximumOverlap(threshold), &docs).accumulate();
        let distinct = |side: usize| docs.iter().map(|doc| {
            doc[side].iter().collect::<BTreeSet<_>>().len() as u64
        }).sum::<u64>();
        let d = report.diagnostics;
        prop_assert_eq!(d.listed.gold - d.duplicates.gold, distinct(0));
        for schema in Schema::ALL {
            let all = report.overall.get(schema);
            prop_assert_eq!((all.possible, all.actual), (distinct(0), distinct(1)));
            let types = || report.per_type.iter().map(|t| t.scores.get(schema).counts);
            prop_assert_eq!(total(types().map(|c| c.correct)), all.counts.correct);
            prop_assert_eq!(total(types().map(|c| c.incorrect)), all.counts.incorrect);
            prop_assert_eq!(total(types().map(|c| c.partial)), all.counts.partial);
            prop_assert_eq!(types().map(|c| c.missed).sum::<u64>(), all.counts.missed);
            prop_assert_eq!(types().map(|c| c.spurious).sum::<u64>(), all.counts.spurious);
            for t in &report.per_type {
                let of = |side: usize| docs.iter().map(|doc| {
                    let own = doc[side].iter().filter(|(name, ..)| *name == t.entity_type);
                    own.collect::<BTreeSet<_>>().len() as u64
                }).sum::<u64>();
                let scores = t.scores.get(schema);
                prop_assert_eq!((scores.possible, scores.actual), (of(0), of(1)));
            }
        }
    }

    #[test]
    fn exact_matches_are_never_lost(threshold in threshold(), doc in doc()) {
        let report = measured(Matching::MaximumOverlap(threshold), std::slice::from_ref(&doc)).accumulate();
        let [gold, predicted] = [0, 1].map(|side| doc[side].iter().copied().collect::<BTreeSet<_>>());
        let equal = gold.intersection(&predicted).count() as u64;
        prop_assert_eq!(report.overall.strict.counts.correct.gold, equal);
        let offsets = |side: &BTreeSet<Spanned>| {
            let mut counted = BTreeMap::<_, u64>::new();
            side.iter().for_each(|(_, start, end)| *counted.entry((*start, *end)).or_default() += 1);
            counted
        };
        let (gold, predicted) = (offsets(&gold), offsets(&predicted));
        let same: u64 = gold.iter().map(|(at, n)| *n.min(predicted.get(at).unwrap_or(&0))).sum();
        prop_assert_eq!(report.overall.exact.counts.correct.gold, same);
        prop_assert_eq!(report.overall.partial.counts.correct.gold, same);
    }

    #[test]
    fn the_total_overlap_is_the_greatest(doc in doc()) {
        let [gold, predicted] = [0, 1].map(|side| {
            doc[side].iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        });
        let found = common(&doc, &pairs(&SpanEvaluator::new(), &doc));
        prop_assert_eq!(found, best(&gold, &predicted));
    }

    #[test]
    fn no_order_gives_nervaluate_more(doc in doc()) {
        let [gold, predicted] = [0, 1].map(|side| {
            let distinct: BTreeSet<_> = doc[side].iter().copied().filter(|s| s.1 < s.2).collect();
            distinct.into_iter().collect::<Vec<_>>()
        });
        let doc = [gold, predicted];
        let (ours, theirs) = (SpanEvaluator::new(), evaluator(Matching::NERVALUATE));
        prop_assert!(common(&doc, &pairs(&ours, &doc)) >= common(&doc, &pairs(&theirs, &doc)));
        let report = |matching| measured(matching, std::slice::from_ref(&doc)).accumulate();
        let (ours, theirs) = (report(Matching::default()), report(Matching::NERVALUATE));
        for schema in [Schema::Strict, Schema::Exact] {
            prop_assert!(ours.overall.get(schema).f1 >= theirs.overall.get(schema).f1);
        }
    }

    #[test]
    fn pairs_meet_the_threshold(threshold in threshold(), doc in doc()) {
        let metric = evaluator(Matching::MaximumOverlap(threshold));
        for case in pairs(&metric, &doc) {
            let (gold, predicted) = (doc[0][case.gold.unwrap()], doc[1][case.predicted.unwrap()]);
            let (g, p) = (gold.2 - gold.1, predicted.2 - predicted.1);
            let common = overlap(gold, predicted);
            let share = |of: usize| common as f64 / of as f64;
            let meets = match threshold {
                Threshold::Any => common > 0,
                Threshold::Gold(least) => share(g) >= least,
                Threshold::Predicted(least) => share(p) >= least,
                Threshold::Union(least) => share(g + p - common) >= least,
            };
            prop_assert!(meets || (gold.1, gold.2) == (predicted.1, predicted.2));
        }
    }

    #[test]
    fn every_span_is_a_case_once(matching in matching(), docs in docs()) {
        let docs = for_rule(matching, docs);
        let metric = measured(matching, &docs);
        let report = metric.accumulate();
        for (schema, scores) in report.overall.iter() {
            let cases = metric.cases(collect(&docs).batch(), schema, 2).unwrap();
            let c = scores.counts;
            let lists = [cases.correct, cases.incorrect, cases.partial, cases.missed, cases.spurious];
            let counts = [c.correct.gold, c.incorrect.gold, c.partial.gold, c.missed, c.spurious];
            for (list, count) in lists.iter().zip(counts) {
                prop_assert!(list.first.len() <= 2);
                prop_assert_eq!(list.first.len() as u64 + list.left_out, count);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))] // each tries many cuts and threads

    #[test]
    fn the_laws_of_metrics_hold(matching in matching(), docs in docs(), seed in any::<u64>()) {
        let docs = for_rule(matching, docs);
        let metric = evaluator(matching);
        testkit::mergeable(|| metric.clone(), collect(&docs).batch(), seed).unwrap();
    }
}

fn report(gold: &[Spanned], predicted: &[Spanned]) -> SpanReport {
    measured(Matching::default(), &[[gold.to_vec(), predicted.to_vec()]]).accumulate()
}

#[test]
fn equal_overlaps_are_told_apart_by_type_then_closeness_then_position() {
    let case = |gold: &[Spanned], predicted: &[Spanned]| {
        pairs(&SpanEvaluator::new(), &[gold.to_vec(), predicted.to_vec()])[0]
    };
    let one = |gold, predicted| Case { document: 0, gold: Some(gold), predicted: Some(predicted) };
    // Both have three positions in common.
    assert_eq!(case(&[("LOC", 0, 4)], &[("PER", 0, 3), ("LOC", 1, 4)]), one(0, 1));
    assert_eq!(case(&[("LOC", 0, 10), ("LOC", 4, 7)], &[("LOC", 4, 6)]), one(1, 0));
    assert_eq!(case(&[("LOC", 0, 6)], &[("LOC", 4, 6), ("LOC", 0, 2)]), one(0, 1));
}

#[test]
fn for_types_an_overlap_of_equal_type_comes_first() {
    // PER has more in common with LOC than with the gold PER.
    let report = report(&[("LOC", 0, 4), ("PER", 4, 6)], &[("PER", 2, 5)]);
    assert_eq!(report.overall.ent_type.counts.correct.gold, 1);
    assert_eq!(report.get("LOC").unwrap().ent_type.counts.missed, 1);
    assert_eq!(report.get("LOC").unwrap().partial.counts.partial.gold, 1);
    assert_eq!(report.get("PER").unwrap().partial.counts.partial.predicted, 1);
    assert_eq!(report.get("PER").unwrap().partial.counts.missed, 1);
}

#[test]
fn a_crowd_of_overlapping_spans_is_paired_in_time_and_reported() {
    let crowd = |shift: usize| (0..600).map(move |n| ("X", n + shift, 9000 - n));
    let mut docs = SpanDocs::default();
    docs.push(crowd(0), crowd(1)).unwrap();
    let mut metric = SpanEvaluator::new();
    metric.update(docs.batch()).unwrap();
    let report = metric.accumulate();
    assert_eq!(report.diagnostics.paired_one_by_one, 1);
    assert_eq!((report.overall.partial.possible, report.overall.partial.actual), (600, 600));
    assert_eq!(report.overall.ent_type.counts.correct.gold, 600);
}

#[test]
fn offsets_without_bounds_are_paired_too() {
    let huge = i64::MAX as usize;
    let report = report(
        &[("X", 0, huge), ("Y", huge, huge)],
        &[("X", 1, huge), ("X", 0, huge - 1), ("Y", huge, huge)],
    );
    assert_eq!(report.diagnostics.paired_one_by_one, 1);
    assert_eq!(report.overall.strict.counts.correct.gold, 1);
    assert_eq!(report.overall.partial.counts.partial.gold, 1);
}

#[test]
fn spans_far_apart_get_the_greatest_overlap() {
    // One long prediction ties short gold spans together over 2^58 positions.
    let far = 1 << 58;
    let gold = [("X", 0, 9), ("X", far, far + 9)];
    let report = report(&gold, &[("X", 5, far + 3), ("X", 7, 9)]);
    assert_eq!(report.diagnostics.paired_one_by_one, 0);
    assert_eq!(report.overall.partial.counts.partial.gold, 2);
}

#[test]
fn a_cut_counts_only_the_types_in_it() {
    let names: Vec<String> = (0..50).map(|n| format!("T{:02}", 49 - n)).collect();
    let mut docs = SpanDocs::default();
    for name in &names {
        docs.push([(name.as_str(), 0, 1)], [(name.as_str(), 0, 1), ("T20", 3, 4)]).unwrap();
    }
    let mut metric = SpanEvaluator::builder().types(["T07", "T20"]).build().unwrap();
    metric.update(docs.batch().rows(42..44)).unwrap();
    let report = metric.accumulate();
    let types: Vec<&str> = report.per_type.iter().map(|t| t.entity_type.as_str()).collect();
    assert_eq!(types, ["T07", "T20"]);
    assert_eq!(report.diagnostics.other_types, Sides { gold: 1, predicted: 1 });
    assert_eq!(report.get("T07").unwrap().strict.f1, 1.0);
    let signature = report.protocol.to_string();
    assert!(signature.ends_with("|types:[\"T07\",\"T20\"]"), "{signature}");
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

#[test]
fn types_that_do_not_count_are_reported() {
    let mut metric = SpanEvaluator::builder().types(["X"]).build().unwrap();
    let span = |t, start| Span { entity_type: t, start, end: start + 1 };
    let mut docs = SpanDocs::default();
    docs.push([span("X", 0), span("Z", 3)], [span("Z", 0), span("Z", 5), span("X", 0)]).unwrap();
    metric.update(docs.batch()).unwrap();
    let report = metric.accumulate();
    assert_eq!(report.overall.strict.f1, 1.0);
    assert_eq!(report.diagnostics.other_types, Sides { gold: 1, predicted: 2 });
    let cases = metric.cases(docs.batch(), Schema::Strict, 9).unwrap();
    assert_eq!(cases.correct.first, [Case { document: 0, gold: Some(0), predicted: Some(2) }]);
}

#[test]
fn the_report_prints_as_a_table() {
    let report = report(&[("PER", 0, 2)], &[("PER", 0, 1)]);
    let text = report.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    let signature = "|metric:spans|matching:maximum_overlap|threshold:any|types:all";
    assert!(lines[9].ends_with(signature), "{}", lines[9]);
    assert_eq!(
        lines[3],
        "partial          0         0         1         0         0    0.5000    0.5000    0.5000  (all)",
    );
    assert!(lines[8].ends_with("1.0000  PER"));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["per_type"][0]["entity_type"], "PER");
    assert_eq!(json["protocol"], lines[9]);
    assert_eq!(json["overall"]["partial"]["partial"]["gold"], 1);
}

#[test]
fn scalars_are_those_that_name_names_and_then_types() {
    let metric = measured(Matching::default(), &[[vec![("PER", 0, 2)], vec![]]]);
    let mut scalars = Vec::new();
    let mut add = |name: &str, value: Option<f64>| scalars.push((name.to_owned(), value));
    metric.accumulate().visit(&mut add);
    let names: Vec<&str> = scalars.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..12], metric.name());
    assert_eq!(
        names[12..15],
        ["precision", "recall", "f1"].map(|s| format!("per_type/PER/strict/{s}"))
    );
    // Nothing was predicted: precision has nothing to divide by.
    assert_eq!(
        scalars[..3].iter().map(|(_, v)| *v).collect::<Vec<_>>(),
        [None, Some(0.0), Some(0.0)]
    );
}
