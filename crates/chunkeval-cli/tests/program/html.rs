//! The HTML report: what is on it, and that it is well-formed.

use roxmltree::{Document, Node, ParsingOptions};

use crate::run::{Folder, SAMPLE, chunkeval};

pub(crate) fn parse(html: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(html, options).unwrap_or_else(|e| panic!("{e}\n{html}"))
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect()
}

/// The headings of the page.
pub(crate) fn headings(page: &Document<'_>) -> Vec<String> {
    let headings = page.descendants().filter(|n| n.has_tag_name("h1") || n.has_tag_name("h2"));
    headings.map(text).collect()
}

/// The cells of the row that begins with a name.
pub(crate) fn row(page: &Document<'_>, name: &str) -> Vec<String> {
    let rows = page.descendants().filter(|n| n.has_tag_name("tr"));
    let cells = rows.map(|r| r.children().filter(Node::is_element).map(text).collect::<Vec<_>>());
    cells.into_iter().find(|cells| cells.first().is_some_and(|first| first == name)).unwrap()
}

#[test]
fn the_report_has_the_numbers_of_the_table() {
    let folder = Folder::new();
    let file = folder.file("sample.tsv", SAMPLE);
    let html = chunkeval(["tags", &file, "--by", "length", "--ci", "--format", "html"]).ok();
    let page = parse(&html);
    let titles = headings(&page);
    assert!(titles[0].ends_with("sample.tsv"));
    assert_eq!(
        titles[1..],
        [
            "Scores",
            "F1 by length of sentence",
            "Errors",
            "Examples of errors",
            "How these numbers were made"
        ]
    );
    // Five gold chunks, four predicted; Ada Lovelace, Beijing and Paris are right.
    assert_eq!(row(&page, "micro")[5..], ["5", "4", "3"]);
    assert!(row(&page, "micro")[1].starts_with("0.6667 "));
    assert_eq!(row(&page, "1–5")[1], "4");
    assert!(html.contains("PER as LOC: wrong type"));
    assert!(html.contains("sample.tsv:6</code>")); // Rome was missed
    assert!(html.contains("2 of 2 errors."));
    let again = chunkeval(["tags", &file, "--by", "length", "--ci", "--format", "html"]).ok();
    assert_eq!(html, again);
}

#[test]
fn readings_side_by_side_and_what_was_left_out() {
    let folder = Folder::new();
    let file = folder.file("bad.tsv", SAMPLE.to_owned() + "\nodd\tB-PER\n");
    let args = ["tags", &file, "--both", "--scheme", "IOB2", "--keep-going", "--format", "html"];
    let ran = chunkeval(args);
    assert_eq!(ran.code, 3);
    let page = parse(&ran.out);
    let titles = headings(&page);
    assert_eq!(titles[1..3], ["Scores, lenient", "Scores, IOB2"], "{titles:?}");
    assert_eq!(row(&page, "left out")[1], "1");
    assert!(ran.out.contains("Sentences left out, which the scores lack: 1."));
}

#[test]
fn every_other_page_is_html_too() {
    let folder = Folder::new();
    let file = folder.file("sample.tsv", SAMPLE);
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    let json = chunkeval(["tags", &file, "--save-state", state, "--format", "json"]).ok();
    let merged = chunkeval(["merge", state, state, "--format", "html"]).ok();
    assert_eq!(row(&parse(&merged), "micro")[5..], ["10", "8", "6"]);
    let result = folder.file("result.json", json);
    let gate = chunkeval(["gate", &result, "--min", "f1=0.5", "--format", "html"]).ok();
    assert!(headings(&parse(&gate)).contains(&"Checks".to_owned()));
    assert!(gate.contains("The gate is passed."));
}

#[test]
fn reports_of_others_are_no_html() {
    let ran = chunkeval(["tags", "x.tsv", "--report", "seqeval", "--format", "html"]);
    assert_eq!(ran.code, 2);
}
