//! seqeval's `get_entities`: the same chunks, in the same order.

use chunkeval::{Error, ErrorKind, TagSet};
use chunkeval_tests::tags::{labels, string_rows, strings, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn entities_equal_seqeval() {
    let mut tally = Tally::new("golden entities");
    for line in golden(Kind::Entities) {
        match rows(&line.value) {
            Ok(rows) => {
                check(&line, &rows);
                check_strict_reading(&line, &rows);
                tally.ran();
            }
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(2873);
}

/// The sentences of a line: one for a flat input.
fn rows(line: &Value) -> Result<Vec<Vec<String>>, &'static str> {
    let Some(seq) = line.get("seq") else {
        return Err("a Python object that is no list");
    };
    if seq.as_array().is_some_and(|a| a.iter().any(Value::is_array)) {
        string_rows(seq).ok_or("elements that are no strings, or lists mixed with others")
    } else {
        strings(seq).map(|row| vec![row]).ok_or("elements that are no strings")
    }
}

/// Nested input is joined with one `O` after each sentence, as seqeval does before it reads.
fn joined(line: &Value, rows: &[Vec<String>]) -> Vec<String> {
    let nested = line["seq"].as_array().is_some_and(|a| a.iter().any(Value::is_array));
    let end = if nested { &["O".to_owned()][..] } else { &[] };
    rows.iter().flat_map(|row| row.iter().chain(end).cloned()).collect()
}

fn check(line: &Line, rows: &[Vec<String>]) {
    let place = &line.place;
    let mut all = labels(rows);
    all.push("O".to_owned());
    let tags = TagSet::seqeval(all, style(&line.value));
    if let Some(error) = line.value.get("error") {
        // The one error that strings can cause: an empty tag.
        assert_eq!(error["type"], "IndexError", "{place}");
        let found = tags.as_ref().unwrap_err();
        let named =
            matches!(found.kind(), ErrorKind::UnreadableLabels { labels, .. } if labels == &[""]);
        assert!(named, "{place}: {found}");
        return;
    }
    let tags = tags.unwrap_or_else(|e| panic!("{place}: {e}"));
    let ids: Vec<i32> = joined(&line.value, rows).iter().map(|t| tags.id(t).unwrap()).collect();
    let found: Vec<Value> = tags
        .entities(&ids)
        .iter()
        .map(|c| serde_json::json!([c.entity_type, c.start, c.end - 1]))
        .collect();
    assert_eq!(Value::from(found), line.value["entities"], "{place}: {rows:?}");
}

/// Strict reading refuses the tags that seqeval warns about, and those with a dash and no type.
fn check_strict_reading(line: &Line, rows: &[Vec<String>]) {
    let Some(warned) = strings(&line.value["warned"]).filter(|_| line.value["error"].is_null())
    else {
        return;
    };
    let style = style(&line.value);
    let strict = |label: &str| TagSet::new([label], style);
    for label in labels(rows) {
        let no_type = label.len() == 2 && (label.starts_with('-') || label.ends_with('-'));
        let refused = warned.contains(&label) || no_type;
        let found: Result<TagSet, Error> = strict(&label);
        assert_eq!(found.is_err(), refused, "{}: {label:?}", line.place);
    }
}
