//! Predictions of a trained network for files and for standard input.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::common::{json, program, run, text, tiny};

/// The program with something on its standard input.
fn piped(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = program(folder, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// A run that has learnt something, and its scores on the test set.
fn trained(folder: &Path) -> Value {
    let args = ["--steps", "150", "--lr", "0.02", "--json", "--out", "run"];
    json(&tiny(folder, &args)).pop().unwrap()
}

#[test]
fn a_file_with_labels_is_predicted_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let test = trained(folder.path());
    let predictions = folder.path().join("run/predictions.tsv");

    // What the run predicted for its test set is predicted again.
    let args = ["infer", "run", "run/predictions.tsv", "--format", "predictions"];
    let output = run(folder.path(), &[&args[..], &["--columns", "again.tsv"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "--columns stands in for the entities");
    let again = folder.path().join("again.tsv");
    assert_eq!(fs::read_to_string(&again).unwrap(), fs::read_to_string(predictions).unwrap());

    let report = text(&output.stderr);
    let all = report.lines().find(|line| line.starts_with("all ")).unwrap();
    let f1 = format!(" {:.4} ", test["f1"].as_f64().unwrap());
    assert!(all.contains(&f1), "{all:?} has no {f1}");
    let strict = format!("F1 {:.4}", test["strict"]["f1"].as_f64().unwrap());
    let line = report.lines().find(|line| line.contains("read strictly (IOB2)")).unwrap();
    assert!(line.ends_with(&strict), "{line:?} has no {strict}");
    assert!(report.contains("the metric took"), "{report}");
}

#[test]
fn no_output_goes_over_the_input() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.conll"), "a O\n").unwrap();
    // Before the run is looked for.
    for (options, reason) in [
        (&["--columns", "in.conll"][..], "--columns in.conll would write over the input in.conll"),
        (&["--entities", "./in.conll"], "--entities ./in.conll would write over the input"),
        (&["--columns", "o", "--entities", "o"], "--columns and --entities are the same file, o"),
    ] {
        let args = [&["infer", "run", "in.conll", "--format", "conll"], options].concat();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
        assert_eq!(fs::read_to_string(folder.path().join("in.conll")).unwrap(), "a O\n");
        assert!(!folder.path().join("o").exists());
    }
}

#[test]
fn text_on_standard_input_becomes_entities_with_character_offsets() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let lines = "\u{feff}13512345678 广东省深圳市\n\n张三 13812345678\n";
    let output = piped(folder.path(), &["infer", "run", "--format", "characters"], lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).starts_with("2 sentences in "), "{}", text(&output.stderr));
    let found = json(&output);
    assert_eq!(found.len(), 2, "the empty line holds no sentence");
    assert_eq!(found[0]["text"], "13512345678 广东省深圳市");
    let all: Vec<(&Value, &Value)> = found
        .iter()
        .flat_map(|line| line["entities"].as_array().unwrap().iter().map(|e| (&line["text"], e)))
        .collect();
    assert!(!all.is_empty(), "{found:?}");
    for (line, entity) in all {
        let [start, end] = ["start", "end"].map(|name| entity[name].as_u64().unwrap() as usize);
        let expected: String =
            line.as_str().unwrap().chars().skip(start).take(end - start).collect();
        assert_eq!(entity["text"], *expected);
        assert!(["P", "T", "A1", "A2", "A3", "A4"].map(Value::from).contains(&entity["type"]));
    }

    // The same as columns, and no label is made up.
    let args = ["infer", "run", "--format", "characters", "--columns", "-"];
    let columns = text(&piped(folder.path(), &args, "张三\n").stdout);
    let lines: Vec<&str> = columns.lines().collect();
    assert!(lines[0].starts_with("张\t") && lines[1].starts_with("三\t") && lines[2].is_empty());
    assert!(lines.len() == 3 && lines[0].matches('\t').count() == 1, "{columns}");
}

#[test]
fn what_cannot_be_predicted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "2", "--out", "run"]);
    let refused = |args: &[&str], input: &str, code: i32| {
        let output = piped(folder.path(), &[&["infer"], args].concat(), input);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let error = refused(&["nowhere"], "", 1);
    assert!(error.contains("nowhere/state.json: "), "{error}");
    let error = refused(&["run", "gone.txt"], "", 1);
    assert!(error.contains("gone.txt"), "{error}");
    let error = refused(&["run", "--format", "wnut17"], "张\tB-PER\n", 1);
    assert!(error.contains("stdin:1:3: the input set has the label \"B-PER\""), "{error}");
    let error = refused(&["run", "--format", "snips"], "", 2);
    assert!(error.contains("standard input cannot be a folder"), "{error}");
    let error = refused(&["run", "--format", "xml"], "", 2);
    assert!(error.contains("xml"), "{error}");
    fs::remove_file(folder.path().join("run/best-2.safetensors")).unwrap();
    let error = refused(&["run", "--format", "characters"], "张\n", 1);
    assert!(error.contains("best-2.safetensors"), "{error}");
}
