//! Users' troubles as data: each operation is a small adapter to the API, so a new line of a known
//! operation needs no new code. Tensor operations run in chunkeval-candle, those of event files in
//! chunkeval-tensorboard.

use chunkeval::{
    Average, AverageScores, ChunkEvaluator, ChunkReport, ErrorKind, EveryN, IdRows, LabelReading,
    Logger, Memory, Mergeable, Metric, Mode, PaddedTags, ShortRows, Side, Source, TagBuffer,
    TagDiagnostics, TagSet, TagStyle, TextRows, TokenCounts,
};
use chunkeval_tests::tags::{int_rows, ints, labels, string_rows, strings};
use chunkeval_tests::{Line, Tally, assert_close, cases};
use serde_json::{Map, Value, json};

#[test]
fn cases_of_the_core() {
    let mut tally = Tally::new("cases of the core");
    for line in cases() {
        let op = line.value["input"]["op"].as_str().unwrap_or("no operation");
        let id = format!("{} {op}", line.value["id"].as_str().unwrap_or(&line.place));
        match run(&line) {
            Ok(found) => {
                assert_close(&id, &found, &line.value["expected"], &mut tally);
                tally.ran();
            }
            Err(why) => tally.skip(&id, why),
        }
    }
    tally.expect_cases(24);
}

/// What our API says to the input of a case, in the words of `expected`.
fn run(line: &Line) -> Result<Value, String> {
    let input = &line.value["input"];
    match input["op"].as_str().unwrap_or_default() {
        "chunk_prf" => Ok(chunk_prf(input, mode(input))),
        "chunk_prf_and_token_accuracy" => {
            let mut report = chunk_prf(input, mode(input));
            let (gold, predicted) =
                (rows(input, "y_true").concat(), rows(input, "y_pred").concat());
            let tokens = TokenCounts::of_tags(&gold, &predicted).map_err(|e| e.to_string())?;
            report["token_accuracy"] = json!(tokens.accuracy());
            Ok(report)
        }
        "chunk_prf_two_modes" => {
            let modes = strings(&input["schemes"]).unwrap();
            let each = |name: String| {
                let report = chunk_prf(input, name.parse().unwrap());
                (name, report)
            };
            Ok(Value::Object(modes.into_iter().map(each).collect()))
        }
        "stream" => Ok(stream(input)),
        "merge" => Ok(merge(input)),
        "chunk_ids" => Ok(chunk_ids(input)),
        "every_n" => Ok(every_n(input)),
        "span_counts_stream" => Ok(counts_stream(input)),
        _ => Err("operations of other crates, or that do not exist yet".to_owned()),
    }
}

fn mode(input: &Value) -> Mode {
    input["scheme"].as_str().unwrap_or("lenient").parse().unwrap()
}

/// An evaluator for the tags of some inputs.
fn evaluator(inputs: &[&Value], mode: Mode) -> Result<ChunkEvaluator, chunkeval::Error> {
    let sides = inputs.iter().flat_map(|i| [rows(i, "y_true"), rows(i, "y_pred")]);
    let all: Vec<Vec<String>> = sides.flatten().collect();
    let mut all = labels(&all);
    if all.is_empty() {
        all.push("O".to_owned());
    }
    let tags = TagSet::with_mode(all, TagStyle::Prefix, LabelReading::Strict, mode)?;
    Ok(ChunkEvaluator::with_tags(tags))
}

fn rows(input: &Value, side: &str) -> Vec<Vec<String>> {
    string_rows(&input[side]).unwrap_or_default()
}

fn update(metric: &mut ChunkEvaluator, input: &Value) -> Result<(), chunkeval::Error> {
    let (gold, predicted) = (rows(input, "y_true"), rows(input, "y_pred"));
    let tags = metric.tags().clone();
    let short = match input["on_short_prediction"].as_str() {
        Some("pad_with_O") => ShortRows::Missing,
        _ => ShortRows::Refuse,
    };
    let mut buffer = TagBuffer::default();
    metric.update(TextRows::new(&tags, &gold, &predicted).short_rows(short).load(&mut buffer)?)
}

fn chunk_prf(input: &Value, mode: Mode) -> Value {
    let done = evaluator(&[input], mode).and_then(|mut metric| {
        update(&mut metric, input)?;
        Ok((metric.accumulate(), ill_formed_gold_tags(metric.tags(), input)?))
    });
    match done {
        Ok((report, ill_formed)) => {
            let mut found = report_json(&report);
            found["ill_formed_gold_tags"] = ill_formed;
            found
        }
        Err(error) => match error.kind() {
            ErrorKind::UnreadableLabels { labels, .. } => {
                json!({"error": "invalid_label", "labels": labels})
            }
            ErrorKind::Length { row, expected, found, .. } => json!({
                "error": "length_mismatch", "sentence": row, "gold_len": expected, "pred_len": found,
            }),
            _ => json!({"error": error.to_string()}),
        },
    }
}

/// `[row, column]` of the gold tags that the scheme of the labels does not allow.
fn ill_formed_gold_tags(tags: &TagSet, input: &Value) -> Result<Value, chunkeval::Error> {
    let gold = rows(input, "y_true");
    let mut metric = TagDiagnostics::with_tags(tags.clone()).list_first(usize::MAX);
    let mut buffer = TagBuffer::default();
    metric.update(TextRows::new(tags, &gold, &gold).load(&mut buffer)?)?;
    let faults = metric.faults();
    let gold = faults.iter().filter(|fault| fault.side == Side::Gold);
    Ok(gold.map(|fault| json!([fault.row, fault.column])).collect())
}

fn stream(input: &Value) -> Value {
    let steps = input["steps"].as_array().unwrap();
    let updates: Vec<&Value> = steps.iter().filter_map(|s| s.get("update")).collect();
    let mut metric = evaluator(&updates, mode(input)).unwrap();
    let mut values = Vec::new();
    for step in steps {
        if let Some(batch) = step.get("update") {
            update(&mut metric, batch).unwrap();
        } else if step.get("reset").is_some() {
            metric.reset();
        } else if step.get("accumulate").is_some() {
            values.push(report_json(&metric.accumulate()));
        }
    }
    Value::from(values)
}

fn merge(input: &Value) -> Value {
    let parts: Vec<&Value> = input["parts"].as_array().unwrap().iter().collect();
    let mut whole = evaluator(&parts, mode(input)).unwrap();
    for part in parts {
        let mut worker = whole.clone();
        worker.reset();
        update(&mut worker, part).unwrap();
        whole.merge(worker.state()).unwrap();
    }
    report_json(&whole.accumulate())
}

fn chunk_ids(input: &Value) -> Value {
    let mut metric = ChunkEvaluator::new(strings(&input["label_list"]).unwrap()).unwrap();
    let labels = int_rows(&input["labels"]).unwrap();
    let predictions = int_rows(&input["predictions"]).unwrap();
    let width = labels.first().map_or(0, Vec::len);
    let lengths: Option<Vec<usize>> =
        ints(&input["lengths"]).map(|l| l.into_iter().map(|n| n as usize).collect());
    let mut buffer = TagBuffer::default();
    macro_rules! update {
        ($int:ty) => {{
            let flat = |rows: &[Vec<i64>]| -> Vec<$int> {
                rows.concat().into_iter().map(|id| id as $int).collect()
            };
            let (gold, predicted) = (flat(&labels), flat(&predictions));
            let mut tags = PaddedTags::ids(&gold, &predicted, width).unwrap();
            if let Some(lengths) = &lengths {
                tags = tags.lengths(lengths);
            }
            if let Some(ignore) = input["ignore_index"].as_i64() {
                tags = tags.ignore_index(ignore);
            }
            metric.update(tags.load(&mut buffer).unwrap()).unwrap();
        }};
    }
    match input["dtype"].as_str() {
        Some("u32") => update!(u32),
        Some("i32") => update!(i32),
        _ => update!(i64),
    }
    report_json(&metric.accumulate())
}

fn every_n(input: &Value) -> Value {
    let number = |key: &str| input[key].as_u64().unwrap();
    let mut log = Logger::new(Memory::default(), EveryN::new(number("every")).unwrap());
    for step in number("first_step")..=number("last_step") {
        log.log(step, "dev", &[("f1", 0.5)]).unwrap();
    }
    if input["log_last"] == true {
        log.log_last(number("last_step"), "dev", &[("f1", 0.5)]).unwrap();
    }
    let logged: Vec<u64> = log.sink().series("dev/f1").iter().map(|&(step, _)| step).collect();
    json!({ "logged": logged })
}

fn counts_stream(input: &Value) -> Value {
    let mut metric = ChunkEvaluator::new(["O"]).unwrap();
    for counts in input["updates"].as_array().unwrap() {
        metric.update_counts(serde_json::from_value(counts.clone()).unwrap()).unwrap();
    }
    let scores = metric.accumulate().overall;
    json!({"names": metric.name(), "values": [scores.precision, scores.recall, scores.f1]})
}

/// A report in the words of the cases.
fn report_json(report: &ChunkReport) -> Value {
    let scores = |s: &chunkeval::Scores| json!({"precision": s.precision, "recall": s.recall, "f1": s.f1, "support": s.counts.gold});
    let seen = report.per_type.iter().filter(|t| t.scores.counts.f1().is_some());
    let per_type: Map<String, Value> =
        seen.map(|t| (t.entity_type.clone(), scores(&t.scores))).collect();
    let s = report.overall;
    let mut found = json!({
        "correct": s.counts.correct,
        "predicted": s.counts.predicted,
        "gold": s.counts.gold,
        "precision": s.precision,
        "recall": s.recall,
        "f1": s.f1,
        "nan": s.f1.is_nan() || s.precision.is_nan() || s.recall.is_nan(),
        "per_type": per_type,
        "padded_tokens": report.diagnostics.missing_predicted,
    });
    for average in Average::ALL {
        let AverageScores { precision, recall, f_score, .. } = report.average(average);
        for (name, score) in [("precision", precision), ("recall", recall), ("f1", f_score)] {
            found[format!("{average}_{name}")] = json!(score);
        }
    }
    found
}

/// The rows of a case by ids, strings and padded slices all give the same report.
#[test]
fn every_way_in_gives_the_same_report() {
    for line in cases() {
        let input = &line.value["input"];
        if input["op"] != "chunk_prf" {
            continue;
        }
        let Ok(metric) = evaluator(&[input], mode(input)) else { continue };
        let (gold, predicted) = (rows(input, "y_true"), rows(input, "y_pred"));
        if gold.iter().zip(&predicted).any(|(g, p)| g.len() != p.len()) {
            continue;
        }
        let ids = |rows: &[Vec<String>]| -> Vec<Vec<u32>> {
            let id = |tag: &String| metric.tags().id(tag).unwrap() as u32;
            rows.iter().map(|row| row.iter().map(id).collect()).collect()
        };
        let (gold_ids, predicted_ids) = (ids(&gold), ids(&predicted));
        let width = gold.iter().map(Vec::len).max().unwrap_or(0);
        let pad = |rows: &[Vec<u32>]| -> Vec<u32> {
            rows.iter().flat_map(|r| r.iter().copied().chain(vec![9; width - r.len()])).collect()
        };
        let (padded_gold, padded_predicted) = (pad(&gold_ids), pad(&predicted_ids));
        let lengths: Vec<usize> = gold.iter().map(Vec::len).collect();

        let mut buffer = TagBuffer::default();
        let tags = metric.tags();
        let text = TextRows::new(tags, &gold, &predicted);
        let text = metric.measure(text.load(&mut buffer).unwrap()).unwrap();
        let rows = IdRows::new(&gold_ids, &predicted_ids);
        let rows = metric.measure(rows.load(&mut buffer).unwrap()).unwrap();
        let padded = PaddedTags::ids(&padded_gold, &padded_predicted, width).unwrap();
        let padded = padded.lengths(&lengths);
        let padded = metric.measure(padded.load(&mut buffer).unwrap()).unwrap();
        assert_eq!(text, rows, "{}", line.place);
        assert_eq!(text, padded, "{}", line.place);
    }
}
