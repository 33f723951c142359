//! Whole corpora: totals and scores of PaddleNLP's `ChunkEvaluator`, counts per type of seqeval,
//! batch by batch.

use chunkeval::{ChunkEvaluator, ChunkReport, LabelReading, Mergeable, Metric, TagBatch, TagSet};
use chunkeval_tests::tags::{ints, strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn corpora_equal_the_references() {
    let mut tally = Tally::new("golden corpora");
    for line in golden(Kind::Corpus) {
        check(&line);
        tally.ran();
    }
}

fn check(line: &Line) {
    let (place, value) = (&line.place, &line.value);
    let labels = strings(&value["label_list"]).unwrap();
    let builder = ChunkEvaluator::builder(labels.clone()).style(style(value));
    let mut metric = match TagSet::new(labels, style(value)) {
        Ok(_) => builder.build().unwrap(),
        Err(_) => builder.reading(LabelReading::Seqeval).build().unwrap(),
    };
    let ids = |key: &str| -> Vec<i32> {
        ints(&value[key]).unwrap().into_iter().map(|id| i32::try_from(id).unwrap()).collect()
    };
    let (gold, predicted) = (ids("gold"), ids("pred"));
    let lengths: Vec<usize> =
        ints(&value["lengths"]).unwrap().into_iter().map(|n| usize::try_from(n).unwrap()).collect();

    let paddle = &value["expected"]["chunk_evaluator"];
    let batch_size = paddle["batch_size"].as_u64().unwrap_or(32) as usize;
    let mut at = 0;
    for (number, lengths) in lengths.chunks(batch_size).enumerate() {
        let start = at;
        let ends: Vec<usize> = lengths
            .iter()
            .map(|length| {
                at += length;
                at - start
            })
            .collect();
        let batch = TagBatch::new(&gold[start..at], &predicted[start..at], &ends).unwrap();
        if let Some(expected) = paddle["first_batches"].get(number) {
            let one = metric.finish(&metric.measure(batch).unwrap());
            assert_eq!(&counts(&one), expected, "{place}: batch {number}");
        }
        metric.update(batch).unwrap();
    }
    let report = metric.accumulate();
    if !paddle.is_null() {
        assert_eq!(counts(&report), paddle["totals"], "{place}");
        let s = report.overall;
        assert_eq!(json!([s.precision, s.recall, s.f1]), paddle["accumulate"], "{place}");
    }
    check_seqeval(place, &report, &value["expected"]["seqeval"]);
}

/// Counts and scores per type, bit for bit.
fn check_seqeval(place: &str, report: &ChunkReport, seqeval: &Value) {
    let expected = seqeval["per_type_infer_label_correct"].as_array().unwrap();
    for row in expected {
        let name = row[0].as_str().unwrap();
        let c = report.get(name).unwrap().counts;
        assert_eq!(&json!([name, c.predicted, c.gold, c.correct]), row, "{place}");
    }
    let names: Vec<&str> = expected.iter().map(|row| row[0].as_str().unwrap()).collect();
    let seen = report.per_type.iter().filter(|t| t.scores.counts.f1().is_some());
    assert_eq!(seen.map(|t| &*t.entity_type).collect::<Vec<_>>(), names, "{place}");
    for (name, scores) in report.per_type.iter().map(|t| (&*t.entity_type, &t.scores)) {
        let Some(row) = seqeval["report_dict"].get(name) else { continue };
        let found = json!({
            "precision": scores.precision,
            "recall": scores.recall,
            "f1-score": scores.f1,
            "support": scores.counts.gold,
        });
        assert_eq!(&found, row, "{place}: {name}");
    }
}

fn counts(report: &ChunkReport) -> Value {
    let c = report.overall.counts;
    json!([c.predicted, c.gold, c.correct])
}
