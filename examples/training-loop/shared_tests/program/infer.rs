//! Predictions of a trained network for files and for standard input.

use std::fs;
use std::process::Stdio;

use super::common::{piped, program, run, text, tiny, trained};

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
    fs::create_dir(folder.path().join("run")).unwrap();
    // Before the run is looked for.
    for (options, reason) in [
        (&["--columns", "in.conll"][..], "--columns in.conll would write over the input in.conll"),
        (&["--entities", "./in.conll"], "--entities ./in.conll would write over the input"),
        (&["--columns", "gone/o"], "--columns gone/o is in no folder"),
        (&["--entities", "."], "--entities . is a folder"),
        (
            &["--columns", "o", "--entities", "./o"],
            "--entities ./o and --columns are the same file",
        ),
        (&["--columns", "-", "--entities", "-"], "--entities - and --columns are the same file"),
        (&["--columns", "run/state.json"], "would write over a file of the run run"),
        (&["--columns", "run/best-2.safetensors"], "would write over a file of the run"),
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
    let error = refused(&["run"], "张三\n", 1);
    assert!(error.contains("stdin:1:1: expected the header"), "{error}");
    assert!(error.contains("--format names others: text is words or characters"), "{error}");
    let error = refused(&["run", "--format", "snips"], "", 2);
    assert!(error.contains("standard input cannot be a folder"), "{error}");
    let error = refused(&["run", "--format", "xml"], "", 2);
    assert!(error.contains("xml") && error.contains("; for text: words, characters"), "{error}");
    let error = refused(&["run", "--format", "conll:colour=red"], "", 2);
    assert!(error.contains("colour") && !error.contains("characters"), "{error}");
    fs::remove_file(folder.path().join("run/best-2.safetensors")).unwrap();
    let error = refused(&["run", "--format", "characters"], "张\n", 1);
    assert!(error.contains("best-2.safetensors"), "{error}");
}

#[test]
fn a_label_that_was_edited_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "1", "--out", "run"]);
    let file = folder.path().join("run/state.json");
    let mut state: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    state["labels"][1] = "PERSON".into();
    fs::write(&file, state.to_string()).unwrap();
    let output = piped(folder.path(), &["infer", "run", "--format", "characters"], "张\n");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let named = "error: run/state.json: cannot read the label \"PERSON\"; ";
    assert!(error.starts_with(named) && error.lines().count() == 1, "{error}");
    assert!(!error.contains("::"), "a user has no Rust: {error}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_named_and_a_closed_pipe_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "2", "--out", "run"]);
    fs::write(folder.path().join("in.txt"), "张三\n").unwrap();
    let args = ["infer", "run", "in.txt", "--format", "characters"];
    for more in [&[][..], &["--columns", "-"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = program(folder.path(), &[&args[..], more].concat());
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(error.starts_with("error: standard output: No space left on device"), "{error}");

        // Somebody who has read enough, as `head` has; the other output is written all the same.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let other = if more.is_empty() { "--columns" } else { "--entities" };
        let standard = if more.is_empty() { "--entities" } else { "--columns" };
        let more = [other, "other", standard, "-"];
        let mut command = program(folder.path(), &[&args[..], &more].concat());
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        let other = folder.path().join("other");
        assert!(fs::read_to_string(&other).unwrap().ends_with('\n'));
        fs::remove_file(other).unwrap();
    }
}

#[test]
fn help_names_every_format_and_option() {
    let folder = tempfile::tempdir().unwrap();
    let help = text(&run(folder.path(), &["infer", "--help"]).stdout);
    let error = run(folder.path(), &["infer", "run", "--format", "xml"]);
    let error = text(&error.stderr);
    let (_, names) = error.split_once("is none of ").unwrap();
    let (names, rest) = names.split_once("; for text: ").unwrap();
    let rest = rest.lines().next().unwrap();
    for name in names.split(", ").chain(rest.split(", ")) {
        let words = help.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>();
        assert!(words.contains(&name), "{name} in {help}");
    }
    let options = ["--unlabelled", "--join", "--columns", "--entities", "--batch", "--weights"];
    let words = ["from 1, or from -1", "delimiter", "comments", "docstart", "predicted=none"];
    let words = words.into_iter().chain([r#"{"line":3,"text":"#, "code points"]);
    for words in options.into_iter().chain(words) {
        assert!(help.contains(words), "{words} in {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}
