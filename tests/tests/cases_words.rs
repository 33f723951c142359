//! The users' case of words that were cut into pieces, through plain slices.

use std::iter::{repeat, zip};

use chunkeval::{
    ChunkEvaluator, Metric, PaddedTags, Pieces, Source, TagBuffer, Windows, WordIds, WordTags,
};
use chunkeval_tests::tags::{int_rows, ints, strings};
use chunkeval_tests::{Tally, cases};
use serde_json::{Value, json};

#[test]
fn cases_of_word_ids() {
    let mut tally = Tally::new("cases of word ids");
    for line in cases() {
        let input = &line.value["input"];
        if input["op"] != "chunk_word_ids" {
            continue;
        }
        let id = line.value["id"].as_str().unwrap_or(&line.place);
        match run(input) {
            Ok(found) => {
                for (key, expected) in line.value["expected"].as_object().unwrap() {
                    let close = match (found[key].as_f64(), expected.as_f64()) {
                        (Some(found), Some(expected)) => (found - expected).abs() < 1e-6,
                        _ => &found[key] == expected,
                    };
                    assert!(close, "{id}: {key} is {}, expected {expected}", found[key]);
                }
                tally.ran();
            }
            Err(why) => tally.skip(id, why),
        }
    }
    tally.expect_cases(1);
}

/// The counts and scores of a case, or why it cannot be said.
fn run(input: &Value) -> Result<Value, String> {
    let known = [
        "op",
        "label_list",
        "word_ids",
        "labels",
        "predictions",
        "strategy",
        "ignore_index",
        "sample_mapping",
        "window",
    ];
    let fields = input.as_object().unwrap().keys();
    if let Some(key) = fields.into_iter().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("an unknown field: {key}"));
    }
    let pieces = match input["strategy"].as_str() {
        None | Some("first_piece" | "first") => Pieces::First,
        Some("last_piece" | "last") => Pieces::Last,
        Some("majority_vote" | "majority") => Pieces::Majority,
        Some("all_pieces" | "all") => Pieces::All,
        Some(other) => return Err(format!("an unknown strategy: {other}")),
    };
    let windows = match input["window"].as_str() {
        None | Some("first") => Windows::First,
        Some("most_context") => Windows::MostContext,
        Some(other) => return Err(format!("an unknown window: {other}")),
    };
    let mut rows: Vec<Vec<Option<u32>>> =
        serde_json::from_value(input["word_ids"].clone()).map_err(|e| e.to_string())?;
    let labels = int_rows(&input["labels"]).ok_or("labels that are no rows of integers")?;
    let mut predictions =
        int_rows(&input["predictions"]).ok_or("predictions that are no rows of integers")?;
    // Labels that are not as many as the pieces are those of words.
    let by_word =
        labels.len() != rows.len() || zip(&labels, &rows).any(|(l, r)| l.len() != r.len());
    let width = predictions.iter().map(Vec::len).max().unwrap_or(0);
    rows.iter_mut().for_each(|row| row.resize(width.max(row.len()), None));
    predictions.iter_mut().for_each(|row| row.resize(width, 0));
    let predictions = predictions.concat();

    let mut metric = ChunkEvaluator::new(strings(&input["label_list"]).unwrap()).unwrap();
    let mut words = WordIds::new(pieces).windows(windows);
    if by_word && pieces == Pieces::All {
        words = words.tag_set(metric.tags()).map_err(|e| e.to_string())?;
    }
    let mapping = ints(&input["sample_mapping"]);
    let ignore_index = input["ignore_index"].as_i64().unwrap_or(-100);
    let mut buffer = TagBuffer::default();
    let mut done = || {
        for (row, ids) in rows.iter().enumerate() {
            let document = mapping.as_ref().map_or(row, |documents| documents[row] as usize);
            words.push(document, ids)?;
        }
        if by_word {
            let tags = WordTags::ids(&labels, &predictions, width, &words)?;
            return metric.update(tags.ignore_index(ignore_index).load(&mut buffer)?);
        }
        let labels: Vec<i64> = labels
            .iter()
            .flat_map(|row| row.iter().copied().chain(repeat(ignore_index)).take(width))
            .collect();
        let tags = PaddedTags::ids(&labels, &predictions, width)?.ignore_index(ignore_index);
        metric.update(tags.words(&words).load(&mut buffer)?)
    };
    Ok(match done() {
        Ok(()) => serde_json::to_value(metric.accumulate().overall).unwrap(),
        Err(e) => json!({ "error": e.to_string() }),
    })
}
