//! seqeval's `auto_detect`: the same scheme, and a typed error where seqeval raises one.

use chunkeval::{ErrorKind, Scheme};
use chunkeval_tests::tags::{python_rows, style};
use chunkeval_tests::{Kind, Line, Tally, golden};

#[test]
fn detected_schemes_equal_seqeval() {
    let mut tally = Tally::new("golden detected schemes");
    for line in golden(Kind::AutoDetect) {
        match python_rows(&line.value["sequences"]) {
            Some(rows) => {
                check(&line, &rows.concat());
                tally.ran();
            }
            None => tally.skip(&line.place, "tags that are no strings"),
        }
    }
    tally.expect(139);
}

fn check(line: &Line, tags: &[String]) {
    let place = &line.place;
    let found = Scheme::detect_as_seqeval(tags, style(&line.value));
    let (error, expected) = match (found, line.value["scheme"].as_str()) {
        (Ok(scheme), Some(expected)) => return assert_eq!(scheme.name(), expected, "{place}"),
        (Err(error), None) => (error, &line.value["error"]),
        (found, expected) => panic!("{place}: found {found:?}, expected {expected:?}"),
    };
    let text = expected["text"].as_str().unwrap();
    let same = match (expected["type"].as_str(), error.kind()) {
        // An empty tag.
        (Some("IndexError"), ErrorKind::UnreadableLabels { labels, .. }) => {
            labels.iter().any(String::is_empty)
        }
        // A letter of no scheme: seqeval names the first such tag, we name all.
        (Some("ValueError"), ErrorKind::UnreadableLabels { labels, .. }) => {
            labels.iter().any(|l| text == format!("This scheme is not supported: {l}"))
        }
        // Letters that no scheme has together, written as a set of Python.
        (Some("ValueError"), ErrorKind::Config { option: "scheme", .. }) => {
            text == "This scheme is not supported: " || text.ends_with(": set()")
        }
        _ => false,
    };
    assert!(same, "{place}: {error}, expected {expected}");
}
