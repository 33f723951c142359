//! Every format beside what is expected, kept in files. With `BLESS` set the files are written.

use std::path::Path;

use serde_json::json;

use crate::run::{Folder, Ran, SAMPLE, chunkeval};

fn expect(name: &str, args: &[&str]) {
    let folder = Folder::new();
    let file = folder.file("sample.tsv", SAMPLE);
    is_kept(name, chunkeval(["tags", &*file].iter().chain(args)));
}

/// What is no score is told on standard error, where the output is CSV.
fn printed(ran: Ran) -> String {
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.is_empty() || ran.err.starts_with("note: "), "{}", ran.err);
    ran.out
}

/// Whether it is what was kept, whatever the version is.
fn is_kept(name: &str, ran: Ran) {
    text_is_kept(name, &printed(ran));
}

/// A page without its style, which is the same on all of them: chunkeval-html keeps a page with it.
fn without_style(page: &str) -> String {
    match (page.split_once("<style>"), page.split_once("</style>")) {
        (Some((before, _)), Some((_, behind))) => format!("{before}<style></style>{behind}"),
        _ => page.to_owned(),
    }
}

fn text_is_kept(name: &str, found: &str) {
    let versions = ["chunkeval:", "chunkeval ", "chunkeval</dt><dd>"];
    let found = versions.iter().fold(found.to_owned(), |found, before| {
        let version = format!("{before}{}", env!("CARGO_PKG_VERSION"));
        found.replace(&version, &format!("{before}0.1.0"))
    });
    let found = without_style(&found);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/expected").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    // Pages are long: the first line that differs is enough.
    let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert_eq!(differs, None, "{name}: with BLESS set it is written anew");
    assert_eq!(found, expected, "{name}");
}

#[test]
fn scores_in_every_format() {
    expect("scores.txt", &[]);
    expect("scores.color.txt", &["--color", "always"]);
    expect("scores.json", &["--format", "json"]);
    expect("scores.csv", &["--format", "csv"]);
    expect("scores.md", &["--format", "md", "--digits", "2"]);
    expect("scores.tex", &["--format", "latex"]);
}

#[test]
fn reports_of_others() {
    expect("seqeval.txt", &["--report", "seqeval", "--digits", "2"]);
    expect("seqeval.json", &["--report", "seqeval", "--format", "json"]);
    expect("conlleval.txt", &["--report", "conlleval"]);
    expect("conlleval.tex", &["--report", "conlleval", "--format", "latex"]);
}

#[test]
fn everything_else_in_every_format() {
    for (name, args) in [
        ("both", &["--both", "--scheme", "IOB2"][..]),
        ("intervals", &["--ci", "--resamples", "200", "--seed", "3"]),
        ("errors", &["--errors", "1"]),
        ("by_length", &["--by", "length"]),
        ("by_type", &["--by", "type"]),
    ] {
        for (format, ending) in
            [("table", "txt"), ("json", "json"), ("csv", "csv"), ("md", "md"), ("latex", "tex")]
        {
            expect(&format!("{name}.{ending}"), &[args, &["--format", format]].concat());
        }
    }
}

#[test]
fn answers_in_every_format() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sample/answers.jsonl");
    for (format, ending) in
        [("table", "txt"), ("json", "json"), ("csv", "csv"), ("md", "md"), ("latex", "tex")]
    {
        for (name, args) in [("answers", &[][..]), ("answers_both", &["--both", "--errors", "1"])] {
            let all = [&["llm", sample, "--format", format], args].concat();
            is_kept(&format!("{name}.{ending}"), chunkeval(all));
        }
    }
}

/// A page of each kind: all that is on it.
#[test]
fn pages_for_a_browser() {
    let folder = Folder::new();
    let answers = include_str!("../../../../docs/sample/answers.jsonl");
    let tags = folder.file("sample.tsv", SAMPLE.to_owned() + "\nodd\tB-PER\n");
    let (good, right) =
        (folder.file("good.tsv", SAMPLE), SAMPLE.replace("B-LOC\tO", "B-LOC\tB-LOC"));
    let right = folder.file("right.tsv", right);
    let answers = folder.file("answers.jsonl", answers);
    let worse = answers_without_first(&folder);
    let result = folder.file("result.json", chunkeval(["tags", &good, "--format", "json"]).ok());
    let resamples = ["--resamples", "200", "--seed", "3"];
    let all = [&["--both", "--ci", "--by", "length", "--by", "type"], &resamples[..]].concat();
    let of_tags = [&["tags", &*tags, "--scheme", "IOB2", "--keep-going"], &all[..]].concat();
    for (name, code, args) in [
        ("tags", 3, of_tags),
        ("llm", 0, [&["llm", &*answers, "--check-ids"], &all[..]].concat()),
        ("compare", 0, [&["compare", &*right, &*good], &resamples[..]].concat()),
        (
            "compare_answers",
            0,
            [&["compare", &*answers, &*worse, "--both"], &resamples[..]].concat(),
        ),
        ("gate", 1, vec!["gate", &*result, "--min", "f1=0.5", "--min", "PER.recall=0.9"]),
    ] {
        let ran = chunkeval(args.iter().chain(&["--format", "html"]));
        assert_eq!(ran.code, code, "{name}: {}", ran.err);
        text_is_kept(&format!("{name}.html"), &folder.short(&ran.out));
    }
}

/// The sample, but for the first answer, which cannot be read.
fn answers_without_first(folder: &Folder) -> String {
    let mut lines: Vec<serde_json::Value> = include_str!("../../../../docs/sample/answers.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines[0]["output"] = "?".into();
    folder.file("worse.jsonl", lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

/// What a model has written: types and entities that a terminal would obey, or a spreadsheet.
#[test]
fn no_output_does_what_a_text_says() {
    let folder = Folder::new();
    let answer = json!({"\u{1b}[2J": ["=1+1"], "=HYPERLINK(1)": ["\u{1b}[2J"], "PER": ["@ada"]});
    let gold = json!({"PER": ["Ada"], "-X": ["=2"]});
    let id = "\u{1b}[2J";
    let line =
        json!({"id": id, "text": "Ada \u{1b}[2J", "gold": gold, "prediction": answer.to_string()});
    let file = folder.file("f", line.to_string());
    for more in [&[][..], &["--errors", "9"], &["--by", "type"]] {
        for format in ["table", "json", "csv", "md", "latex", "html"] {
            let args = ["llm", &file, "--preset", "plain", "--color", "never", "--format", format];
            let ran = chunkeval(args.iter().chain(more));
            assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
            let found = printed(ran);
            assert!(!found.contains('\u{1b}'), "{format} {more:?}: {found:?}");
            if format == "csv" {
                let begins = |sign: char| {
                    found.contains(&format!(",{sign}")) || found.contains(&format!("\"{sign}"))
                };
                assert!(!['=', '@'].into_iter().any(begins), "{found}");
            }
        }
    }
    let csv = printed(chunkeval(["llm", &file, "--preset", "plain", "--format", "csv"]));
    assert!(csv.contains(",type,'=HYPERLINK(1),") && csv.contains(",type,'-X,"), "{csv}");
    assert!(csv.contains(",type,\\u{1b}[2J,"), "{csv}");
    // In JSON names are what they are.
    let found = chunkeval(["llm", &file, "--preset", "plain", "--format", "json"]).json();
    let names = found["scores"]["types"].as_array().unwrap().iter().map(|t| &t["type"]);
    assert!(names.clone().any(|name| name == id) && names.clone().any(|name| name == "-X"));
}
