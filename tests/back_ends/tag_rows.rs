//! The users' cases of rows of tags (`cases/given.jsonl`), as tensors: they give what they give as
//! strings, whose numbers `tests/tests/cases.rs` compares with the expected ones.

use std::collections::BTreeSet;

use chunkeval_core::{ChunkEvaluator, Mergeable, Mode, Source, TagBuffer, TextRows};
use serde::Deserialize;

use super::given::given;
use super::{BackEnd, Layout};

pub(crate) fn equal_rows_of_strings<B: BackEnd>() {
    let mut ran = 0;
    for case in given() {
        let (id, input) = (case["id"].as_str().unwrap(), &case["input"]);
        let rows = |side: &str| serde_json::from_value::<Vec<Vec<String>>>(input[side].clone());
        let (Ok(gold), Ok(predicted)) = (rows("y_true"), rows("y_pred")) else { continue };
        let modes = [&input["schemes"], &input["scheme"]];
        let modes = modes.map(|names| serde_json::from_value::<OneOrMore>(names.clone()));
        for mode in modes.into_iter().flatten().flat_map(OneOrMore::names) {
            let mode = mode.parse().map_err(|_| "an unknown mode");
            match mode.and_then(|mode| compare::<B>(&gold, &predicted, mode)) {
                Ok(()) => ran += 1,
                Err(reason) => println!("skipped {id}: {reason}"),
            }
        }
    }
    println!("{ran} ran");
    assert!(ran > 0, "no case was found");
}

/// A name, or a list of names.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn names(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::More(names) => names,
        }
    }
}

fn compare<B: BackEnd>(
    gold: &[Vec<String>],
    predicted: &[Vec<String>],
    mode: Mode,
) -> Result<(), &'static str> {
    let outside = "O".to_owned();
    let all: BTreeSet<&String> = [gold, predicted].into_iter().flatten().flatten().collect();
    let list = all.into_iter().chain([&outside]).cloned();
    let metric = ChunkEvaluator::builder(list).mode(mode).build();
    let metric = metric.map_err(|_| "labels that cannot be read reach no tensor")?;
    let mut buffer = TagBuffer::default();
    let text = TextRows::new(metric.tags(), gold, predicted);
    let batch = text.load(&mut buffer).map_err(|_| "rows of two lengths are no row of a tensor")?;
    let expected = metric.measure(batch).unwrap();

    let (classes, width) =
        (metric.tags().labels().len(), gold.iter().map(Vec::len).max().unwrap_or(0));
    let shape = [gold.len(), width];
    // The first tag by code point is a B where there is one: padding would be chunks if it were read.
    let ids = |rows: &[Vec<String>]| -> Vec<i64> {
        let id = |tag: &String| i64::from(metric.tags().id(tag).unwrap());
        let pad = |row: &Vec<String>| std::iter::repeat_n(0, width - row.len());
        rows.iter().flat_map(|row| row.iter().map(id).chain(pad(row))).collect()
    };
    let (gold_ids, predicted_ids) = (ids(gold), ids(predicted));
    let lengths: Vec<i64> = gold.iter().map(|row| row.len() as i64).collect();
    let mut logits = vec![0.0; predicted_ids.len() * classes];
    for (position, &id) in predicted_ids.iter().enumerate() {
        logits[position * classes + id as usize] = 1.0;
    }
    let mut check = |tags: B::Tags<'_>, how: String| {
        let batch = tags.load(&mut buffer).unwrap();
        assert_eq!(metric.measure(batch).unwrap(), expected, "{mode}, {how}: {gold:?}");
    };
    for layout in Layout::ALL {
        for integer in B::INTEGERS {
            let [gold, ids] = [&gold_ids, &predicted_ids]
                .map(|values| layout.integers::<B>(values, &shape, integer));
            let lengths = layout.integers::<B>(&lengths, &shape[..1], integer);
            let how = format!("{layout:?} {integer}");
            check(B::lengths(B::ids(&ids, &gold), &lengths), how);
        }
        for float in B::FLOATS {
            let logits = layout.floats::<B>(&logits, &[shape[0], width, classes], float);
            let gold = layout.integers::<B>(&gold_ids, &shape, "i64");
            let lengths = layout.integers::<B>(&lengths, &shape[..1], "i64");
            check(B::lengths(B::logits(&logits, &gold), &lengths), format!("{layout:?} {float}"));
        }
    }
    Ok(())
}
