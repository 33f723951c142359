//! Users' troubles with answers of language models as data: each operation is a small adapter to
//! the API, so a new line of a known operation needs no new code.

use chunkeval::Metric;
use chunkeval::llm::{
    AnswerReading, AnswerStatus, Entities, ExtractionEvaluator, Grounding, JsonLines,
    Normalisation, Record, RecordBatch, ground,
};
use chunkeval_tests::{Tally, cases};
use serde_json::{Value, json};

#[test]
fn cases_of_answers() {
    let mut tally = Tally::new("cases of answers");
    for line in cases() {
        let input = &line.value["input"];
        let op = input["op"].as_str().unwrap_or("no operation");
        let id = format!("{} {op}", line.value["id"].as_str().unwrap_or(&line.place));
        let found = match op {
            "llm_extract" => llm_extract(input),
            "read_jsonl" => read_jsonl(input),
            _ => Err("operations that are not about answers".to_owned()),
        };
        match found {
            Ok(found) => {
                assert_close(&id, &found, &line.value["expected"], &mut tally);
                tally.ran();
            }
            Err(why) => tally.skip(&id, why),
        }
    }
    assert!(tally.count() > 0, "no cases of answers");
}

/// That nothing in the input is passed over.
fn only(input: &Value, known: &[&str]) -> Result<(), String> {
    let unknown = |key: &&String| !known.contains(&key.as_str()) && *key != "op";
    match input.as_object().and_then(|fields| fields.keys().find(unknown)) {
        Some(key) => Err(format!("an input with {key}")),
        None => Ok(()),
    }
}

/// One answer: what a lenient reader makes of it.
fn llm_extract(input: &Value) -> Result<Value, String> {
    only(input, &["text", "gold", "raw", "schema", "types"])?;
    let text = input["text"].as_str().ok_or("a text that is no string")?;
    let raw = input["raw"].as_str().ok_or("an answer that is no string")?;
    let pairs = input["gold"].as_array().ok_or("gold that is no list")?;
    let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
    let gold: Option<Entities> = pairs.iter().map(pair).collect();
    let mut record = Record::new(gold.ok_or("gold that is no list of pairs")?, raw).text(text);
    let schema = input["schema"].as_array().or(input["types"].as_array());
    if let Some(schema) = schema {
        record = record.schema(schema.iter().filter_map(Value::as_str));
    }

    let reading = AnswerReading::Lenient;
    let mut metric = ExtractionEvaluator::builder().readings([reading]).build().unwrap();
    metric.update(RecordBatch::new(&[record])).unwrap();
    let report = metric.accumulate();
    let scores = &report.get(reading).unwrap().count_as_empty.overall;
    let answer = reading.read(raw);
    let status = match answer.status {
        AnswerStatus::Clean => "ok",
        other => other.name(),
    };
    let mentions: Vec<(&str, &String)> = answer
        .entities
        .iter()
        .flat_map(|(name, list)| list.iter().map(move |text| (name, text)))
        .collect();
    let lists: Vec<Vec<&String>> = mentions.iter().map(|(_, text)| vec![*text]).collect();
    let found = ground(text, &lists, Normalisation::ALL);
    let invented = mentions.iter().zip(found).filter(|(_, f)| f[0] == Grounding::Invented);
    Ok(json!({
        "correct": scores.counts.correct, "predicted": scores.counts.predicted,
        "gold": scores.counts.gold, "support": scores.counts.gold, "precision": scores.precision,
        "recall": scores.recall, "f1": scores.f1, "status": status,
        "malformed_items": answer.malformed.len(),
        "not_in_text": invented.map(|((name, text), _)| json!([name, text])).collect::<Vec<_>>(),
    }))
}

/// The ids of the lines of a file, and the numbers of those that cannot be read.
fn read_jsonl(input: &Value) -> Result<Value, String> {
    only(input, &["content"])?;
    let content = input["content"].as_str().ok_or("a content that is no string")?;
    let mut lines = JsonLines::new(content.as_bytes(), "content");
    let (mut ids, mut errors, mut number) = (vec![], vec![], 0);
    loop {
        match lines.next_line() {
            Ok(None) => return Ok(json!({"ids": ids, "errors": errors})),
            Ok(Some(line)) => {
                number = line.number;
                match serde_json::from_str::<Value>(line.text) {
                    Ok(value) => ids.push(value["id"].clone()),
                    Err(_) => errors.push(json!(number)),
                }
            }
            Err(_) => errors.push(json!(number + 1)),
        }
    }
}

/// Every expected value, to the six decimals the cases give. A key we do not report is named.
fn assert_close(id: &str, found: &Value, expected: &Value, tally: &mut Tally) {
    match (found, expected) {
        (Value::Object(f), Value::Object(e)) => {
            for (key, value) in e {
                match f.get(key) {
                    Some(found) => assert_close(&format!("{id}/{key}"), found, value, tally),
                    None => tally.skip(id, format!("{key} is not reported")),
                }
            }
        }
        (Value::Number(f), Value::Number(e)) => {
            let (f, e) = (f.as_f64().unwrap(), e.as_f64().unwrap());
            assert!((f - e).abs() < 1e-6, "{id}: found {f}, expected {e}");
        }
        _ => assert_eq!(found, expected, "{id}"),
    }
}
