//! PaddleNLP's `ChunkEvaluator` over several calls: the same totals and scores after every step.

use chunkeval::{
    ChunkCounts, ChunkEvaluator, ErrorKind, LabelReading, Mergeable, Metric, PaddedTags, Source,
    TagBuffer,
};
use chunkeval_tests::tags::{int_rows, ints, strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn sessions_equal_paddlenlp() {
    let mut tally = Tally::new("golden chunk sessions");
    for line in golden(Kind::ChunkSessions) {
        match run(&line) {
            Ok(()) => tally.ran(),
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(100);
}

/// Runs the steps of a session; `Err` says why the rest of it cannot be said in Rust.
fn run(line: &Line) -> Result<(), String> {
    let labels = strings(&line.value["label_list"]).ok_or("labels that are no strings")?;
    let mut metric = ChunkEvaluator::builder(labels)
        .style(style(&line.value))
        .reading(LabelReading::Reference)
        .build()
        .unwrap();
    for (number, step) in line.value["steps"].as_array().unwrap().iter().enumerate() {
        let place = format!("{} step {number}", line.place);
        match step["op"].as_str().unwrap() {
            "compute_update" => compute(&place, &mut metric, step, true),
            "compute_old" => compute(&place, &mut metric, step, false),
            "update" => update(&place, &mut metric, step)?,
            "reset" => metric.reset(),
            "name" => assert_eq!(serde_json::json!(metric.name()), step["result"], "{place}"),
            "accumulate" => {
                let scores = metric.accumulate().overall;
                let found = [scores.precision, scores.recall, scores.f1];
                assert_eq!(serde_json::json!(found), step["result"], "{place}");
            }
            op => return Err(format!("no operation {op} here")),
        }
        let counts = metric.accumulate().overall.counts;
        let state = totals(&step["state"]).ok_or("totals that are no single integers")?;
        assert_eq!([counts.predicted, counts.gold, counts.correct].to_vec(), state, "{place}");
    }
    Ok(())
}

fn compute(place: &str, metric: &mut ChunkEvaluator, step: &Value, update: bool) {
    let labels = int_rows(&step["labels"]).unwrap();
    let width = labels.first().map_or(0, Vec::len);
    let (labels, predictions) = (labels.concat(), int_rows(&step["predictions"]).unwrap().concat());
    let lengths: Vec<usize> =
        ints(&step["lengths"]).unwrap().into_iter().map(|n| usize::try_from(n).unwrap()).collect();
    let tags = PaddedTags::ids(&labels, &predictions, width).unwrap().lengths(&lengths);
    let mut buffer = TagBuffer::default();
    let batch = tags.load(&mut buffer).unwrap();
    match metric.measure(batch) {
        Ok(state) => {
            let c = metric.finish(&state).overall.counts;
            assert_eq!(
                serde_json::json!([c.predicted, c.gold, c.correct]),
                step["result"],
                "{place}"
            );
            if update {
                metric.update(batch).unwrap();
            }
        }
        Err(error) => {
            assert_eq!(step["error"]["type"], "KeyError", "{place}: {error}");
            assert!(metric.update(batch).is_err(), "{place}");
        }
    }
}

/// Counts given by hand. What Python takes besides whole numbers cannot be said; counts that
/// cannot be are refused here, where the reference goes on to scores above 1 or a division by zero.
fn update(place: &str, metric: &mut ChunkEvaluator, step: &Value) -> Result<(), String> {
    let args: Option<Vec<u64>> = step["args"].as_array().unwrap().iter().map(count).collect();
    if args.is_none() && step.get("error").is_some() {
        return Ok(()); // refused by the reference when run, here by the compiler
    }
    let args = args.ok_or("counts that are no unsigned 64-bit integers")?;
    let [predicted, gold, correct] = args[..] else { return Err("not three counts".to_owned()) };
    let before = metric.state().clone();
    match metric.update_counts(ChunkCounts { gold, predicted, correct }) {
        Ok(()) => assert!(step["error"].is_null(), "{place}"),
        Err(error) => {
            assert!(correct > gold.min(predicted), "{place}: {error}");
            assert!(matches!(error.kind(), ErrorKind::ImpossibleCounts { .. }), "{place}");
            assert_eq!(metric.state(), &before, "{place}");
            return Err(
                "impossible counts are refused (more correct than gold or predicted)".to_owned()
            );
        }
    }
    Ok(())
}

/// A whole number, as a Python int, bool or 64-bit numpy integer.
fn count(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(b) => Some(u64::from(*b)),
        Value::Object(o) => o.get("np.int64").and_then(Value::as_u64),
        _ => value.as_u64(),
    }
}

/// The three running totals, each a number or an array of one.
fn totals(value: &Value) -> Option<Vec<u64>> {
    let one = |v: &Value| match v {
        Value::Array(a) if a.len() == 1 => a[0].as_u64(),
        _ => v.as_u64(),
    };
    value.as_array()?.iter().map(one).collect()
}
