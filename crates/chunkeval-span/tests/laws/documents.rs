//! Documents of any spans, and metrics for them.

use chunkeval_core::Metric;
use chunkeval_span::{Matching, SpanDocs, SpanEvaluator, SpanReport, Threshold};
use proptest::prelude::*;

/// A document: gold and predicted spans, as type, start, end.
pub(crate) type Doc = [Vec<Spanned>; 2];
pub(crate) type Spanned = (&'static str, usize, usize);

const TYPES: [&str; 3] = ["LOC", "ORG", "PER"];

fn span() -> impl Strategy<Value = Spanned> {
    (prop::sample::select(&TYPES[..]), 0..12usize, 0..7usize)
        .prop_map(|(entity_type, start, length)| (entity_type, start, start + length))
}

pub(crate) fn doc() -> impl Strategy<Value = Doc> {
    let side = || prop::collection::vec(span(), 0..7);
    (side(), side()).prop_map(|(gold, predicted)| [gold, predicted])
}

pub(crate) fn docs() -> impl Strategy<Value = Vec<Doc>> {
    prop::collection::vec(doc(), 0..6)
}

pub(crate) fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        Just(Threshold::Any),
        Just(Threshold::Gold(0.5)),
        Just(Threshold::Predicted(0.5)),
        Just(Threshold::Union(0.3)),
    ]
}

pub(crate) fn matching() -> impl Strategy<Value = Matching> {
    prop_oneof![
        threshold().prop_map(Matching::MaximumOverlap),
        // Without gold spans of no length nervaluate's rule takes any document.
        Just(Matching::NERVALUATE),
    ]
}

pub(crate) fn collect(docs: &[Doc]) -> SpanDocs {
    let mut collected = SpanDocs::default();
    for [gold, predicted] in docs {
        collected.push(gold.iter().copied(), predicted.iter().copied()).unwrap();
    }
    collected
}

/// nervaluate's rule divides by the length of gold spans.
pub(crate) fn for_rule(matching: Matching, mut docs: Vec<Doc>) -> Vec<Doc> {
    if let Matching::Nervaluate { .. } = matching {
        docs.iter_mut().for_each(|[gold, _]| gold.retain(|(_, start, end)| start < end));
    }
    docs
}

pub(crate) fn evaluator(matching: Matching) -> SpanEvaluator {
    SpanEvaluator::builder().matching(matching).build().unwrap()
}

pub(crate) fn measured(matching: Matching, docs: &[Doc]) -> SpanEvaluator {
    let mut metric = evaluator(matching);
    metric.update(collect(docs).batch()).unwrap();
    metric
}

pub(crate) fn report(gold: &[Spanned], predicted: &[Spanned]) -> SpanReport {
    measured(Matching::default(), &[[gold.to_vec(), predicted.to_vec()]]).accumulate()
}
