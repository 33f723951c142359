//! Rows that the oracles count differently: each of our modes counts as its own oracle does.

use chunkeval::{ChunkEvaluator, Error, ErrorKind, LabelReading, Metric, Mode, TagBatch};
use chunkeval_tests::tags::{labels, strings};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn each_mode_counts_as_its_oracle() {
    let mut tally = Tally::new("golden disagreements");
    for line in golden(Kind::Disagreements) {
        for (oracle, expected) in line.value["infer_label_correct"].as_object().unwrap() {
            match mode(oracle) {
                Some(mode) => {
                    check(&line, oracle, mode, expected);
                    tally.ran();
                }
                None => tally.skip(&line.place, format!("{oracle} is no mode of tags")),
            }
        }
    }
    tally.expect(110 * 8);
}

fn mode(oracle: &str) -> Option<Mode> {
    match oracle {
        "seqeval_default_and_paddlenlp" => Some(Mode::Lenient),
        "conlleval" => Some(Mode::Conlleval),
        _ => oracle.strip_prefix("strict_")?.parse().ok().map(Mode::Strict),
    }
}

fn check(line: &Line, oracle: &str, mode: Mode, expected: &Value) {
    let place = format!("{}: {oracle}", line.place);
    let rows = ["y_true", "y_pred"].map(|side| strings(&line.value[side]).unwrap());
    match (counts(&rows, mode), expected.as_str()) {
        (Ok(found), None) => assert_eq!(&found, expected, "{place}: {rows:?}"),
        (Err(error), Some(exception)) => {
            let named = names(&error, exception);
            assert!(named, "{place}: {error}, expected {exception}");
        }
        (found, _) => panic!("{place}: {found:?}, expected {expected}"),
    }
}

/// Predicted, gold and correct chunks.
fn counts([gold, predicted]: &[Vec<String>; 2], mode: Mode) -> Result<Value, Error> {
    // Of the tags that occur, since the oracles know no list.
    let all = labels([gold, predicted]).into_iter().chain(["O".to_owned()]);
    let metric = ChunkEvaluator::builder(all).reading(LabelReading::Reference).mode(mode);
    let mut metric = metric.build()?;
    let ids = |row: &[String]| -> Vec<i32> {
        row.iter().map(|tag| metric.tags().id(tag).unwrap()).collect()
    };
    let (gold, predicted) = (ids(gold), ids(predicted));
    metric.update(TagBatch::new(&gold, &predicted, &[gold.len()])?)?;
    let counts = metric.accumulate().overall.counts;
    Ok(json!([counts.predicted, counts.gold, counts.correct]))
}

/// Whether an error says what seqeval's exception says: which tag cannot be read.
fn names(error: &Error, exception: &str) -> bool {
    let ErrorKind::UnreadableLabels { labels, .. } = error.kind() else {
        return false;
    };
    labels.iter().any(|label| match label.chars().next() {
        // A letter that no scheme has, or that this one does not have.
        Some(letter) => {
            exception == format!("KeyError: {letter}")
                || exception.starts_with(&format!("ValueError: Invalid token is found: {label}. "))
        }
        None => exception.starts_with("IndexError"),
    })
}
