//! Which spans are paired: those of the greatest total overlap, whatever their order.

use std::collections::BTreeSet;

use chunkeval_core::{Mergeable, Metric};
use chunkeval_span::{Case, Matching, Schema, SpanDocs, SpanEvaluator, Threshold};
use proptest::prelude::*;

use crate::documents::{Doc, Spanned, collect, doc, docs, evaluator, measured, report, threshold};

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
