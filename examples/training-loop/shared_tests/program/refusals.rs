//! What cannot work is said in one line, before anything is written.

use std::fs;
use std::path::Path;

use super::common::{run, small, text, tiny};

pub(crate) const GOOD: &str = "Ada\tB-PER\nsleeps\tO\n\n";

/// A folder with three splits in two columns.
pub(crate) fn splits(train: &str, dev: &str, test: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("train.tsv", train), ("dev.tsv", dev), ("test.tsv", test)] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The one line that a failing program prints; nothing may have been written.
pub(crate) fn refusal(folder: &Path, args: &[&str], code: i32) -> String {
    let output = run(folder, args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(output.stdout.is_empty());
    assert!(!folder.join("runs").exists());
    error
}

fn data_refusal(train: &str, dev: &str, test: &str, more: &[&str]) -> String {
    let folder = splits(train, dev, test);
    let args = [&["--data", ".", "--format", "wnut17"], more].concat();
    let error = refusal(folder.path(), &args, 1);
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn data_that_cannot_be_read_is_named_with_its_place() {
    let error = data_refusal("Ada\tB-PER\nsleeps\n\n", GOOD, GOOD, &[]);
    assert!(error.contains("train.tsv:2:"), "{error}");
    let error = data_refusal(GOOD, "", GOOD, &[]);
    assert!(error.contains("dev.tsv: the dev set has no sentences"), "{error}");
}

#[test]
fn labels_that_training_never_saw_are_named() {
    let test = "Ada\tB-LOC\nsleeps\tI-LOC\n\n";
    let error = data_refusal(GOOD, GOOD, test, &[]);
    assert!(error.contains("test.tsv:1:5: the test set has the labels \"B-LOC\", \"I-LOC\""));
    assert!(error.contains("--all-labels"), "{error}");
    let folder = splits(GOOD, GOOD, test);
    let args = ["--data", ".", "--format", "wnut17", "--steps", "1", "--out", "run"];
    let args = [&args[..], crate::SIZES, &["--all-labels"]].concat();
    let output = run(folder.path(), &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let gold = text(&output.stdout);
    assert!(gold.contains("LOC"), "{gold}");
    // Nor does going on ask for them again.
    let output = run(folder.path(), &["--resume", "run", "--steps", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn labels_that_cannot_be_read_are_named_with_place_and_option() {
    let error = data_refusal("Eve\tO\nAda\tPERSON\n\n", GOOD, GOOD, &[]);
    assert!(error.contains("train.tsv:2:5: cannot read the label \"PERSON\"; "), "{error}");
    assert!(error.contains("B-PER") && error.contains("--format"), "{error}");
    assert!(!error.contains("::"), "a user has no Rust: {error}");
    let error = data_refusal(GOOD, GOOD, GOOD, &["--suffix"]);
    assert!(error.contains("train.tsv:1:5: cannot read the label \"B-PER\""), "{error}");
    assert!(error.ends_with("; all labels can be read with --prefix\n"), "{error}");
    let many: String = (0..20).map(|i| format!("w\tword{i}\n")).collect();
    let error = data_refusal(&many, GOOD, GOOD, &[]);
    assert!(error.contains("\"word7\" and 12 more; a label is O"), "{error}");
}

#[test]
fn lines_that_may_be_comments_are_named() {
    let refused = |train: &str, format: &str| {
        let folder = splits(train, GOOD, GOOD);
        let error = refusal(folder.path(), &["--data", ".", "--format", format], 1);
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    // It has its own number of columns, so that the tokens seem to be wrong.
    let error = refused(&format!("# id 7 de\n{GOOD}"), "conll");
    assert!(error.contains("train.tsv:1:1: this line was read as a token, and then: "), "{error}");
    assert!(error.contains("train.tsv:2:10: expected 4 columns as in line 1, found 2"), "{error}");
    assert!(error.ends_with("so with --format conll:comments=between\n"), "{error}");
    let error = refused(&format!("{GOOD}# id 7\n{GOOD}"), "conll:gold=2");
    assert!(error.contains("train.tsv:4:1: expected 2 columns as in line 1, found 3; "), "{error}");
    assert!(error.ends_with("so with --format conll:gold=2,comments=between\n"), "{error}");
    let error = refused("1\tAda\tO\n#x\n", "conll:token=2");
    assert!(error.ends_with("so with --format conll:token=2,comments=hash\n"), "{error}");
    // It has as many columns as tokens have: the second one is no label.
    let error = refused(&format!("# seven\n{GOOD}"), "conll");
    assert!(error.contains("train.tsv:1:3: cannot read the label \"seven\"; "), "{error}");
    assert!(error.ends_with("is a comment with comments=between in --format\n"), "{error}");
    let error = refused(GOOD, "waybill");
    assert!(error.contains("train.tsv:1:1: expected the header"), "{error}");
    assert!(
        error.ends_with(", for the files are waybills unless --format says otherwise\n"),
        "{error}"
    );
    // What is no comment is not blamed.
    let error = refused("Ada\tO\n#x\n", "wnut17");
    assert!(error.ends_with("train.tsv:2:3: expected 2 columns as in line 1, found 1\n"));
}

#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("train.tsv"), GOOD).unwrap();
    let error = refusal(folder.path(), &["--data", "."], 1);
    assert!(error.contains("there is no dev.*, devel.*"), "{error}");
    let error = refusal(folder.path(), &["--resume", "nowhere"], 1);
    assert!(error.contains("nowhere/state.json: "), "{error}");
    let error = refusal(folder.path(), &["--train", "train.tsv"], 2);
    assert!(error.contains("--train, --dev and --test go together"), "{error}");
    let error = refusal(folder.path(), &["--batch", "0"], 2);
    assert!(error.contains("must be at least 1"), "{error}");
    for option in ["--batch", "--every", "--steps", "--seed"] {
        let error = refusal(folder.path(), &[option, "-1"], 2);
        assert!(error.contains(&format!("invalid value '-1' for '{option} <N>': ")), "{error}");
    }
    let error = refusal(folder.path(), &["--resume", "x", "--lr", "1"], 2);
    assert!(error.contains("cannot be used with"), "{error}");
    assert!(error.contains("only --epochs, --steps and --patience may change"), "{error}");
    let error = refusal(folder.path(), &["--dropout", "1"], 2);
    assert!(error.contains("--dropout") && error.contains("below 1"), "{error}");
    let error = refusal(folder.path(), &["--format", "wnut17"], 2);
    assert!(error.contains("are for files"), "{error}");
}

#[test]
fn a_run_that_diverges_says_at_which_step() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &small(&["--steps", "6", "--lr", "1e300"]));
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("error: step ") && error.contains("learning rate"), "{error}");
}

#[test]
fn a_broken_checkpoint_is_named() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "3", "--out", "run"]);
    let last = folder.path().join("run/last-3.safetensors");
    let whole = fs::read(&last).unwrap();
    for broken in [&whole[..0], &whole[..whole.len() / 2]] {
        fs::write(&last, broken).unwrap();
        let error = refusal(folder.path(), &["--resume", "run"], 1);
        assert!(error.contains("run/last-3.safetensors: "), "{error}");
    }
    fs::write(&last, whole).unwrap();
    fs::remove_file(folder.path().join("run/best-3.safetensors")).unwrap();
    let error = refusal(folder.path(), &["--resume", "run"], 1);
    assert!(error.contains("run/best-3.safetensors: "), "{error}");
}

#[test]
fn an_edited_state_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "3", "--out", "run"]);
    let file = folder.path().join("run/state.json");
    let state: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    for (edit, named) in [
        (
            &|s: &mut serde_json::Value| s["settings"]["learning_rate"] = (-5).into(),
            "learning_rate",
        ),
        (&|s: &mut serde_json::Value| s["labels"].as_array_mut().unwrap().reverse(), "labels"),
        (&|s: &mut serde_json::Value| s["version"] = 1.into(), "version 1"),
    ] as [(&dyn Fn(&mut serde_json::Value), &str); 3]
    {
        let mut edited = state.clone();
        edit(&mut edited);
        fs::write(&file, edited.to_string()).unwrap();
        let error = refusal(folder.path(), &["--resume", "run"], 1);
        assert!(error.contains("state.json: ") && error.contains(named), "{named}: {error}");
    }
}

#[test]
fn a_folder_that_holds_a_run_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "1", "--out", "run"]);
    let before = fs::read(folder.path().join("run/state.json")).unwrap();
    let error = refusal(folder.path(), &small(&["--out", "run"]), 1);
    assert_eq!(error, "error: run: holds a run; continue it with --resume run\n");
    assert_eq!(fs::read(folder.path().join("run/state.json")).unwrap(), before);
}

#[test]
fn a_run_whose_data_changed_is_not_resumed() {
    let folder = splits(GOOD, GOOD, GOOD);
    let args = ["--data", ".", "--format", "wnut17", "--steps", "2", "--out", "run"];
    let args = [&args[..], crate::SIZES].concat();
    assert!(run(folder.path(), &args).status.success());
    let resumed = |train: &str| {
        fs::write(folder.path().join("train.tsv"), train).unwrap();
        refusal(folder.path(), &["--resume", "run"], 1)
    };
    let error = resumed("Ada\tB-LOC\nsleeps\tO\n\n");
    assert!(error.contains("has the labels \"B-LOC\" in place of \"B-PER\""), "{error}");
    let error = resumed(&GOOD.repeat(2));
    assert!(error.contains("train was 1 sentence with 2 tokens"), "{error}");
    assert!(error.contains("now it is 2 sentences with 4 tokens"), "{error}");
    let error = resumed("Eve\tB-PER\nsleeps\tO\n\n");
    assert!(error.contains("now it is 1 sentence with 2 tokens"), "{error}");
}
