//! Asking our API what seqeval was asked, and comparing the answers.

use chunkeval::report::SeqevalDict;
use chunkeval::{
    ChunkEvaluator, ChunkReport, Error, ErrorKind, LabelReading, Metric, Mode, TagRows, TagSet,
    TagStyle, TokenCounts, ZeroDivision,
};
use serde_json::{Map, Value};

use crate::tags::string_rows;

/// The sentences of both sides.
#[derive(Debug)]
pub struct Input {
    /// Gold tags.
    pub gold: Vec<Vec<String>>,
    /// Predicted tags.
    pub predicted: Vec<Vec<String>>,
}

/// What seqeval is told besides the tags.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Its `suffix`.
    pub style: TagStyle,
    /// Its `mode` and `scheme`.
    pub mode: Mode,
    /// Its `zero_division`.
    pub zero_division: ZeroDivision,
}

/// A report, and whether it is that of the sentences joined into one row.
#[derive(Debug)]
pub struct Answer {
    /// The report.
    pub report: ChunkReport,
    /// seqeval's default mode joins sentences with an `O` between them. Where a chunk has a begin
    /// in an earlier sentence (a stale one), counts by sentence differ, and these are the joined.
    pub joined: bool,
}

impl Input {
    /// The sentences of a line; `None` if they are no lists of lists of strings.
    pub fn read(line: &Value) -> Option<Self> {
        let [gold, predicted] = ["y_true", "y_pred"].map(|side| string_rows(&line[side]));
        Some(Self { gold: gold?, predicted: predicted? })
    }

    /// What we answer: a report, or all that is wrong with the input.
    pub fn report(&self, options: Options) -> Result<Answer, Vec<Error>> {
        let both = || self.gold.iter().chain(&self.predicted);
        let all = both().flatten().cloned().chain(["O".to_owned()]);
        let readable = TagSet::with_mode(all, options.style, READING, options.mode);
        let rows = match (TagRows::new(&self.gold, &self.predicted), readable) {
            (Ok(rows), Ok(_)) => rows,
            (rows, tags) => return Err(rows.err().into_iter().chain(tags.err()).collect()),
        };
        let by_sentence = score(&rows, options).map_err(|e| vec![e])?;
        if options.mode == Mode::Lenient {
            let join = |rows: &[Vec<String>]| -> Vec<String> {
                rows.iter().flat_map(|r| r.iter().cloned().chain(["O".to_owned()])).collect()
            };
            let rows = TagRows::new(&[join(&self.gold)], &[join(&self.predicted)]);
            let joined = rows.and_then(|rows| score(&rows, options)).map_err(|e| vec![e])?;
            if joined.per_type != by_sentence.per_type {
                return Ok(Answer { report: joined, joined: true });
            }
        }
        Ok(Answer { report: by_sentence, joined: false })
    }
}

const READING: LabelReading = LabelReading::Reference;

fn score(rows: &TagRows, options: Options) -> Result<ChunkReport, Error> {
    let Options { style, mode, zero_division } = options;
    let builder = ChunkEvaluator::builder(rows.labels()).style(style).reading(READING);
    let mut metric = builder.mode(mode).zero_division(zero_division).build()?;
    metric.update(rows.batch())?;
    Ok(metric.accumulate())
}

/// Our rule for seqeval's `zero_division`: everything but `"warn"` and what equals 0 is 1.
pub fn zero_division(value: &Value) -> ZeroDivision {
    let zero = value == "warn" || value == false || value.as_f64() == Some(0.0);
    if zero { ZeroDivision::Zero } else { ZeroDivision::One }
}

/// Whether one of our errors says what an exception says.
pub fn means(found: &Error, expected: &Value, style: TagStyle) -> bool {
    let text = expected["text"].as_str().unwrap_or_default();
    let letter = |label: &String| match style {
        TagStyle::Prefix => label.chars().next(),
        TagStyle::Suffix => label.chars().next_back(),
    };
    let unsupported = text.strip_prefix("This scheme is not supported: ");
    match (found.kind(), expected["type"].as_str()) {
        (ErrorKind::Length { .. }, Some("ValueError")) => text.contains("inconsistent numbers"),
        // seqeval's `auto_detect`: no scheme with these letters, or a letter of no scheme.
        (ErrorKind::Config { option: "scheme", .. }, Some("ValueError")) => unsupported.is_some(),
        (ErrorKind::UnreadableLabels { labels, .. }, Some("ValueError")) => {
            let invalid = |l| text.starts_with(&format!("Invalid token is found: {l}. Allowed"));
            labels.iter().any(|l| invalid(l) || unsupported == Some(&**l))
        }
        // An empty tag.
        (ErrorKind::UnreadableLabels { labels, .. }, Some("IndexError")) => {
            labels.iter().any(String::is_empty)
        }
        // A letter that no scheme has, by its Python repr.
        (ErrorKind::UnreadableLabels { labels, .. }, Some("KeyError")) => {
            labels.iter().filter_map(letter).any(|l| text == format!("'{l}'"))
        }
        _ => false,
    }
}

/// That a score equals what was expected, bit for bit.
#[track_caller]
pub fn assert_score(found: f64, expected: &Value, what: &str) {
    match expected.as_str() {
        Some("NaN") => assert!(found.is_nan(), "{what}: found {found}, expected NaN"),
        _ => {
            let expected = expected.as_f64().unwrap_or_else(|| panic!("{what}: {expected}"));
            assert_eq!(found.to_bits(), expected.to_bits(), "{what}: {found}, {expected}");
        }
    }
}

/// That a report's dictionary equals seqeval's, bit for bit.
#[track_caller]
pub fn assert_dict(report: &ChunkReport, expected: &Value, place: &str) {
    let dict = SeqevalDict::new(report);
    assert_eq!(dict.iter().count(), expected.as_object().map_or(0, Map::len), "{place}");
    for (name, row) in dict.iter() {
        let (expected, place) = (&expected[name], format!("{place}: {name}"));
        assert_score(row.precision, &expected["precision"], &place);
        assert_score(row.recall, &expected["recall"], &place);
        assert_score(row.f1_score, &expected["f1-score"], &place);
        assert_eq!(row.support, expected["support"], "{place}");
    }
}

/// Both sides as one list of tags, flattened where seqeval flattens them: if any element of the
/// gold side is a list. What is no string becomes a text that no string is.
pub fn flat(line: &Value) -> (Vec<String>, Vec<String>) {
    let nested = line["y_true"].as_array().is_some_and(|a| a.iter().any(Value::is_array));
    let tag = |value: &Value| match value.as_str() {
        Some(text) => text.to_owned(),
        None => format!("\0{value}"),
    };
    let side = |side: &str| -> Vec<String> {
        let items = line[side].as_array().unwrap().iter();
        match nested {
            // To Python a string is the list of its characters.
            true => items
                .flat_map(|item| match item.as_str() {
                    Some(text) => text.chars().map(String::from).collect(),
                    None => item.as_array().unwrap().iter().map(tag).collect::<Vec<_>>(),
                })
                .collect(),
            false => items.map(tag).collect(),
        }
    };
    (side("y_true"), side("y_pred"))
}

/// That counts of tokens are seqeval's `performance_measure` and `accuracy_score`.
#[track_caller]
pub fn assert_tokens(place: &str, counts: &TokenCounts, gold: usize, line: &Value) {
    let found = serde_json::json!({"ok": {
        "TP": counts.true_positive,
        "FP": counts.false_positive,
        "FN": counts.false_negative,
        "TN": counts.true_negative,
    }});
    assert_eq!(found, line["performance_measure"], "{place}");
    let accuracy = &line["accuracy"];
    match counts.accuracy() {
        // seqeval divides by the gold tokens, which matters where sides differ in length.
        Some(_) => assert_score(counts.equal() as f64 / gold as f64, &accuracy["ok"], place),
        None if gold > 0 => assert_score(0.0, &accuracy["ok"], place),
        None => assert_eq!(accuracy["error"]["type"], "ZeroDivisionError", "{place}"),
    }
    if counts.tokens() == gold as u64 && gold > 0 {
        assert_score(counts.accuracy().unwrap(), &accuracy["ok"], place);
    }
}
