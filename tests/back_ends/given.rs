//! The users' troubles with ids and tensors (`cases/given.jsonl`, areas `ids/` and `tensor/`).
//!
//! Each operation is said once, so that a new line of the file needs no new code. What cannot be
//! said is named with its reason.

use std::path::{Path, PathBuf};

use chunkeval_core::{
    ChunkEvaluator, Error, ErrorKind, Metric, Pieces, Place, Source, TagBuffer, WordIds,
};
use serde_json::{Map, Value, json};

use super::BackEnd;

type Object = Map<String, Value>;

/// What an operation gives, or why it cannot be said here.
type Answer = Result<Value, String>;

/// The lines of the file.
pub(super) fn given() -> Vec<Value> {
    let file = std::env::var_os("CHUNKEVAL_CASES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/given.jsonl"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(&file).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn cases<B: BackEnd>() {
    let (mut ran, mut skipped, mut wrong) = (0, 0, Vec::new());
    for case in given() {
        let (id, area) = (case["id"].as_str().unwrap(), case["area"].as_str().unwrap());
        if !area.starts_with("ids/") && !area.starts_with("tensor/") {
            continue;
        }
        match answer::<B>(case["input"].as_object().unwrap()) {
            Ok(found) if agrees(&found, &case["expected"]) => ran += 1,
            Ok(found) => wrong.push(format!("{id}: {found} is not {}", case["expected"])),
            Err(reason) => {
                skipped += 1;
                println!("skipped {id} ({area}): {reason}");
            }
        }
    }
    println!("{ran} ran, {skipped} skipped");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > 0, "no case was found");
}

fn answer<B: BackEnd>(input: &Object) -> Answer {
    let (run, known): (fn(&Object) -> Answer, &[&str]) = match input["op"].as_str() {
        Some("argmax_last") => (argmax_last::<B>, &["shape", "data", "dtype"]),
        Some("argmax_last_of_view") => {
            (argmax_last::<B>, &["storage_shape", "data", "dtype", "transpose"])
        }
        Some("chunk_ids") => (
            chunk_ids::<B>,
            &["dtype", "label_list", "labels", "predictions", "ignore_index", "lengths", "mask"],
        ),
        Some("chunk_word_ids") => (
            chunk_word_ids::<B>,
            &["dtype", "label_list", "word_ids", "labels", "predictions", "strategy"],
        ),
        op => return Err(format!("no operation of this crate: {op:?}")),
    };
    match input.keys().find(|key| *key != "op" && !known.contains(&key.as_str())) {
        Some(key) => Err(format!("an unknown field: {key}")),
        None => run(input),
    }
}

/// The classes of logits of rank 2 (one row) or 3, behind a transposition if one is given.
fn argmax_last<B: BackEnd>(input: &Object) -> Answer {
    let sizes = |value: &Value| integers(value).iter().map(|&n| n as usize).collect::<Vec<_>>();
    let mut shape = sizes(input.get("shape").unwrap_or_else(|| &input["storage_shape"]));
    let data: Vec<f64> = input["data"].as_array().unwrap().iter().map(number).collect();
    let element_type = element_type(input, B::FLOATS, "f32")?;
    // Before the dimensions of the case, one more of 1 for those of a single row.
    let is_row = shape.len() == 2;
    let mut order = input.get("transpose").map_or_else(|| (0..shape.len()).collect(), sizes);
    if is_row {
        shape.insert(0, 1);
        order = [0].into_iter().chain(order.into_iter().map(|dim| dim + 1)).collect();
    }
    if shape.len() != 3 {
        return Err("logits of another rank".to_owned());
    }
    let logits = B::permute(&B::floats(&data, &shape, element_type), &order);
    let [rows, width] = [shape[order[0]], shape[order[1]]];
    let labels = B::integers(&vec![0; rows * width], &[rows, width], "u8");
    let mut buffer = TagBuffer::default();
    Ok(match B::logits(&logits, &labels).load(&mut buffer) {
        Ok(batch) => {
            let ids: Vec<&[i32]> = batch.iter_rows().map(|(_, ids)| ids).collect();
            if is_row { json!({ "ids": ids[0] }) } else { json!({ "ids": ids }) }
        }
        Err(e) => error(&e),
    })
}

/// The counts and scores of padded ids.
fn chunk_ids<B: BackEnd>(input: &Object) -> Answer {
    let element_type = element_type(input, B::INTEGERS, "i64")?;
    let of = |name: &str| input.get(name).map(|value| tensor::<B>(value, element_type)).transpose();
    let (labels, ids) = (of("labels")?.unwrap(), of("predictions")?.unwrap());
    let (lengths, mask) = (of("lengths")?, of("mask")?);
    let mut tags = B::ids(&ids, &labels);
    tags = match (&lengths, &mask) {
        (None, None) => tags,
        (Some(lengths), None) => B::lengths(tags, lengths),
        (None, Some(mask)) => B::mask(tags, mask),
        (Some(_), Some(_)) => return Err("both lengths and a mask".to_owned()),
    };
    if let Some(id) = input.get("ignore_index").and_then(Value::as_i64) {
        tags = B::ignore_index(tags, id);
    }
    scores::<B>(input, tags)
}

/// The counts and scores of words from labels and predictions of their pieces.
fn chunk_word_ids<B: BackEnd>(input: &Object) -> Answer {
    let element_type = element_type(input, B::INTEGERS, "i64")?;
    let pieces = match input.get("strategy").and_then(Value::as_str) {
        None | Some("first_piece" | "first") => Pieces::First,
        Some("last_piece" | "last") => Pieces::Last,
        Some("majority_vote" | "majority") => Pieces::Majority,
        Some("all_pieces" | "all") => Pieces::All,
        Some(other) => return Err(format!("an unknown strategy: {other}")),
    };
    let rows: Vec<Vec<Option<u32>>> = serde_json::from_value(input["word_ids"].clone()).unwrap();
    let words = WordIds::new(pieces).rows(&rows).map_err(|e| e.to_string())?;
    let of = |name: &str| tensor::<B>(&input[name], element_type);
    let (labels, ids) = (of("labels")?, of("predictions")?);
    scores::<B>(input, B::words(B::ignore_index(B::ids(&ids, &labels), -100), &words))
}

fn scores<B: BackEnd>(input: &Object, tags: B::Tags<'_>) -> Answer {
    let list: Vec<String> = serde_json::from_value(input["label_list"].clone()).unwrap();
    let mut metric = ChunkEvaluator::new(list).map_err(|e| e.to_string())?;
    let mut buffer = TagBuffer::default();
    Ok(match tags.load(&mut buffer).and_then(|batch| metric.update(batch)) {
        Ok(()) => serde_json::to_value(metric.accumulate().overall).unwrap(),
        Err(e) => error(&e),
    })
}

/// An error as the cases write it.
fn error(error: &Error) -> Value {
    let name = match error.kind() {
        ErrorKind::NanLogit { .. } => "nan_logits",
        ErrorKind::UnknownGold { .. } => "unknown_label",
        ErrorKind::Shape { .. } | ErrorKind::Length { .. } => "shape",
        ErrorKind::Classes { .. } => "classes",
        _ => "other",
    };
    match error.place() {
        Some(Place::Cell { row, column }) => {
            json!({ "error": name, "batch": row, "position": column })
        }
        Some(Place::Row(row)) => json!({ "error": name, "batch": row }),
        _ => json!({ "error": name }),
    }
}

/// The element type of a case, if the library has it.
fn element_type(
    input: &Object,
    known: &[&'static str],
    otherwise: &'static str,
) -> Result<&'static str, String> {
    let Some(name) = input.get("dtype").and_then(Value::as_str) else { return Ok(otherwise) };
    let found = known.iter().find(|known| **known == name);
    found.copied().ok_or_else(|| format!("no element type of this library: {name}"))
}

/// Rows of integers, or one row of them; each row must be as long as the first.
fn tensor<B: BackEnd>(value: &Value, element_type: &str) -> Result<B::Tensor, String> {
    let rows = value.as_array().unwrap();
    let (data, shape) = match rows.first().and_then(Value::as_array) {
        Some(first) => {
            (rows.iter().flat_map(integers).collect::<Vec<_>>(), vec![rows.len(), first.len()])
        }
        None => (integers(value), vec![rows.len()]),
    };
    if data.len() != shape.iter().product::<usize>() {
        return Err("rows of different lengths are no tensor".to_owned());
    }
    Ok(B::integers(&data, &shape, element_type))
}

fn integers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect()
}

/// A number, or `"NaN"`, `"inf"`, `"-inf"`.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

/// Whether all that is expected was found; numbers are given to six decimals.
fn agrees(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| found.get(key).is_some_and(|f| agrees(f, value)))
        }
        (Value::Number(found), Value::Number(expected)) => {
            (found.as_f64().unwrap() - expected.as_f64().unwrap()).abs() < 1e-6
        }
        (found, expected) => found == expected,
    }
}
