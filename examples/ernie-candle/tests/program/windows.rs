//! Sentences longer than the encoder can read.

use std::fs;
use std::path::Path;

use crate::program::common::{run, text};

/// Three splits of long sentences of words with several pieces.
fn corpus(folder: &Path) {
    let words = ["Ada\tB-PER", "Lovelace\tI-PER", "visited\tO", "Rome\tB-LOC", "again\tO"];
    let long: String = words.iter().cycle().take(100).map(|line| format!("{line}\n")).collect();
    let short: String = words.iter().map(|line| format!("{line}\n")).collect();
    for name in ["train.tsv", "dev.tsv", "test.tsv"] {
        fs::write(folder.join(name), format!("{long}\n{short}\n")).unwrap();
    }
}

#[test]
fn no_gold_is_lost_in_long_sentences() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let args = ["--data", ".", "--format", "wnut17", "--steps", "3", "--max-length", "16"];
    for (out, more) in
        [("a", &["--no-crf"][..]), ("b", &["--crf"]), ("c", &["--special-tokens", "outside"])]
    {
        let args = [&args, crate::SIZES, &["--stride", "6", "--out", out], more].concat();
        let output = run(folder.path(), &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        assert!(shown.contains("test: 1 sentence longer than 16 pieces, read in "));
        let all = shown.lines().find(|line| line.starts_with("all ")).unwrap();
        // 42 names in 21 rounds.
        assert_eq!(all.split_whitespace().nth(4), Some("42"), "{all}");
        let predictions = fs::read_to_string(folder.path().join(out).join("predictions.tsv"));
        assert_eq!(predictions.unwrap().lines().filter(|line| !line.is_empty()).count(), 105);
    }
}

/// Windows that share nearly all of their pieces would be as many as there are words.
#[test]
fn short_windows_share_a_quarter_by_default() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let args = ["--data", ".", "--format", "wnut17", "--steps", "1", "--no-crf", "--out", "a"];
    let output = run(folder.path(), &[&args, crate::SIZES, &["--max-length", "16"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let windows = shown.split("test: 1 sentence longer than 16 pieces, read in ").nth(1);
    let windows: usize = windows.unwrap().split_whitespace().next().unwrap().parse().unwrap();
    // 105 words of one piece or more; 14 pieces a window, of which at least 10 are new.
    assert!((8..=105 / 2).contains(&windows), "{windows} windows");
}

#[test]
fn special_tokens_need_a_label_for_what_is_no_entity() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["train.tsv", "dev.tsv", "test.tsv"] {
        fs::write(folder.path().join(name), "Ada\tB-PER\nLovelace\tI-PER\n\n").unwrap();
    }
    let args = ["--data", ".", "--format", "wnut17", "--steps", "1"];
    let args = [&args, crate::SIZES].concat();
    let outside = ["--special-tokens", "outside", "--out", "with"];
    for more in [&["--out", "without"][..], &outside] {
        let output = run(folder.path(), &[&args, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    let file = folder.path().join("without/state.json");
    let state = fs::read_to_string(&file).unwrap();
    let edited = state.replace("\"ignored\"", "\"outside\"");
    assert_ne!(edited, state);
    fs::write(&file, edited).unwrap();
    let output = run(folder.path(), &["infer", "without", "test.tsv"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let reason = "special tokens are to count as O, which is none of the labels";
    assert_eq!(error, format!("error: without/state.json: {reason}\n"));
}

#[test]
fn windows_that_cannot_work_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str]| {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(!folder.path().join("runs").exists());
        text(&output.stderr)
    };
    let error = refused(&["--max-length", "513"]);
    assert_eq!(error, "error: --max-length 513: the encoder has 512 positions\n");
    let error = refused(&["--max-length", "2"]);
    assert!(error.contains("--max-length 2"), "{error}");
    let error = refused(&["--max-length", "16", "--stride", "14"]);
    assert_eq!(error, "error: --stride 14: a window has 14 pieces, and must move on\n");
    for option in ["--stride", "--max-length", "--freeze", "--layers", "--hidden"] {
        let error = refused(&[option, "-1"]);
        assert!(error.contains(&format!("invalid value '-1' for '{option} <N>': ")), "{error}");
    }
    let error = refused(&["--freeze", "2", "--layers", "1"]);
    assert_eq!(error, "error: --freeze 2: the encoder has 1 layer\n");
    let error = refused(&["--no-crf", "--crf-lr", "0.1"]);
    assert!(error.contains("--crf-lr"), "{error}");
}

#[test]
fn other_options_that_cannot_work_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for (args, named) in [
        (["--layers", "1", "--keep-head"].as_slice(), "--keep-head: "),
        (&["--hidden", "7"], "--hidden 7: "),
        (&["--layers", "501"], "--layers 501 "),
        (&["--head-lr", "1e308"], "--head-lr 1e308: "),
    ] {
        let output = run(folder.path(), args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with("error: ") && error.contains(named), "{error}");
        assert!(!folder.path().join("runs").exists());
    }
}
