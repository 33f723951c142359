//! Encoders from Hugging Face folders, good ones and bad ones.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::common::{file, program, run, text, tiny};

/// A folder like those of Hugging Face: what a run of a small encoder leaves.
fn folder(parent: &Path) -> PathBuf {
    tiny(parent, &["--no-crf", "--steps", "2", "--out", "first"]);
    parent.join("first/encoder")
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
    // One line, whatever a library adds to its errors.
    let mut program = program(parent.path(), &[&args[..], more].concat());
    let output = program.env("RUST_BACKTRACE", "1").output().unwrap();
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
    assert!(
        error.contains(
            "the weights cannot be used: embeddings.LayerNorm.bias has shape [16], expected [20]"
        ),
        "{error}"
    );
    let cut = |folder: &Path| {
        let path = folder.join("model.safetensors");
        let whole = fs::read(&path).unwrap();
        fs::write(path, &whole[..whole.len() / 2]).unwrap();
    };
    let error = refusal(cut, &[]);
    assert!(error.contains("model.safetensors"), "{error}");
    let not_a_number = |folder: &Path| {
        let path = folder.join("model.safetensors");
        let mut bytes = fs::read(&path).unwrap();
        // The last number of the file.
        let at = bytes.len() - 4;
        bytes[at..].copy_from_slice(&f32::NAN.to_le_bytes());
        fs::write(path, bytes).unwrap();
    };
    let error = refusal(not_a_number, &["--keep-head"]);
    let wanted = "encoder.layer.0.output.dense.weight has numbers that are infinite or NaN\n";
    assert!(error.ends_with(wanted), "{error}");
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

/// The options of a run whose step changes nothing.
const STILL: [&str; 11] = [
    "--sentences",
    "40",
    "--batch",
    "4",
    "--lr",
    "1e-30",
    "--head-lr",
    "1e-30",
    "--steps",
    "1",
    "--keep-head",
];

#[test]
fn a_run_is_an_encoder_and_its_whole_head_can_be_kept() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path();
    tiny(path, &["--crf", "--steps", "12", "--lr", "0.02", "--out", "first"]);
    let first = file(&path.join("first"), "best-", ".safetensors");
    let begun = |encoder: &str, out: &str, more: &[&str]| {
        let output = run(path, &[&STILL[..], &["--encoder", encoder, "--out", out], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // With --crf or without: the field is part of the head.
    for (out, more) in
        [("said", &["--crf", "--crf-lr", "1e-30"][..]), ("kept", &["--crf-lr", "1e-30"])]
    {
        let shown = begun("first", out, more);
        assert!(!shown.contains("not used"), "{shown}");
        assert!(fs::read(path.join(out).join("last-1.safetensors")).unwrap() == first, "{out}");
    }
    // The folder itself will do; a head without its field leaves the field over.
    let shown = begun("first/encoder", "without", &["--no-crf"]);
    assert!(
        shown.contains("\nencoder: not used: 3 tensors: crf.start, crf.stop, crf.transitions\n"),
        "{shown}"
    );
}

#[test]
fn a_field_that_is_not_there_cannot_be_kept() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path();
    folder(path);
    let args = [&STILL[..], &["--encoder", "first", "--out", "second", "--crf"]].concat();
    let output = run(path, &args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    let wanted =
        "error: --keep-head --crf: the head in first/encoder has no conditional random field";
    assert!(error.starts_with(wanted), "{error}");
    assert!(!path.join("second").exists());
}

#[test]
fn a_broken_checkpoint_is_one_line() {
    let parent = tempfile::tempdir().unwrap();
    folder(parent.path());
    fs::write(parent.path().join("first/last-2.safetensors"), "no weights").unwrap();
    let mut program = program(parent.path(), &["--resume", "first"]);
    let error = text(&program.env("RUST_BACKTRACE", "1").output().unwrap().stderr);
    assert!(error.starts_with("error: first/last-2.safetensors: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_run_that_has_evaluated_nothing_is_no_encoder_yet() {
    let parent = tempfile::tempdir().unwrap();
    let folder = folder(parent.path());
    fs::remove_file(folder.join("model.safetensors")).unwrap();
    let error = text(&run(parent.path(), &["--encoder", "first", "--sentences", "40"]).stderr);
    assert!(error.starts_with("error: first/encoder: the run has not yet evaluated"), "{error}");
}

#[test]
fn tensors_that_are_not_used_are_named() {
    let parent = tempfile::tempdir().unwrap();
    folder(parent.path());
    let args = ["--sentences", "40", "--steps", "1", "--encoder", "first", "--out", "second"];
    let shown = text(&run(parent.path(), &args).stdout);
    let wanted = "\nencoder: not used: 2 tensors: classifier.bias, classifier.weight\n";
    assert!(shown.contains(wanted), "{shown}");
}

#[test]
fn the_folder_of_a_run_is_as_hugging_face_has_them() {
    let parent = tempfile::tempdir().unwrap();
    let folder = folder(parent.path());
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
    };
    let config = read("config.json");
    assert_eq!(config["model_type"], "ernie");
    assert_eq!(config["architectures"], serde_json::json!(["ErnieForTokenClassification"]));
    let id = config["label2id"]["P-B"].to_string();
    assert_eq!(config["id2label"][&id], "P-B");
    assert_eq!(read("tokenizer_config.json")["tokenizer_class"], "BertTokenizer");
    let weights = fs::read(folder.join("model.safetensors")).unwrap();
    let start = String::from_utf8_lossy(&weights[..20_000]).into_owned();
    assert!(start.contains(r#""__metadata__":{"format":"pt"}"#), "{start}");
    assert!(start.contains(r#""ernie.embeddings.word_embeddings.weight""#), "{start}");
    // It is that of the best weights, in the end and whenever the run is stopped.
    let of_run = file(&parent.path().join("first"), "best-", ".safetensors");
    assert!(weights.ends_with(&of_run[of_run.len() - 1000..]));
}

#[cfg(unix)]
#[test]
fn weights_can_be_read_by_whoever_can_read_the_rest() {
    use std::os::unix::fs::PermissionsExt as _;

    let parent = tempfile::tempdir().unwrap();
    tiny(parent.path(), &["--crf", "--steps", "2", "--out", "run"]);
    let run = parent.path().join("run");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    let other = mode(&run.join("metrics.jsonl"));
    let files = [&run, &run.join("encoder")].map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.into_iter().flatten().map(|entry| entry.unwrap().path());
    let tensors: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "safetensors")).collect();
    assert_eq!(tensors.len(), 5, "{tensors:?}");
    for path in tensors {
        assert_eq!(mode(&path), other, "{}", path.display());
    }
}
