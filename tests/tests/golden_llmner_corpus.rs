//! Files of answers: the counts and scores of the published loop, under both readings and all
//! treatments of what cannot be read.

use std::collections::BTreeMap;

use chunkeval::Metric;
use chunkeval::llm::{
    AnswerReading, ExtractionEvaluator, ExtractionScores, Preset, ReadingReport, Record,
    RecordBatch, RecordReader, Treatment,
};
use chunkeval_tests::tags::strings;
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn corpora_of_answers_equal_the_published_loop() {
    let mut tally = Tally::new("golden files of answers");
    for line in golden(Kind::LlmNerCorpus) {
        if line.value["params"].as_object().is_some_and(|params| !params.is_empty()) {
            tally.skip(&line.place, format!("params {}", line.value["params"]));
            continue;
        }
        check(&line, &mut tally);
        tally.ran();
    }
    tally.expect(16);
}

fn check(line: &Line, tally: &mut Tally) {
    let (place, tol) = (&line.place, line.value["tol"].as_f64().unwrap());
    // Through a file, as users have them.
    let lines = line.value["input"]["lines"].as_array().unwrap();
    let file: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let reader = RecordReader::new(file.as_bytes(), "lines", Preset::Instruction);
    let records: Vec<Record> = reader.map(|record| record.unwrap()).collect();

    let mut schema: Vec<&String> = Vec::new();
    for name in records.iter().flat_map(|record| record.schema.iter().flat_map(|s| s.iter())) {
        if !schema.contains(&name) {
            schema.push(name);
        }
    }
    let expect = line.value["expect"].as_object().unwrap();
    let mut whole = ExtractionEvaluator::new();
    whole.update(RecordBatch::new(&records)).unwrap();
    let report = whole.accumulate();
    for (key, expected) in expect {
        match (key.as_str(), key.parse::<AnswerReading>()) {
            ("schema_types", _) => {
                assert_eq!(json!(schema), *expected, "{place}: {:?}", strings(expected));
            }
            (_, Ok(reading)) => {
                let found = report.get(reading).unwrap();
                check_reading(found, expected, tol, &format!("{place} {key}"), tally);
            }
            _ => tally.skip(place, format!("{key} is not reported")),
        }
    }
}

fn check_reading(
    found: &ReadingReport,
    expected: &Value,
    tol: f64,
    place: &str,
    tally: &mut Tally,
) {
    for (key, expected) in expected.as_object().unwrap() {
        let treatment = match key.as_str() {
            "samples" => {
                let all = found.answers.read() + found.answers.unreadable();
                assert_eq!(json!(all), *expected, "{place}: samples");
                continue;
            }
            "errors" => {
                assert_eq!(json!(found.answers.unreadable()), *expected, "{place}: errors");
                continue;
            }
            "skip_errors" => Treatment::Skip,
            "count_errors_as_empty" => Treatment::CountAsEmpty,
            "skip_errors_schema_types_only" => Treatment::SchemaTypesOnly,
            _ => {
                tally.skip(place, format!("{key} is not reported"));
                continue;
            }
        };
        match found.scores(treatment) {
            Some(scores) => same(&table(scores), expected, tol, &format!("{place} {key}")),
            // No record says which types it asks for, so there is nothing to count.
            None => assert_eq!(expected["types"], json!({}), "{place} {key}"),
        }
    }
}

fn table(scores: &ExtractionScores) -> Value {
    let numbers = |s: &chunkeval::Scores| {
        json!({
            "predict_right_num": s.counts.correct, "predict_num": s.counts.predicted,
            "label_num": s.counts.gold, "precision": s.precision, "recall": s.recall, "f1": s.f1,
        })
    };
    let types: BTreeMap<&str, Value> =
        scores.per_type.iter().map(|t| (&*t.entity_type, numbers(&t.scores))).collect();
    json!({
        "types": types, "micro": numbers(&scores.overall), "macro_f1": scores.macro_average.f1,
    })
}

fn same(found: &Value, expected: &Value, tol: f64, place: &str) {
    match (found, expected) {
        (Value::Object(f), Value::Object(e)) => {
            assert!(f.keys().eq(e.keys()), "{place}: found {found}, expected {expected}");
            for (key, value) in e {
                same(&f[key], value, tol, &format!("{place}/{key}"));
            }
        }
        (Value::Number(f), Value::Number(e)) => {
            let (f, e) = (f.as_f64().unwrap(), e.as_f64().unwrap());
            assert!((f - e).abs() <= tol, "{place}: found {f}, expected {e}");
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}
