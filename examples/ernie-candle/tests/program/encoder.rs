//! Encoders from Hugging Face folders, good ones and bad ones.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::common::{run, text, tiny};

/// A folder like those of Hugging Face: what a run of a small encoder leaves, with its weights.
fn folder(parent: &Path) -> PathBuf {
    tiny(parent, &["--no-crf", "--steps", "2", "--out", "first"]);
    let folder = parent.join("first/encoder");
    fs::copy(parent.join("first/last-2.safetensors"), folder.join("model.safetensors")).unwrap();
    folder
}

#[test]
fn a_run_begins_with_the_weights_of_a_folder() {
    let parent = tempfile::tempdir().unwrap();
    folder(parent.path());
    let first = fs::read(parent.path().join("first/last-2.safetensors")).unwrap();
    let data = ["--sentences", "40", "--batch", "4", "--every", "10", "--lr", "1e-30"];
    let rates = ["--head-lr", "1e-30", "--encoder", "first/encoder", "--keep-head"];
    let length = ["--steps", "1", "--out", "second"];
    let output = run(parent.path(), &[&data[..], &rates, &length].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let second = fs::read(parent.path().join("second/last-1.safetensors")).unwrap();
    assert!(first == second, "a step of no length changes nothing");
    let state = fs::read(parent.path().join("second/state.json")).unwrap();
    let state: Value = serde_json::from_slice(&state).unwrap();
    let network = &state["network"];
    assert_eq!(network["token_dropout"], 0.0, "an encoder that has learnt something knows [UNK]");
    assert_eq!(network["decoder"], "arg_max");

    // The folder is not needed any more: the run has what it needs.
    fs::remove_dir_all(parent.path().join("first")).unwrap();
    let output = run(parent.path(), &["--resume", "second", "--steps", "3"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// What is said of a folder that was changed.
fn refusal(change: impl Fn(&Path), more: &[&str]) -> String {
    let parent = tempfile::tempdir().unwrap();
    change(&folder(parent.path()));
    let args = ["--sentences", "40", "--encoder", "first/encoder", "--out", "second"];
    let output = run(parent.path(), &[&args[..], more].concat());
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!parent.path().join("second").exists());
    error
}

fn edit(folder: &Path, change: impl Fn(&mut Value)) {
    let path = folder.join("config.json");
    let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut config);
    fs::write(path, config.to_string()).unwrap();
}

#[test]
fn a_bad_folder_is_refused() {
    let error = refusal(|folder| fs::remove_file(folder.join("config.json")).unwrap(), &[]);
    assert!(error.contains("config.json"), "{error}");
    let narrow = |folder: &Path| edit(folder, |config| config["hidden_size"] = 20.into());
    let error = refusal(narrow, &[]);
    assert!(error.contains("the weights do not fit the configuration"), "{error}");
    let cut = |folder: &Path| {
        let path = folder.join("model.safetensors");
        let whole = fs::read(&path).unwrap();
        fs::write(path, &whole[..whole.len() / 2]).unwrap();
    };
    let error = refusal(cut, &[]);
    assert!(error.contains("model.safetensors"), "{error}");
    let few = |folder: &Path| {
        fs::write(folder.join("vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\n").unwrap();
    };
    let error = refusal(few, &[]);
    assert!(error.contains("4 pieces, but the encoder has embeddings for"), "{error}");
}

#[test]
fn labels_that_are_not_those_of_the_head_are_refused() {
    let other = |folder: &Path| {
        edit(folder, |config| {
            let labels = config["id2label"].as_object_mut().unwrap();
            labels["1"] = "A9-B".into();
        });
    };
    let error = refusal(other, &["--keep-head"]);
    assert!(error.contains("A9-B"), "{error}");

    // Nor does a run go on with another list.
    let parent = tempfile::tempdir().unwrap();
    other(&folder(parent.path()));
    let output = run(parent.path(), &["--resume", "first"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("config.json: its labels are not those of state.json"), "{error}");
}
