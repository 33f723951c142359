//! Predictions for files of tokens: without labels, and as text.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::common::{json, piped, run, text, trained};
use super::infer_text::located;
use super::refusals::{GOOD, splits};

const TOKENS: [&str; 5] = ["张", "三", "1", "3", "5"];

/// The entities of a file, read without labels.
fn unlabelled(folder: &Path, input: &str, format: &str, more: &[&str]) -> Vec<Value> {
    let args = ["infer", "run", input, "--format", format, "--unlabelled"];
    let output = run(folder, &[&args[..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.lines().any(|line| line.starts_with("1 sentence in ")), "{said}");
    json(&output)
}

#[test]
fn tokens_without_labels_are_read_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let column = |more: &str| TOKENS.map(|token| format!("{token}{more}\n")).concat();
    let numbered = TOKENS.map(|token| format!("1\t{token}\n")).concat();
    let waybill = TOKENS.join("\u{2}");
    let parallel = folder.path().join("parallel");
    fs::create_dir(&parallel).unwrap();
    fs::write(parallel.join("seq.in"), TOKENS.join(" ")).unwrap();
    fs::write(folder.path().join("text"), TOKENS.concat()).unwrap();
    let mut expected = unlabelled(folder.path(), "text", "characters", &[]);
    assert_eq!(expected[0]["text"], *TOKENS.concat());
    for (format, content) in [
        ("conll", column("")),
        ("conll:token=1", column("")),
        ("conll:token=1", column(" NN O")),
        ("conll:token=2", numbered.clone()),
        ("wnut17", column("")),
        ("wnut17", column("\tno-label")),
        ("predictions", column("\tO\t")),
        ("uner", numbered),
        ("waybill", format!("text_a\n{waybill}\n")),
        ("waybill", format!("text_a\tlabel\n{waybill}\tO\n")),
    ] {
        fs::write(folder.path().join("in"), content).unwrap();
        let found = unlabelled(folder.path(), "in", format, &[]);
        let header = u64::from(format == "waybill");
        expected[0]["line"] = (1 + header).into();
        assert_eq!(found, expected, "{format}");
    }
    expected[0]["line"] = 1.into();
    for format in ["parallel", "snips"] {
        assert_eq!(unlabelled(folder.path(), "parallel", format, &[]), expected, "{format}");
    }

    // Without the option labels are wanted.
    let args = ["infer", "run", "--format", "conll"];
    let output = piped(folder.path(), &args, column(""));
    let reason = "expected at least 2 columns, found 1; if there are no labels, say so with";
    let error = text(&output.stderr);
    assert_eq!(error, format!("error: stdin:1:2: {reason} --unlabelled\n"));
    let args = ["infer", "run", "--format", "conll:token=1", "--unlabelled", "--columns", "-"];
    let columns = text(&piped(folder.path(), &args, column("\tB-OTHER")).stdout);
    assert!(columns.lines().take(5).all(|line| line.split('\t').count() == 2), "{columns}");
}

#[test]
fn tokens_are_joined_as_in_the_corpus_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let record = "张三13512345678广东省深圳市";
    let column: String = record.chars().map(|c| format!("{c}\n")).collect();
    fs::write(folder.path().join("in"), column).unwrap();
    let read = |more: &[&str]| {
        let lines = unlabelled(folder.path(), "in", "conll", more);
        assert!(located(&lines) > 0, "{lines:?}");
        lines[0]["text"].as_str().unwrap().to_owned()
    };
    let spaced = record.chars().map(String::from).collect::<Vec<_>>().join(" ");
    assert_eq!(read(&[]), record);
    assert_eq!(read(&["--join", "none"]), record);
    assert_eq!(read(&["--join", "space"]), spaced);
    let text_has_its_own = ["infer", "run", "in", "--format", "words", "--join", "none"];
    let output = run(folder.path(), &text_has_its_own);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--join is for files of tokens"));

    // A run of before does not say what its tokens were.
    let state = folder.path().join("run/state.json");
    let mut before: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    assert_eq!(before.as_object_mut().unwrap().remove("unit"), Some("characters".into()));
    fs::write(&state, before.to_string()).unwrap();
    assert_eq!(read(&[]), spaced);
}

#[test]
fn words_are_joined_with_spaces() {
    let folder = splits(GOOD, GOOD, GOOD);
    let args = ["--data", ".", "--format", "wnut17", "--steps", "2", "--out", "run"];
    assert!(run(folder.path(), &[&args[..], crate::SIZES].concat()).status.success());
    let lines = unlabelled(folder.path(), "test.tsv", "wnut17", &[]);
    assert_eq!(lines[0]["text"], "Ada sleeps");
}
