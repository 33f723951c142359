//! The chunks of tagged rows as spans give the counts of `ChunkEvaluator`, and sources refuse what
//! they cannot read.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    Batch, ChunkEvaluator, ErrorKind, MISSING_PREDICTION, Metric, Source, TagBatch, TagSet,
    TagStyle,
};
use chunkeval_span::nervaluate::{Documents, Entity};
use chunkeval_span::{Schema, Span, SpanDocs, SpanError, SpanEvaluator, SpanRows, TagSpans};
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

fn entities(all: &[(i64, i64)]) -> Vec<Entity> {
    let entity = |&(start, end)| Entity { label: "X".to_owned(), start, end };
    all.iter().map(entity).collect()
}

#[test]
fn a_load_that_fails_leaves_no_spans_behind() {
    let mut buffer = SpanDocs::default();
    let one = |buffer: &SpanDocs| {
        let report = SpanEvaluator::new().cases(buffer.batch(), Schema::Strict, 9).unwrap();
        assert_eq!(report.missed.first.len(), 1);
        assert_eq!(buffer.batch().len(), 1);
    };

    // A first document that can be read, then a span that cannot.
    let bad = vec![entities(&[(0, 1)]), entities(&[(2, 3), (5, i64::MAX)])];
    let bad = Documents::from_entities(bad, vec![vec![], vec![]]).unwrap();
    assert!(bad.load(&mut buffer).is_err());
    assert!(buffer.batch().is_empty());
    buffer.push([("X", 5, 6)], []).unwrap();
    one(&buffer);

    let span = |start, end| vec![Span::from(("X", start, end))];
    let (gold, predicted) = ([span(0, 1), span(3, 2)], [vec![], vec![]]);
    assert!(SpanRows::new(&gold, &predicted).load(&mut buffer).is_err());
    assert!(buffer.batch().is_empty());

    let tags = tags();
    let bad = TagBatch::new(&[1, 0, 7], &[1, 0, 0], &[1, 3]).unwrap();
    assert!(TagSpans::new(&tags, bad).load(&mut buffer).is_err());
    assert!(buffer.batch().is_empty());
    buffer.push([("X", 5, 6)], []).unwrap();
    one(&buffer);
}

#[test]
fn reversed_entities_are_named_as_they_were_given() {
    for (start, end) in [(5, 3), (-1, -5), (5, 4), (0, -1)] {
        let gold = vec![vec![], entities(&[(0, 1), (start, end)])];
        let documents = Documents::from_entities(gold, vec![vec![], vec![]]).unwrap();
        let mut buffer = SpanDocs::default();
        let batch = documents.load(&mut buffer).unwrap();
        let error = SpanEvaluator::new().update(batch).unwrap_err();
        let place = "document 1, gold span 1";
        let expected = format!("{place}: the end {end} lies before the start {start}");
        assert_eq!(error.to_string(), expected);
    }
    // The text of the span's error is in that of its place, so it is not its source as well.
    let error = SpanDocs::default().push([("X", 3, 2)], []).unwrap_err();
    assert!(matches!(error, SpanError::At { .. }));
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn cases_of_a_cut_batch_have_the_numbers_of_the_whole() {
    let mut docs = SpanDocs::default();
    for start in 0..5 {
        docs.push([("X", start, start + 1)], []).unwrap();
    }
    let cut = docs.batch().rows(2..4);
    let cases = SpanEvaluator::new().cases(cut, Schema::Strict, 9).unwrap();
    let numbers: Vec<usize> = cases.missed.first.iter().map(|case| case.document).collect();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn documents_may_be_vectors_slices_or_arrays() {
    let spans = [Span::from(("X", 0, 1)), Span::from(("Y", 2, 3))];
    let mut buffer = SpanDocs::default();
    let rows: [&[Span<'_>]; 2] = [&spans, &spans[..1]];
    assert_eq!(SpanRows::new(&rows, &rows).load(&mut buffer).unwrap().len(), 2);
    assert_eq!(SpanRows::new(&[spans], &[spans]).load(&mut buffer).unwrap().len(), 1);
}
