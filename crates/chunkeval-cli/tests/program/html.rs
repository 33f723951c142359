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
    assert_eq!(titles[0], "sample.tsv"); // its whole path stands below
    assert!(html.contains(&format!("<p class=\"soft place\">{file}</p>")));
    assert!(html.contains(
        "4 sentences, 12 tokens. 95% percentile intervals, 1000 resamples of 4 sentences"
    ));
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
    assert!(html.contains("PER as LOC: type error"));
    assert!(html.contains("sample.tsv:6</code>")); // Rome was missed
    assert!(html.contains("2 of 2 errors are shown."));
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
    let copy = folder.file("copy", std::fs::read(state).unwrap());
    let merged = chunkeval(["merge", state, &copy, "--format", "html"]).ok();
    assert_eq!(row(&parse(&merged), "micro")[5..], ["10", "8", "6"]);
    let result = folder.file("result.json", json);
    let gate = chunkeval(["gate", &result, "--min", "f1=0.5", "--format", "html"]).ok();
    assert!(headings(&parse(&gate)).contains(&"Checks".to_owned()));
    assert!(gate.contains("The gate passed."));
}

#[test]
fn reports_of_others_are_no_html() {
    let ran = chunkeval(["tags", "x.tsv", "--report", "seqeval", "--format", "html"]);
    assert_eq!(ran.code, 2);
}

/// Answers that are right, cut off, refused, invented, and without a text.
const ANSWERS: &str = r#"{"id": "a", "text": "Ada moved to Rome.", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{\"PER\": [\"Ada\"], \"LOC\": [\"Rome\"]}"}
{"id": "b", "text": "张伟在北京。", "gold": {"PER": ["张伟"], "LOC": ["北京"]}, "prediction": "{\"PER\": [\"张伟\"], \"LOC\": [\"北"}
{"id": "c", "text": "Cy is in Kyiv.", "gold": {"PER": ["Cy"], "LOC": ["Kyiv"]}, "prediction": "I cannot help with that."}
{"id": "d", "text": "Di met Ed.", "gold": {"PER": ["Di", "Ed"]}, "prediction": "{'PER': ['Di', 'Eda'], 'LOC': ['Ed'], 'DATE': ['today']}"}
{"id": "e", "gold": {"PER": ["Fay"]}, "prediction": "{'PER': ['Fey']}"}
"#;

/// The example of a place: its errors, and its lines with marks in brackets.
fn example(page: &Document<'_>, place: &str) -> (Vec<String>, Vec<String>) {
    let of = |name| move |n: &Node<'_, '_>| n.attribute("class") == Some(name);
    let figures = page.descendants().filter(of("example"));
    let mut figures = figures.filter(|f| text(*f).contains(place));
    let figure = figures.next().unwrap_or_else(|| panic!("{place}"));
    let errors = figure.descendants().filter(of("error")).map(text).collect();
    let line = |line: Node<'_, '_>| {
        let parts = line.children().map(|part| match part.has_tag_name("mark") {
            true => format!("[{}]", text(part)),
            false => part.text().unwrap_or_default().to_owned(),
        });
        parts.collect()
    };
    let lines = figure.descendants().filter(|n| n.has_tag_name("p")).map(line).collect();
    (errors, lines)
}

#[test]
fn the_report_of_answers_has_their_health_and_marks_errors_in_the_text() {
    let folder = Folder::new();
    let file = folder.file("answers.jsonl", ANSWERS);
    let html = chunkeval(["llm", &file, "--preset", "plain", "--ci", "--format", "html"]).ok();
    let page = parse(&html);
    let titles = headings(&page);
    assert_eq!(titles[0], "answers.jsonl");
    // What lines lack is a warning, and advice is none.
    let of = |class| page.descendants().filter(move |n| n.attribute("class") == Some(class));
    let warnings: Vec<String> = of("warning").map(text).collect();
    assert!(warnings[0].starts_with("1 of 5 answers could not be read"), "{warnings:?}");
    assert!(of("note").map(text).any(|note| note.starts_with("Report micro F1")));
    assert_eq!(
        titles[1..],
        [
            "Lenient reading, unreadable answers counted as empty",
            "Lenient reading, unreadable answers skipped (as published)",
            "F1 by length of text, unreadable answers counted as empty",
            "Health of the answers",
            "Repairs of the answers",
            "What the answers say",
            "Errors",
            "Types taken for others",
            "Examples of errors",
            "Errors of lines without a text",
        ]
    );
    // Nine gold entities; Ada, Rome, Zhang Wei and Di are right; eight were predicted.
    assert_eq!(row(&page, "micro")[5..], ["9", "8", "4"]);
    assert!(row(&page, "micro")[1].contains('–'), "no interval");
    assert_eq!(row(&page, "unreadable")[1], "1");
    assert_eq!(row(&page, "unreadable")[4], "line 3 (id c)");
    assert_eq!(row(&page, "truncated")[4], "line 2 (id b)");
    assert_eq!(row(&page, "clean")[4], "line 1 (id a)");
    let quotes = "quotes other than \"";
    assert_eq!(row(&page, "quotes")[1..], ["2", "9", quotes]); // of the last two
    assert_eq!(row(&page, "of them not in the text")[1], "2"); // Eda, today
    assert!(html.contains("1 of 5 answers could not be read"));
    assert!(html.contains("3 of 4 answers with errors are shown."));
    // Zhang Wei in 6 characters, the others in 9 to 18; the last line has no text.
    assert_eq!(row(&page, "≤20")[1], "4");
    assert!(
        html.contains("Groups without answers at either end are left out.")
            && !html.contains("≤50")
    );
    // Right, missed and taken for others in what was read: Ada, Zhang Wei, Di, Ed, Fay; Rome, Beijing.
    let heat = |name: &str| {
        let tables = page.descendants().filter(|n| n.attribute("class") == Some("matrix"));
        let rows = tables.flat_map(|t| t.descendants()).filter(|n| n.has_tag_name("tr"));
        let cells =
            rows.map(|r| r.children().filter(Node::is_element).map(text).collect::<Vec<_>>());
        cells.into_iter().find(|cells| cells[0] == name).unwrap()
    };
    assert_eq!(heat("gold \\ predicted")[1..], ["DATE", "LOC", "PER", "missed"]);
    assert_eq!(heat("PER")[1..], ["0", "1", "4 3 right", "0"]); // Fay is near Fey
    assert_eq!(heat("LOC")[1..], ["0", "1", "0", "1"]);
    assert_eq!(heat("spurious")[1..], ["1", "0", "1", ""]);

    let (errors, lines) = example(&page, "answers.jsonl:2 (id b)");
    assert_eq!(errors, ["LOC “北京”: missed"]);
    assert_eq!(lines, ["[张伟PER✓]在[北京LOC✗]。", "[张伟PER✓]在北京。"]);
    let (errors, lines) = example(&page, "answers.jsonl:3 (id c)");
    let reason = "unreadable: byte 0: no object or list found: I cannot help with that.";
    assert_eq!(errors, [reason]); // its entities are in no other count
    assert_eq!(lines, ["[CyPER✗] is in [KyivLOC✗].", "Cy is in Kyiv."]);
    let (errors, lines) = example(&page, "answers.jsonl:4 (id d)");
    let spurious = ["DATE “today”", "PER “Eda”"].map(|m| format!("{m}: spurious, not in the text"));
    assert_eq!(errors, ["PER “Ed” as LOC: other type", &spurious[0], &spurious[1]]);
    assert_eq!(lines, ["[DiPER✓] met [EdPER✗].", "[DiPER✓] met [EdLOC✗]."]);
    let cells = ["near", "PER Fay", "PER Fey", ""];
    let place = format!("{file}:5");
    assert_eq!(row(&page, &place)[1..], cells);

    // The same on any number of threads, and in another reading.
    let args = ["llm", &file, "--preset", "plain", "--ci", "--threads", "3", "--format", "html"];
    assert_eq!(chunkeval(args).ok(), html);
    let args = ["llm", &file, "--preset", "plain", "--strict", "--errors", "1", "--format", "html"];
    let strict = chunkeval(args).ok();
    assert!(strict.contains("2 of 5 answers could not be read"));
    // Where there are several readings, each section says of which it is.
    let args = ["llm", &file, "--preset", "plain", "--both", "--ci", "--format", "html"];
    let both = chunkeval(args).ok();
    let titles = headings(&parse(&both));
    assert_eq!(titles.len(), 14, "{titles:?}");
    for title in &titles[1..] {
        let title = title.to_lowercase();
        assert!(title.contains("lenient reading") != title.contains("strict reading"), "{title}");
    }
    assert_eq!(strict.matches("<figure").count(), 2); // the first unreadable one, and line 4
}

#[test]
fn a_sum_of_answers_and_what_was_left_out_are_pages_too() {
    let folder = Folder::new();
    let file = folder.file("answers.jsonl", ANSWERS.to_owned() + "no\n");
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    let args = ["llm", &file, "--preset", "plain", "--keep-going", "--format", "html"];
    let ran = chunkeval(args.iter().chain(&["--save-state", state]));
    assert_eq!(ran.code, 3);
    assert_eq!(row(&parse(&ran.out), "left out")[1], "1");
    assert!(ran.out.contains("Lines left out, which the scores lack: 1."));
    let copy = folder.file("copy", std::fs::read(state).unwrap());
    let sum = chunkeval(["merge", state, &copy, "--format", "html"]);
    let page = parse(&sum.out);
    assert_eq!(row(&page, "micro")[5..], ["18", "16", "8"]);
    assert!(headings(&page).contains(&"Health of the answers".to_owned()));
    let long = "Ada ".repeat(30_000) + "Bo";
    let line = format!(r#"{{"text": "{long}", "gold": {{"PER": ["Bo"]}}, "prediction": "{{}}"}}"#);
    let long = folder.file("long.jsonl", line);
    let html = chunkeval(["llm", &long, "--preset", "plain", "--format", "html"]).ok();
    let (_, lines) = example(&parse(&html), "long.jsonl:1");
    assert!(lines[0].starts_with('…') && lines[0].ends_with(" Ada [BoPER✗]"), "{lines:?}");
}

#[test]
fn the_page_says_the_same_of_each_error_everywhere() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sample/answers.jsonl");
    let args = ["llm", sample, "--on-unreadable", "count", "--errors", "9", "--format", "html"];
    let html = chunkeval(args).ok();
    let page = parse(&html);
    let labels = page.descendants().filter(|n| n.attribute("class") == Some("error")).map(text);
    let labels: Vec<String> = labels.collect();
    for kind in ["unreadable", "other type", "near", "missed", "spurious"] {
        // The first such row is that of health, if it is one of unreadable answers: the same count.
        let rows = page.descendants().filter(|n| n.has_tag_name("tr"));
        let rows = rows.map(|r| r.children().map(text).collect::<Vec<_>>());
        let mut counts = rows.filter(|r| r[0] == kind && r.len() < 6).map(|r| r[1].clone());
        let count: usize = counts.next().unwrap().parse().unwrap();
        let is_kind = |label: &&String| {
            label.starts_with(&format!("{kind}: ")) || label.contains(&format!("”: {kind}"))
        };
        let labelled = labels.iter().filter(is_kind).count();
        assert_eq!(labelled, count, "{kind}: {labels:?}");
    }
    assert_eq!(labels.len(), 5, "{labels:?}");
}
