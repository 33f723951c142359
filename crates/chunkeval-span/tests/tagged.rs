//! The chunks of tagged rows as spans give the counts of `ChunkEvaluator`, and sources refuse what
//! they cannot read.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    Batch, ChunkEvaluator, ErrorKind, MISSING_PREDICTION, Metric, Source, TagBatch, TagSet,
    TagStyle,
};
use chunkeval_span::{Span, SpanDocs, SpanEvaluator, SpanRows, TagSpans};
use proptest::prelude::*;

const LABELS: [&str; 7] = ["O", "B-PER", "I-PER", "E-PER", "S-PER", "B-LOC", "I-LOC"];

fn tags() -> TagSet {
    TagSet::new(LABELS, TagStyle::Prefix).unwrap()
}

proptest! {
    #[test]
    fn strict_scores_are_those_of_chunks(
        rows in prop::collection::vec(prop::collection::vec((0..7i32, -1..8i32), 0..12), 0..5),
    ) {
        let ends: Vec<usize> = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        }).collect();
        let (gold, predicted): (Vec<i32>, Vec<i32>) = rows.concat().into_iter().unzip();
        let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
        let tags = tags();
        let mut chunks = ChunkEvaluator::with_tags(tags.clone());
        chunks.update(batch).unwrap();
        let chunks = chunks.accumulate();

        let mut buffer = SpanDocs::default();
        let mut spans = SpanEvaluator::new();
        for row in 0..rows.len() {
            let row = batch.rows(row..row + 1); // the buffer is used again
            spans.update(TagSpans::new(&tags, row).load(&mut buffer).unwrap()).unwrap();
        }
        let spans = spans.accumulate();
        prop_assert_eq!(spans.diagnostics.unread_tags, chunks.diagnostics.unknown_predicted);
        let (s, c) = (spans.overall.strict, chunks.overall);
        prop_assert_eq!((s.possible, s.actual), (c.counts.gold, c.counts.predicted));
        prop_assert_eq!((s.precision, s.recall, s.f1), (c.precision, c.recall, c.f1));
        for t in &spans.per_type {
            let chunk = chunks.get(&t.entity_type).unwrap();
            prop_assert_eq!(t.scores.strict.f1, chunk.f1);
            prop_assert_eq!(t.scores.strict.counts.correct.gold, chunk.counts.correct);
        }
    }
}

#[test]
fn unknown_gold_is_an_error_and_missing_predictions_are_counted() {
    let tags = tags();
    let mut buffer = SpanDocs::default();
    let bad = TagBatch::new(&[1, 0, 7], &[1, 0, 0], &[1, 3]).unwrap();
    let error = TagSpans::new(&tags, bad).load(&mut buffer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownGold { row: 1, column: 1, id: 7, labels: 7 }));

    let missing = TagBatch::new(&[1, 2], &[1, MISSING_PREDICTION], &[2]).unwrap();
    let mut metric = SpanEvaluator::new();
    metric.update(TagSpans::new(&tags, missing).load(&mut buffer).unwrap()).unwrap();
    let report = metric.accumulate();
    assert_eq!(report.diagnostics.unread_tags, 1);
    assert_eq!(report.overall.partial.f1, 0.5);
}

#[test]
fn sides_of_different_length_are_an_error() {
    let (gold, predicted) = ([vec![Span::from(("X", 0, 1))]], []);
    let mut buffer = SpanDocs::default();
    let error = SpanRows::new(&gold, &predicted).load(&mut buffer).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Length { expected: 1, found: 0, .. }), "{error}");
}
