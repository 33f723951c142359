//! What is counted adds up, and every span is counted once.

use std::collections::{BTreeMap, BTreeSet};

use chunkeval_core::{Batch, Metric};
use chunkeval_span::{Case, Matching, Schema, Sides, Span, SpanDocs, SpanEvaluator};
use proptest::prelude::*;

use crate::documents::{Spanned, collect, doc, docs, for_rule, matching, measured, threshold};

fn total(sides: impl Iterator<Item = Sides>) -> Sides {
    sides.fold(Sides::default(), |a, b| Sides {
        gold: a.gold + b.gold,
        predicted: a.predicted + b.predicted,
    })
}

proptest! {
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
