//! Every corpus with its expected.json, bit for bit.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::{Folder, chunkeval, corpora, skip};

/// The arguments for a file of an expected.json; `None` if it is not for `tags`.
fn arguments(corpus: &Path, file: &str) -> Option<Vec<String>> {
    let path = |name: &str| corpus.join(name).to_str().unwrap().to_owned();
    Some(match file.split_once('/') {
        Some(("pred", name)) if name.ends_with(".tsv") => vec![path(file)],
        Some(("systems", name)) if name.ends_with(".conll") => {
            vec!["--gold".into(), path("test.conll"), "--pred".into(), path(file)]
        }
        None if file.starts_with("ground_truth") => vec![path(file)],
        _ => return None,
    })
}

fn same(found: &Value, expected: &Value, what: &str) {
    for key in ["precision", "recall", "f1"] {
        let (found, expected) = (found[key].as_f64().unwrap(), expected[key].as_f64().unwrap());
        assert_eq!(found.to_bits(), expected.to_bits(), "{key} of {what}: {found}, {expected}");
    }
    assert_eq!(found["support"], expected["support"], "support of {what}");
}

fn check(result: &Value, expected: &Value, what: &str) {
    let scores = &result["scores"];
    for average in ["micro", "macro", "weighted"] {
        same(&scores["averages"][average], &expected[average], &format!("{average} of {what}"));
    }
    let counts = &expected["counts"];
    let micro = &scores["averages"]["micro"];
    assert_eq!(
        [&micro["support"], &micro["predicted"], &micro["correct"]],
        [&counts["gold"], &counts["pred"], &counts["correct"]],
        "{what}"
    );
    let types = scores["types"].as_array().unwrap();
    let expected = expected["per_type"].as_object().unwrap();
    assert_eq!(types.len(), expected.len(), "types of {what}");
    for row in types {
        let name = row["type"].as_str().unwrap();
        same(row, &expected[name], &format!("{name} of {what}"));
    }
}

#[test]
fn every_expected_json_is_the_answer() {
    let Some(folder) = corpora() else { return };
    let mut files = 0;
    for entry in folder.read_dir().unwrap() {
        let corpus = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(corpus.join("expected.json")) else { continue };
        let expected: Value = serde_json::from_str(&text).unwrap();
        for (file, expected_of_file) in expected["files"].as_object().into_iter().flatten() {
            let Some(arguments) = arguments(&corpus, file) else { continue };
            let what = corpus.join(file).display().to_string();
            let suffix =
                [&expected_of_file["suffix"], &expected["suffix"]].contains(&&Value::Bool(true));
            let run = |more: &[&str]| {
                let style = suffix.then_some("--suffix");
                let given = ["tags", "--format", "json", "--tags", "reference"].into_iter();
                let given = given.chain(style).chain(more.iter().copied());
                chunkeval(given.chain(arguments.iter().map(String::as_str))).json()
            };
            let result = run(&[]);
            check(&result, &expected_of_file["default"], &what);
            assert_eq!(result["token_accuracy"], expected_of_file["token_accuracy"], "{what}");
            let seen = &result["scores"]["diagnostics"];
            assert_eq!(seen["rows"], expected_of_file["sentences"], "{what}");
            assert_eq!(seen["tokens"], expected_of_file["tokens"], "{what}");
            for (scheme, expected) in expected_of_file["strict"].as_object().into_iter().flatten() {
                if expected["micro"].is_object() {
                    check(&run(&["--scheme", scheme]), expected, &format!("{what}, {scheme}"));
                }
            }
            files += 1;
        }
    }
    if files == 0 {
        skip("no corpus has files for tags");
    }
}

/// Gold and predicted tags in files of other layouts.
#[test]
fn other_layouts_give_the_same() {
    let Some(folder) = corpora() else { return };
    let waybill = folder.join("waybill-zh");
    let snips = folder.join("snips-nlu");
    if !waybill.is_dir() || !snips.is_dir() {
        return skip("no waybill-zh or snips-nlu");
    }
    let path = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    let counts = |args: &[&str]| {
        let all = ["tags", "--format", "json"].iter().chain(args);
        chunkeval(all).json()["scores"]["averages"]["micro"].clone()
    };
    let (gold, predicted) = (path(waybill.join("test.txt")), path(waybill.join("pred/crf.tsv")));
    let third = "predictions:gold=3,predicted=none";
    let args = ["--suffix", "--gold", &gold, "--layout", "waybill", "--pred", &predicted];
    let pair = counts(&[&args[..], &["--pred-layout", third]].concat());
    assert_eq!(pair, counts(&["--suffix", &predicted]));
    assert_eq!(pair["support"], 1190);

    // A folder of parallel files with the predicted tags in place of the gold ones.
    let test = snips.join("test");
    let columns = fs::read_to_string(snips.join("pred/crf.tsv")).unwrap();
    let tags = |sentence: &str| {
        let tags: Vec<&str> = sentence.lines().map(|l| l.rsplit('\t').next().unwrap()).collect();
        tags.join(" ") + "\n"
    };
    let made = Folder::new();
    let sentences = columns.split("\n\n").filter(|s| !s.trim().is_empty());
    made.file("seq.out", sentences.map(tags).collect::<String>());
    fs::copy(test.join("seq.in"), made.path().join("seq.in")).unwrap();
    let (gold, predicted) = (path(test), path(made.path().to_owned()));
    let pair = counts(&["--layout", "parallel", "--gold", &gold, "--pred", &predicted]);
    assert_eq!(pair, counts(&[&path(snips.join("pred/crf.tsv"))]));
    assert_eq!(pair["correct"], 1404);
}

/// The text of conlleval is that of the script's own reading of the file.
#[test]
fn conlleval_is_conlleval() {
    let Some(folder) = corpora() else { return };
    let file = folder.join("conlleval-sample/ground_truth.txt");
    let Ok(text) = fs::read(&file) else { return skip("no conlleval-sample") };
    let expected = chunkeval_report::Conlleval::default().run(&*text).unwrap();
    let found = chunkeval(["tags", "--report", "conlleval", file.to_str().unwrap()]).ok();
    assert_eq!(found, String::from_utf8(expected).unwrap());
}
