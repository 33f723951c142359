//! One rule for NaN and ties: the cases of `tests/cases/ties.jsonl`, through slices and through
//! tensors of every element type and layout.

use std::path::Path;

use chunkeval_core::{
    ChunkEvaluator, Error, ErrorKind, Metric, PaddedTags, Place, Source, TagBuffer,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{BackEnd, Layout};

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    label_list: Vec<String>,
    /// Rows of tokens of classes; numbers, or `"nan"`, `"inf"`, `"-inf"`.
    logits: Vec<Vec<Vec<Value>>>,
    labels: Vec<Vec<i64>>,
    lengths: Option<Vec<usize>>,
    mask: Option<Vec<Vec<bool>>>,
    ignore_index: Option<i64>,
    /// Counts `[gold, predicted, correct]`, or the place of a NaN.
    expected: Value,
    reason: String,
}

pub(crate) fn nan_and_ties<B: BackEnd>() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/ties.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let mut ran = 0;
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        let (id, reason) = (&line.id, &line.reason);
        assert_eq!(line.through_slices(), line.expected, "{id}, slices: {reason}");
        for element_type in B::FLOATS {
            for layout in Layout::ALL {
                let found = line.through_tensors::<B>(element_type, layout);
                let way = format!("{element_type} {layout:?}");
                assert_eq!(found, line.expected, "{id}, {way}: {reason}");
            }
        }
        ran += 1;
    }
    assert!(ran >= 12, "{ran} cases");
}

impl Line {
    fn shape(&self) -> [usize; 3] {
        let width = self.labels.first().map_or(0, Vec::len);
        [self.labels.len(), width, self.label_list.len()]
    }

    fn flat(&self) -> (Vec<f64>, Vec<i64>) {
        let number = |value: &Value| match value.as_str() {
            Some(name) => name.parse().unwrap(),
            None => value.as_f64().unwrap(),
        };
        let logits = self.logits.iter().flatten().flatten().map(number).collect();
        (logits, self.labels.concat())
    }

    fn through_slices(&self) -> Value {
        let [_, width, classes] = self.shape();
        let (logits, gold) = self.flat();
        let mut tags = PaddedTags::logits(&gold, &logits, width, classes).unwrap();
        let mask = self.mask.as_ref().map(|mask| mask.concat());
        if let Some(lengths) = &self.lengths {
            tags = tags.lengths(lengths);
        }
        if let Some(mask) = &mask {
            tags = tags.mask(mask);
        }
        if let Some(id) = self.ignore_index {
            tags = tags.ignore_index(id);
        }
        self.answer(&tags)
    }

    fn through_tensors<B: BackEnd>(&self, element_type: &str, layout: Layout) -> Value {
        let [rows, width, classes] = self.shape();
        let (logits, gold) = self.flat();
        let logits = layout.floats::<B>(&logits, &[rows, width, classes], element_type);
        let gold = layout.integers::<B>(&gold, &[rows, width], "i64");
        let lengths = self.lengths.as_ref().map(|lengths| {
            let lengths: Vec<i64> = lengths.iter().map(|&n| n as i64).collect();
            layout.integers::<B>(&lengths, &[rows], "i32")
        });
        let mask = self.mask.as_ref().map(|mask| {
            let mask: Vec<i64> = mask.iter().flatten().map(|&counts| counts.into()).collect();
            layout.integers::<B>(&mask, &[rows, width], "u8")
        });
        let mut tags = B::logits(&logits, &gold);
        if let Some(lengths) = &lengths {
            tags = B::lengths(tags, lengths);
        }
        if let Some(mask) = &mask {
            tags = B::mask(tags, mask);
        }
        if let Some(id) = self.ignore_index {
            tags = B::ignore_index(tags, id);
        }
        self.answer(&tags)
    }

    /// What a metric says, as it stands in the file.
    fn answer(&self, tags: &impl Source<chunkeval_core::Tagging>) -> Value {
        let mut metric = ChunkEvaluator::new(self.label_list.clone()).unwrap();
        let mut buffer = TagBuffer::default();
        match tags.load(&mut buffer).and_then(|batch| metric.update(batch)) {
            Ok(()) => {
                let counts = metric.accumulate().overall.counts;
                json!([counts.gold, counts.predicted, counts.correct])
            }
            Err(e) => error(&e),
        }
    }
}

fn error(e: &Error) -> Value {
    match (e.kind(), e.place()) {
        (ErrorKind::NanLogit { .. }, Some(Place::Cell { row, column })) => {
            json!({ "nan": [row, column] })
        }
        _ => json!(e.to_string()),
    }
}
