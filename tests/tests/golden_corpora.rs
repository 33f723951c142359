//! Whole corpora: totals and scores of PaddleNLP's `ChunkEvaluator`, counts per type of seqeval,
//! batch by batch; seqeval's reports in default and strict mode and its token-level functions, and
//! what conlleval.pl prints.

use std::collections::BTreeMap;

use chunkeval::report::{Conlleval, ConllevalLayout, conlleval_text, seqeval_text};
use chunkeval::{
    ChunkEvaluator, ChunkReport, ErrorKind, LabelReading, Mergeable, Metric, Mode, TagBatch,
    TagSet, TokenEvaluator, TokenReport,
};
use chunkeval_tests::seqeval::assert_dict;
use chunkeval_tests::tags::{ints, strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn corpora_equal_the_references() {
    let mut tally = Tally::new("golden corpora");
    for line in golden(Kind::Corpus) {
        check(&line);
        for (scheme, expected) in line.value["expected"]["seqeval_strict"].as_object().unwrap() {
            check_strict(&line, scheme, expected);
        }
        if let Some(stdout) = line.value["expected"]["conlleval"]["stdout"].as_str() {
            check_conlleval(&line, stdout);
        }
        tally.ran();
    }
    tally.expect(3);
}

fn check(line: &Line) {
    let (place, value) = (&line.place, &line.value);
    let labels = strings(&value["label_list"]).unwrap();
    let builder = ChunkEvaluator::builder(labels.clone()).style(style(value));
    let mut metric = match TagSet::new(labels, style(value)) {
        Ok(_) => builder.build().unwrap(),
        Err(_) => builder.reading(LabelReading::Reference).build().unwrap(),
    };
    let (gold, predicted) = (ids(value, "gold"), ids(value, "pred"));
    let lengths = ids(value, "lengths").into_iter().map(|n| n as usize).collect::<Vec<_>>();

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
    let seqeval = &value["expected"]["seqeval"];
    check_seqeval(place, &report, seqeval);
    let counts = tokens(value).counts;
    assert_eq!(counts.accuracy().unwrap(), seqeval["accuracy"], "{place}");
    let found = json!({
        "TP": counts.true_positive,
        "FP": counts.false_positive,
        "FN": counts.false_negative,
        "TN": counts.true_negative,
    });
    assert_eq!(found, seqeval["performance_measure"], "{place}");
}

/// Scores per type and over all under a strict scheme, or the error for a tag it does not allow.
fn check_strict(line: &Line, scheme: &str, expected: &Value) {
    let (place, value) = (format!("{}: {scheme}", line.place), &line.value);
    let list = strings(&value["label_list"]).unwrap();
    // seqeval judges the tags that occur; its label list here is of those, and unknown predicted
    // ids stay unknown.
    let (mut labels, mut known) = (Vec::new(), BTreeMap::new());
    let mut occurring = |id: i32| {
        let label = usize::try_from(id).ok().and_then(|id| list.get(id));
        label.map_or(-1, |label| {
            *known.entry(id).or_insert_with(|| {
                labels.push(label.clone());
                labels.len() as i32 - 1
            })
        })
    };
    let [gold, predicted] =
        ["gold", "pred"].map(|key| ids(value, key).into_iter().map(&mut occurring).collect());
    let (gold, predicted): (Vec<i32>, Vec<i32>) = (gold, predicted);
    let ends = ends(value);

    let mode = Mode::Strict(scheme.parse().unwrap());
    let builder = ChunkEvaluator::builder(labels).style(style(value));
    let metric = builder.reading(LabelReading::Reference).mode(mode).build();
    if let Some(error) = expected.get("error") {
        let found = metric.unwrap_err();
        let ErrorKind::UnreadableLabels { labels, .. } = found.kind() else {
            panic!("{place}: {found}")
        };
        assert_eq!(error["type"], "ValueError", "{place}");
        let text = error["text"].as_str().unwrap();
        assert!(labels.iter().any(|l| text.contains(&format!(": {l}."))), "{place}: {found}");
        return;
    }
    let mut metric = metric.unwrap();
    metric.update(TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
    let report = metric.accumulate();
    assert_dict(&report, &expected["ok"], &place);
}

/// The same text from ids in a stream, and from a file through our own script.
fn check_conlleval(line: &Line, stdout: &str) {
    let value = &line.value;
    let (gold, predicted, ends) = (ids(value, "gold"), ids(value, "pred"), ends(value));
    let labels = strings(&value["label_list"]).unwrap();
    let builder = ChunkEvaluator::builder(labels.clone());
    let builder = builder.reading(LabelReading::Reference).mode(Mode::Conlleval);
    let mut metric = builder.build().unwrap();
    metric.update(TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
    let tokens = tokens(value).counts;
    let text = conlleval_text(&metric.accumulate(), &tokens, ConllevalLayout::Plain);
    assert_eq!(text, stdout, "{}", line.place);

    let tag = |id: i32| usize::try_from(id).ok().and_then(|id| labels.get(id)).map_or("O", |l| l);
    let mut file = String::new();
    let mut start = 0;
    for end in ends {
        for (&gold, &predicted) in gold[start..end].iter().zip(&predicted[start..end]) {
            file += &format!("w {} {}\n", tag(gold), tag(predicted));
        }
        file.push('\n');
        start = end;
    }
    let printed = Conlleval::default().run(file.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(printed).unwrap(), stdout, "{}: the file", line.place);
}

/// Accuracy and counts of the tokens.
fn tokens(value: &Value) -> TokenReport {
    let (gold, predicted, ends) = (ids(value, "gold"), ids(value, "pred"), ends(value));
    let mut metric = TokenEvaluator::new(strings(&value["label_list"]).unwrap()).unwrap();
    metric.update(TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
    metric.accumulate()
}

/// Where each row ends.
fn ends(value: &Value) -> Vec<usize> {
    let mut end = 0;
    let lengths = ids(value, "lengths").into_iter();
    lengths
        .map(|length| {
            end += length as usize;
            end
        })
        .collect()
}

fn ids(value: &Value, key: &str) -> Vec<i32> {
    ints(&value[key]).unwrap().into_iter().map(|id| i32::try_from(id).unwrap()).collect()
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
    assert_dict(report, &seqeval["report_dict"], place);
    assert_eq!(seqeval_text(report, 4).unwrap(), seqeval["report_text_digits4"], "{place}");
}

fn counts(report: &ChunkReport) -> Value {
    let c = report.overall.counts;
    json!([c.predicted, c.gold, c.correct])
}
