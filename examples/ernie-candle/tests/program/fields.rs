//! A conditional random field behind the head, and special tokens that count.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::common::{file, json, run, text, tiny};

/// A run that learns a little, and the line of its test set.
fn trained(folder: &Path, out: &str, more: &[&str]) -> Value {
    let args = ["--steps", "60", "--lr", "0.02", "--json", "--out", out];
    json(&tiny(folder, &[&args[..], more].concat())).pop().unwrap()
}

#[test]
fn a_field_learns_resumes_and_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let test = trained(folder.path(), "crf", &["--crf"]);
    assert!(test["correct"].as_u64() > Some(0), "{test}");
    let weights = file(&folder.path().join("crf"), "best-", ".safetensors");
    assert!(String::from_utf8_lossy(&weights).contains("crf.transitions"));

    // Half of the steps, then the other half.
    let half = ["--steps", "30", "--lr", "0.02", "--json", "--out", "half", "--crf"];
    tiny(folder.path(), &half);
    let args = ["infer", "half", "half/predictions.tsv", "--format", "predictions"];
    let output = run(folder.path(), &[&args[..], &["--columns", "again.tsv"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let [first, again] = ["half/predictions.tsv", "again.tsv"]
        .map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!(first, again);
}

#[test]
fn special_tokens_are_counted_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let ignored = trained(folder.path(), "ignored", &[]);
    for decoder in ["--no-crf", "--crf"] {
        let name = format!("outside{decoder}");
        let args = ["--special-tokens", "outside", decoder];
        let outside = trained(folder.path(), &name, &args);
        // They are no entities, so gold is the same; and no line of the predictions is theirs.
        assert_eq!(outside["gold"], ignored["gold"]);
        let tokens = |run: &str| {
            let path = folder.path().join(run).join("predictions.tsv");
            let lines = fs::read_to_string(path).unwrap();
            let token = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
            lines.lines().map(token).collect::<Vec<_>>()
        };
        assert_eq!(tokens(&name), tokens("ignored"));
    }
}

/// The waybills of PaddleNLP have no label O.
#[test]
fn special_tokens_are_counted_where_no_sentence_has_their_label() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["train.txt", "dev.txt", "test.txt"] {
        let text = "text_a\tlabel\n张\u{2}三\u{2}京\tP-B\u{2}P-I\u{2}A1-B\n";
        fs::write(folder.path().join(name), text).unwrap();
    }
    let args = ["--data", ".", "--steps", "1", "--special-tokens", "outside", "--out", "run"];
    let output = run(folder.path(), &[&args[..], crate::SIZES].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let state = fs::read(folder.path().join("run/state.json")).unwrap();
    let state: Value = serde_json::from_slice(&state).unwrap();
    assert_eq!(state["labels"], serde_json::json!(["A1-B", "O", "P-B", "P-I"]));
    let output = run(folder.path(), &["--resume", "run", "--steps", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn unknown_pieces_are_part_of_training_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let loss = |out: &str, more: &[&str]| {
        let args = [&["--steps", "10", "--json", "--out", out], more].concat();
        json(&tiny(folder.path(), &args))[0]["loss"].clone()
    };
    let default = loss("default", &[]);
    assert_eq!(loss("said", &["--token-dropout", "0.1"]), default);
    assert_ne!(loss("none", &["--token-dropout", "0"]), default);
}

#[test]
fn frozen_layers_do_not_move() {
    let folder = tempfile::tempdir().unwrap();
    let output = tiny(folder.path(), &["--freeze", "1", "--steps", "4", "--out", "run"]);
    assert!(text(&output.stdout).contains("parameters are trained"), "{}", text(&output.stdout));
    tiny(folder.path(), &["--freeze", "1", "--steps", "1", "--lr", "1e-30", "--out", "start"]);
    let read = |run: &str, step: u32| {
        let path = folder.path().join(run).join(format!("last-{step}.safetensors"));
        candle_core::safetensors::load(path, &candle_core::Device::Cpu).unwrap()
    };
    let (moved, start) = (read("run", 4), read("start", 1));
    for (name, tensor) in &start {
        let numbers = |t: &candle_core::Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let is_same = numbers(tensor) == numbers(&moved[name]);
        let is_frozen = name.starts_with("embeddings.") || name.starts_with("encoder.layer.0.");
        assert_eq!(is_same, is_frozen, "{name}");
    }
}
