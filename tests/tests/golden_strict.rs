//! seqeval's strict schemes: the same chunks, and a typed error where seqeval raises one.

use chunkeval::{ErrorKind, LabelReading, Mode, Scheme, TagSet};
use chunkeval_tests::tags::{labels, python_rows, style};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn strict_chunks_equal_seqeval() {
    let mut tally = Tally::new("golden strict chunks");
    for line in golden(Kind::StrictChunks) {
        match python_rows(&line.value["sequences"]) {
            Some(rows) => {
                check(&line, &rows);
                tally.ran();
            }
            // The Rust compiler is the typed error here.
            None => tally.skip(&line.place, "tags that are no strings"),
        }
    }
    tally.expect(1286);
}

fn check(line: &Line, rows: &[Vec<String>]) {
    let place = &line.place;
    let scheme: Scheme = line.value["scheme"].as_str().unwrap().parse().unwrap();
    // Of the tags that occur: seqeval knows no list, and raises for none that do not occur.
    let all: Vec<String> = labels(rows).into_iter().chain(["O".to_owned()]).collect();
    let tags = TagSet::builder(all)
        .style(style(&line.value))
        .reading(LabelReading::Reference)
        .delimiter(line.value["delimiter"].as_str().unwrap_or("-"))
        .mode(Mode::Strict(scheme))
        .build();
    let tags = match (tags, line.value.get("error")) {
        (Ok(tags), None) => tags,
        (Err(found), Some(expected)) => return check_error(line, found.kind(), expected),
        (tags, error) => panic!("{place}: found {tags:?}, expected {error:?}"),
    };
    let chunks = |row: &Vec<String>| {
        let ids: Vec<i32> = row.iter().map(|tag| tags.id(tag).unwrap()).collect();
        let chunks = tags.entities(&ids);
        chunks.iter().map(|c| json!([c.entity_type, c.start, c.end])).collect::<Value>()
    };
    let found: Value = rows.iter().map(chunks).collect();
    assert_eq!(found, line.value["entities"], "{place}: {rows:?}");
}

/// Which exception stands for what: all say that a tag cannot be read, and we name every such one.
fn check_error(line: &Line, found: &ErrorKind, expected: &Value) {
    let place = &line.place;
    let ErrorKind::UnreadableLabels { labels, .. } = found else {
        panic!("{place}: {found}, expected {expected}");
    };
    let text = expected["text"].as_str().unwrap();
    let suffix = line.value["suffix"] == true;
    let letter = |l: &String| if suffix { l.chars().next_back() } else { l.chars().next() };
    let named = match expected["type"].as_str() {
        // An empty tag.
        Some("IndexError") => labels.iter().any(String::is_empty),
        // A letter that no scheme has, by its Python repr.
        Some("KeyError") => labels.iter().filter_map(letter).any(|l| text == format!("'{l}'")),
        // A letter that this scheme does not have.
        Some("ValueError") => labels
            .iter()
            .any(|l| text.starts_with(&format!("Invalid token is found: {l}. Allowed prefixes"))),
        _ => false,
    };
    assert!(named, "{place}: {found}, expected {expected}");
}
