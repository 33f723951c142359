//! A folder of checkpoints as a TensorBoard run.

use std::path::{Path, PathBuf};

use crate::html::{parse, row};
use crate::run::{Folder, SAMPLE, chunkeval};

const PERFECT: &str = "Ada\tB-PER\tB-PER\n\nRome\tB-LOC\tB-LOC\n";

fn make(folder: &Folder, name: &str) -> String {
    let path = folder.path().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

fn event_files(run: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files
}

/// How often a tag stands in an event file, read as TensorBoard's records: a length of eight bytes,
/// four of a checksum, the event, four of a checksum.
fn points(file: &Path, tag: &str) -> usize {
    let bytes = std::fs::read(file).unwrap();
    let (mut at, mut found) = (0, 0);
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let event = &bytes[at + 12..at + 12 + length];
        // In a protobuf a text stands behind its length, and here the value behind the tag.
        let text = [&[tag.len() as u8], tag.as_bytes()].concat();
        let layout = event.windows(21).any(|window| window == b"custom_scalars__confi");
        found += usize::from(!layout && event.windows(text.len()).any(|window| window == text));
        at += 12 + length + 4;
    }
    found
}

#[test]
fn each_file_is_a_point_and_again_replaces_them() {
    let folder = Folder::new();
    let (outputs, run) = (make(&folder, "outputs"), make(&folder, "run"));
    folder.file("outputs/dev-200.tsv", SAMPLE);
    folder.file("outputs/dev-100.tsv", PERFECT);
    folder.file("outputs/test-200.tsv.gz", crate::streams::gzip(PERFECT.as_bytes()));
    folder.file("outputs/.hidden-1", "x");
    let others = folder.file("run/events.out.tfevents.1.box.7.0", "of the training program");
    let args = ["tensorboard", &outputs, "--logdir", &run, "--format", "json"];
    let first = chunkeval(args).json();
    let steps = first["checkpoints"].as_array().unwrap();
    let named =
        |i: usize| (steps[i]["split"].as_str().unwrap(), steps[i]["step"].as_u64().unwrap());
    assert_eq!([named(0), named(1), named(2)], [("dev", 100), ("dev", 200), ("test", 200)]);
    assert_eq!(steps[0]["f1"].as_f64(), Some(1.0));
    assert_eq!(steps[1]["f1"].as_f64(), Some(2.0 * 0.75 * 0.6 / (0.75 + 0.6)));
    let files = event_files(&run);
    assert_eq!(files.len(), 3, "{files:?}");
    let dev = files.iter().find(|f| f.to_str().unwrap().contains(".chunkeval-dev.")).unwrap();
    assert_eq!((points(dev, "dev/f1"), points(dev, "dev/macro/f1")), (2, 2));
    assert_eq!((points(dev, "dev/per_type/LOC/f1"), points(dev, "dev/report")), (2, 2));
    assert_eq!(points(dev, "test/f1"), 0);

    folder.file("outputs/dev-50.tsv", PERFECT);
    chunkeval(args).ok();
    let files = event_files(&run);
    assert_eq!(files.len(), 3, "{files:?}");
    let dev = files.iter().find(|f| f.to_str().unwrap().contains(".chunkeval-dev.")).unwrap();
    assert_eq!(points(dev, "dev/f1"), 3);
    assert_eq!(std::fs::read_to_string(others).unwrap(), "of the training program");
    // A scheme that is detected in the first file is that of all, and no other way of scoring.
    let strict = chunkeval(args.iter().chain(&["--mode", "strict"]));
    assert!(strict.code == 0 && strict.err.starts_with("note: the gold tags are "), "{strict:?}");
    let html = chunkeval(["tensorboard", &outputs, "--logdir", &run, "--format", "html"]).ok();
    assert_eq!(row(&parse(&html), "test")[1..3], ["200", "1.0000"]);
}

#[test]
fn states_and_predictions_without_gold_are_points_too() {
    let folder = Folder::new();
    let (outputs, run) = (make(&folder, "outputs"), make(&folder, "run"));
    let sample = folder.file("sample.tsv", SAMPLE);
    let state = format!("{outputs}/state-100.json");
    chunkeval(["tags", &sample, "--save-state", &state]).ok();
    let args = ["tensorboard", &outputs, "--logdir", &run, "--split", "dev", "--format", "json"];
    let found = chunkeval(args).json();
    assert_eq!(found["checkpoints"][0]["split"], "dev");
    assert_eq!(found["checkpoints"][0]["f1"].as_f64(), Some(2.0 * 0.75 * 0.6 / (0.75 + 0.6)));

    // Of both readings there are points of each.
    let (both, of_both) = (make(&folder, "both"), make(&folder, "run of both"));
    for step in ["1", "2"] {
        let state = format!("{both}/dev-{step}.state");
        chunkeval(["tags", &sample, "--both", "--scheme", "IOB2", "--save-state", &state]).ok();
    }
    let args = ["tensorboard", &both, "--logdir", &of_both, "--format", "json"];
    let rows = chunkeval(args).json();
    assert_eq!(rows["checkpoints"].as_array().unwrap().len(), 4);
    let [lenient, strict] = [0, 1].map(|at| &rows["checkpoints"][at]);
    assert!(lenient["reading"] == "lenient" && strict["reading"] == "IOB2", "{rows}");
    let file = &event_files(&of_both)[0];
    let [lenient, strict] = [lenient, strict].map(|row| row["f1"].as_f64().unwrap() as f32);
    assert_eq!(values(file, "dev/f1"), [lenient; 2]);
    assert_eq!(values(file, "dev/IOB2/f1"), [strict; 2]);
    assert!(lenient > strict && strict > 0.0);

    let predicted = make(&folder, "predicted");
    let gold = folder.file("gold.conll", "Ada\tB-PER\n\nRome\tB-LOC\n");
    folder.file("predicted/7.conll", "Ada\tB-PER\n\nRome\tO\n");
    let args = ["tensorboard", &predicted, "--gold", &gold, "--logdir", &run, "--format", "json"];
    let found = chunkeval(args).json();
    assert_eq!(found["checkpoints"][0]["recall"].as_f64(), Some(0.5));
}

#[test]
fn what_cannot_be_a_point_is_said() {
    let folder = Folder::new();
    let (outputs, run) = (make(&folder, "outputs"), folder.path().join("run"));
    let run = run.to_str().unwrap();
    let go = || chunkeval(["tensorboard", &outputs, "--logdir", run]);
    let empty = go();
    assert_eq!(empty.code, 3);
    assert!(empty.err.contains("there is no checkpoint in it"), "{}", empty.err);
    folder.file("outputs/notes.txt", "x");
    folder.file("outputs/dev-1.tsv", PERFECT);
    let noted = go();
    assert_eq!((noted.code, &*noted.err), (0, "note: no step in the name, left out: notes.txt\n"));
    folder.file("outputs/dev_01.tsv", PERFECT);
    let twice = go();
    assert_eq!(twice.code, 3);
    assert!(twice.err.contains("are both step 1 of dev"), "{}", twice.err);
    std::fs::remove_file(folder.path().join("outputs/dev_01.tsv")).unwrap();
    let before = event_files(run);
    folder.file("outputs/dev-2.tsv", "a\tB-PER\n");
    assert_eq!(go().code, 3);
    assert_eq!(event_files(run), before); // nothing was written
    let json = r#"{"label": {"PER": ["Ada"]}, "output": "{}"}"#;
    folder.file("outputs/dev-2.tsv", json);
    let answers = go();
    let reason = "outputs/dev-2.tsv is of answers, and outputs/dev-1.tsv is of tags\nhint:";
    assert_eq!(answers.code, 5);
    assert!(folder.short(&answers.err).contains(reason), "{}", answers.err);
    assert_eq!(event_files(run), before);
    // Two kinds are named with a file of each.
    let (file, state) = (folder.file("a.jsonl", json), format!("{outputs}/dev-2.tsv"));
    chunkeval(["llm", &file, "--save-state", &state]).ok();
    let answers = go();
    assert_eq!(answers.code, 5);
    assert!(folder.short(&answers.err).contains(reason), "{}", answers.err);
    assert_eq!(event_files(run), before);
}

/// Two answers with four entities: one right and one wrong, and one that cannot be read, of a type
/// that is also named with a character that nobody sees.
const ANSWERS: &str = r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{\"PER\": [\"Ada\"], \"LOC\": [\"Oslo\"], \"P\u200bER\": []}"}
{"text": "Bo in Bonn", "gold": {"PER": ["Bo"], "LOC": ["Bonn"]}, "prediction": "no"}
"#;

/// The value of a scalar at each step that an event file has it at, in the file's order.
fn values(file: &Path, tag: &str) -> Vec<f32> {
    let bytes = std::fs::read(file).unwrap();
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let event = &bytes[at + 12..at + 12 + length];
        // Behind the tag stands its simple value: a key of a byte, a little-endian float.
        let text = [&[tag.len() as u8], tag.as_bytes(), &[0x15]].concat();
        let start = event.windows(text.len()).position(|window| window == text);
        found.extend(start.map(|start| {
            let value = &event[start + text.len()..][..4];
            f32::from_le_bytes(value.try_into().unwrap())
        }));
        at += 12 + length + 4;
    }
    found
}

#[test]
fn states_of_answers_are_points_of_each_reading_and_treatment() {
    let folder = Folder::new();
    let (states, run) = (make(&folder, "states"), make(&folder, "run"));
    let answers = folder.file("answers.jsonl", ANSWERS);
    let better =
        folder.file("better.jsonl", ANSWERS.replace("\"no\"", "\"{\\\"PER\\\": [\\\"Bo\\\"]}\""));
    let score = |file: &str, name: &str, more: &[&str]| {
        let state = format!("{states}/{name}");
        let args = ["llm", file, "--preset", "plain", "--save-state", &state];
        chunkeval(args.iter().chain(more)).ok();
    };
    score(&answers, "dev-100.state", &["--both"]);
    score(&better, "dev-200.state", &["--both"]);
    score(&better, "test-200.state", &["--on-unreadable", "skip"]);
    let args = ["tensorboard", &states, "--logdir", &run, "--format", "json"];
    let found = chunkeval(args).json();
    let rows: Vec<String> = found["checkpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            let names = ["split", "reading", "treatment"].map(text).join(" ");
            format!("{names} {} {}", row["step"], row["recall"])
        })
        .collect();
    assert_eq!(
        rows,
        [
            "dev lenient count_as_empty 100 0.25",
            "dev lenient skip 100 0.5",
            "dev strict count_as_empty 100 0.25",
            "dev strict skip 100 0.5",
            "dev lenient count_as_empty 200 0.5",
            "dev lenient skip 200 0.5",
            "dev strict count_as_empty 200 0.5",
            "dev strict skip 200 0.5",
            "test lenient skip 200 0.5",
        ]
    );
    let files = event_files(&run);
    let [dev, test] = ["dev", "test"].map(|split| {
        let name = format!(".chunkeval-{split}.");
        files.iter().find(|file| file.to_str().unwrap().contains(&name)).unwrap()
    });
    // Of PER, LOC and the type that looks like PER, which has no entity and so no score of its own.
    for reading in ["lenient", "strict"] {
        let is = |tag: &str, expected: [f32; 2]| {
            assert_eq!(values(dev, &format!("dev/{reading}/{tag}")), expected, "{tag}");
        };
        is("count_as_empty/recall", [0.25, 0.5]);
        is("count_as_empty/precision", [0.5, 2.0 / 3.0]);
        is("count_as_empty/macro/recall", [0.25, 0.5]);
        is("count_as_empty/macro/f1", [1.0 / 3.0, 0.5]);
        is("count_as_empty/macro_f1", [2.0 / 9.0, 1.0 / 3.0]); // as published, over three types
        is("count_as_empty/per_type/PER/recall", [0.5, 1.0]);
        is("skip/recall", [0.5, 0.5]);
        is("skip/per_type/LOC/f1", [0.0, 0.0]);
        is("unreadable", [0.5, 0.0]);
        is("health/unreadable", [1.0, 0.0]);
        is("health/invented", [1.0, 1.0]);
        is("health/clean", [1.0, 2.0]);
        assert_eq!(points(dev, &format!("dev/{reading}/skip/report")), 2);
    }
    assert_eq!(values(test, "test/lenient/skip/recall"), [0.5]);
    assert_eq!(points(test, "test/lenient/count_as_empty/recall"), 0);
    // The charts of types name the one with a hidden character, spelled out.
    let bytes = std::fs::read(dev).unwrap();
    let chart = r"^dev/lenient/skip/per_type/P\\u\{200b\}ER/f1$";
    assert!(bytes.windows(chart.len()).any(|window| window == chart.as_bytes()));

    let gold = chunkeval(args.iter().chain(&["--gold", &answers]));
    assert_eq!(gold.code, 2);
    assert!(gold.err.contains("the folder has answers"), "{}", gold.err);

    // Points of a curve that were scored in other ways are refused, by file.
    score(&better, "dev-300.state", &["--match", "multiset"]);
    let mixed = chunkeval(args);
    assert_eq!(mixed.code, 5);
    let reason = "error: states/dev-100.state and states/dev-300.state were scored in different \
                  ways: matching set and multiset\nhint: ";
    assert!(folder.short(&mixed.err).starts_with(reason), "{}", mixed.err);
    assert_eq!(event_files(&run), files);
}

/// The points of a file of answers are those of its state, with the options of `chunkeval llm`.
#[test]
fn files_of_answers_are_points_as_their_states_are() {
    let folder = Folder::new();
    let better = ANSWERS.replace("\"no\"", "\"{\\\"PER\\\": [\\\"Bo\\\"]}\"");
    let files =
        [("dev-100.jsonl", ANSWERS), ("dev-200.json", &better), ("test-200.jsonl.gz", &better)];
    for options in [
        &[][..],
        &["--both", "--schema-types", "--match", "multiset"],
        &["--strict", "--on-unreadable", "skip", "--preset", "plain", "--threads", "2"],
        &["--normalise", "case", "--gold-field", "gold", "--answer-field", "prediction"],
    ] {
        let number = options.len();
        let [answers, states] =
            ["answers", "states"].map(|name| make(&folder, &format!("{name}{number}")));
        let runs = [make(&folder, &format!("a{number}")), make(&folder, &format!("s{number}"))];
        for (name, text) in files {
            let path = format!("answers{number}/{name}");
            let file = match name.ends_with(".gz") {
                true => folder.file(&path, crate::streams::gzip(text.as_bytes())),
                false => folder.file(&path, text),
            };
            let state = format!("{states}/{}", name.split('.').next().unwrap());
            let args = ["llm", &file, "--save-state", &state];
            assert_eq!(chunkeval(args.iter().chain(options)).code, 0);
        }
        let table = |from: &str, run: &str, options: &[&str]| {
            let args = ["tensorboard", from, "--logdir", run, "--format", "json"];
            let ran = chunkeval(args.iter().chain(options));
            let mut found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            let rows = found["checkpoints"].as_array_mut().unwrap();
            rows.iter_mut().for_each(|row| row["file"] = serde_json::Value::Null);
            (found["checkpoints"].clone(), ran.err)
        };
        let (of_files, note) = table(&answers, &runs[0], options);
        let (of_states, silent) = table(&states, &runs[1], &[]);
        assert_eq!(of_files, of_states, "{options:?}");
        // The form that all have is told once.
        let found = match options.contains(&"--preset") {
            true => "",
            false => "note: read as --preset plain\n",
        };
        assert_eq!((&*note, &*silent), (found, ""), "{options:?}");
        for (of_file, of_state) in event_files(&runs[0]).iter().zip(event_files(&runs[1])) {
            for tag in [
                "dev/lenient/count_as_empty/recall",
                "dev/lenient/health/unreadable",
                "dev/strict/skip/f1",
            ] {
                assert_eq!(values(of_file, tag), values(&of_state, tag), "{tag} {options:?}");
            }
        }
    }
    // A state may stand beside; nothing is written where a line cannot be used.
    let (answers, run) = (folder.path().join("answers0"), make(&folder, "run"));
    let answers = answers.to_str().unwrap();
    std::fs::copy(folder.path().join("states0/dev-200"), format!("{answers}/dev-300.state"))
        .unwrap();
    let go = |more: &[&str]| {
        let args = ["tensorboard", answers, "--logdir", &run, "--format", "json"];
        let ran = chunkeval(args.iter().chain(more));
        (ran.code, folder.short(&ran.err), ran.out)
    };
    let (code, _, out) = go(&[]);
    assert!(code == 0 && out.contains("dev-300.state"), "{out}");
    let before = event_files(&run);
    let (code, err, _) = go(&["--match", "grounded"]);
    assert_eq!(code, 5);
    assert!(err.contains("were scored in different ways: matching grounded and set"), "{err}");
    folder.file("answers0/dev-400.jsonl", format!("{ANSWERS}{{\"prediction\": \"{{}}\"}}\n"));
    let (code, err, _) = go(&[]);
    assert_eq!(code, 3);
    assert!(
        err.contains("error: answers0/dev-400.jsonl:3:1: field gold: there is none\n"),
        "{err}"
    );
    assert_eq!(event_files(&run), before);

    // Options that are for something else.
    let (states, tags) = (folder.path().join("states0"), make(&folder, "tags"));
    folder.file("tags/dev-1.tsv", PERFECT);
    for (from, option, reason) in [
        (answers, "--suffix", "how tags are read: the folder has answers"),
        (states.to_str().unwrap(), "--strict", "the folder has states alone"),
        (states.to_str().unwrap(), "--schema-types", "the folder has states alone"),
        (&tags, "--both", "the folder has tags, and options of answers are for JSON Lines"),
    ] {
        let ran = chunkeval(["tensorboard", from, "--logdir", &run, option]);
        assert!(ran.code == 2 && ran.err.contains(reason), "{option}: {}", ran.err);
    }
}

#[test]
fn what_is_no_checkpoint_is_told() {
    let folder = Folder::new();
    let (outputs, run) = (make(&folder, "outputs"), make(&folder, "run"));
    let large = folder.file("outputs/dev-99999999999999999999.tsv", PERFECT);
    let score = |from: &str| chunkeval(["tensorboard", from, "--logdir", &run]);
    let none = score(&outputs);
    assert_eq!(none.code, 3);
    let reason = "error: outputs: there is no checkpoint in it: the step of \
                  dev-99999999999999999999.tsv is too large\n";
    assert!(folder.short(&none.err).starts_with(reason), "{}", none.err);
    folder.file("outputs/dev-100.tsv", PERFECT);
    let ran = score(&outputs);
    assert_eq!(ran.code, 0);
    let note = "note: the step in the name is too large, left out: dev-99999999999999999999.tsv\n";
    assert_eq!(ran.err, note);
    let file = score(&large);
    assert_eq!(file.code, 3);
    let reason = "tsv: a file; the folder of the checkpoints is wanted\nhint: a checkpoint's file";
    assert!(file.err.contains(reason), "{}", file.err);
}

#[test]
fn checkpoints_in_folders_of_their_own() {
    let folder = Folder::new();
    let (outputs, run) = (make(&folder, "outputs"), make(&folder, "run"));
    for (name, text) in [("checkpoint-100", SAMPLE), ("checkpoint-200", PERFECT)] {
        make(&folder, &format!("outputs/{name}"));
        folder.file(&format!("outputs/{name}/pred.tsv"), text);
    }
    make(&folder, "outputs/runs");
    make(&folder, "outputs/.cache-7");
    folder.file("outputs/trainer_state.json", "{}");
    let tensorboard = |more: &[&str]| {
        let args = ["tensorboard", &outputs, "--logdir", &run, "--format", "json"];
        let ran = chunkeval(args.iter().chain(more));
        (ran.code, folder.short(&ran.err), ran.out)
    };
    let steps = |out: &str| -> Vec<(String, u64, f64)> {
        let found: serde_json::Value = serde_json::from_str(out).unwrap();
        let rows = found["checkpoints"].as_array().unwrap().iter();
        let step = |row: &serde_json::Value| row["step"].as_u64().unwrap();
        rows.map(|row| (row["split"].to_string(), step(row), row["f1"].as_f64().unwrap())).collect()
    };
    let f1 = 2.0 * 0.75 * 0.6 / (0.75 + 0.6);
    let expected = |split: &str| [(split.to_owned(), 100, f1), (split.to_owned(), 200, 1.0)];
    let (code, err, out) = tensorboard(&[]);
    assert_eq!((code, &*err), (0, "note: no step in the name, left out: trainer_state.json\n"));
    assert_eq!(steps(&out), expected("\"dev\""));

    // Beside other files the result is named.
    folder.file("outputs/checkpoint-200/config.json", "{}");
    folder.file("outputs/checkpoint-200/model.bin", "");
    let (code, err, out) = tensorboard(&[]);
    assert_eq!((code, &*out), (3, ""));
    let reason = "outputs/checkpoint-200: several files: config.json, model.bin, …";
    assert!(err.starts_with(&format!("error: {reason}\nhint: --file NAME says")), "{err}");
    make(&folder, "outputs/checkpoint-300");
    let (code, err, out) = tensorboard(&["--file", "pred.tsv", "--split", "test"]);
    assert_eq!((code, &*err), (0, "note: no result in the folder, left out: checkpoint-300\n"));
    assert_eq!(steps(&out), expected("\"test\""));
    let (code, err, _) = tensorboard(&["--file", "dev.tsv"]);
    let reason = "error: outputs: there is no checkpoint in it: no folder of a step has dev.tsv";
    assert!(code == 3 && err.contains(reason), "{err}");

    // Files with a step are checkpoints by themselves, whatever folders there are.
    folder.file("outputs/dev-300.tsv", PERFECT);
    assert_eq!(steps(&tensorboard(&[]).2), [("\"dev\"".to_owned(), 300, 1.0)]);
}
