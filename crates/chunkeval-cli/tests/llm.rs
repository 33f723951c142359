//! `chunkeval llm`: the program itself, on files.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Four answers: right, cut off, a refusal, wrong ones with a type that was not asked for.
const ANSWERS: &str = r#"{"id": "a", "schema": ["PER", "LOC"], "text": "Ada moved to Rome.", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{\"PER\": [\"Ada\"], \"LOC\": [\"Rome\"]}"}
{"id": "b", "schema": ["PER", "LOC"], "text": "Bo left Bonn for Oslo.", "gold": {"PER": ["Bo"], "LOC": ["Bonn", "Oslo"]}, "prediction": "{\"PER\": [\"Bo\"], \"LOC\": [\"Bonn\", \"Os"}
{"id": "c", "schema": ["PER", "LOC"], "text": "Cy is in Kyiv.", "gold": {"PER": ["Cy"], "LOC": ["Kyiv"]}, "prediction": "I cannot help with that."}
{"id": "d", "schema": ["PER", "LOC"], "text": "Di met Ed.", "gold": {"PER": ["Di", "Ed"]}, "prediction": "{'PER': ['Di', 'Eda'], 'DATE': ['today']}"}
"#;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

fn chunkeval(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chunkeval"));
    command.arg("llm").args(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = chunkeval(&[args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", err(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A few hundred answers with repeats, other spellings, numbers and some that cannot be read.
fn many_answers() -> String {
    let mut seed = 7_u64;
    let mut next = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let words = ["Ada", "ada", "Rome", "Roma", "Bo", "北京", "北京大学", "New York", "new york"];
    let mut lines = String::new();
    for _ in 0..300 {
        let mut words = |n: u64| -> Vec<&str> {
            let n = next(n);
            (0..n).map(|_| words[next(words.len() as u64) as usize]).collect()
        };
        let text = words(12).join(" ");
        let gold = json!({"PER": words(5), "LOC": words(5)});
        let mut answer = json!({"PER": words(5), "LOC": words(5), "ORG": words(3)});
        let number = next(3);
        (0..number).for_each(|n| answer["LOC"].as_array_mut().unwrap().push(json!(n)));
        let answer = if next(9) == 0 { "no".to_owned() } else { answer.to_string() };
        lines += &json!({"text": text, "gold": gold, "prediction": answer}).to_string();
        lines.push('\n');
    }
    lines
}

#[test]
fn errors_and_types_add_up_to_the_scores_in_every_matching() {
    let folder = folder();
    let path = file(folder.path(), "many.jsonl", many_answers());
    let common = [path.to_str().unwrap(), "--preset", "plain", "--errors", "1", "--by", "type"];
    let mut found = Vec::new();
    for matching in ["set", "multiset", "grounded"] {
        for more in [["--normalise", "none"].as_slice(), &["--normalise", "all", "--strict"]] {
            let report = json(&[&common, ["--match", matching].as_slice(), more].concat());
            let scores = &report["scores_skip"];
            let n = |value: &Value| value.as_u64().unwrap();
            for of_type in scores["types"].as_array().unwrap() {
                let pairs = report["by_type"].as_array().unwrap().iter();
                let is = |side: &Value| *side == of_type["type"];
                let sum = |holds: &dyn Fn(&Value) -> bool| -> u64 {
                    pairs.clone().filter(|pair| holds(pair)).map(|pair| n(&pair["entities"])).sum()
                };
                let sums = [sum(&|pair| is(&pair["gold"])), sum(&|pair| is(&pair["predicted"]))];
                let counts = ["support", "predicted"].map(|name| n(&of_type[name]));
                assert_eq!(sums, counts, "{matching} {more:?} {of_type}");
            }
            let errors = |names: [&str; 3]| -> u64 {
                let all = report["errors_by_kind"].as_array().unwrap().iter();
                let those = all.filter(|row| names.contains(&row["error"].as_str().unwrap()));
                those.map(|row| n(&row["count"])).sum()
            };
            let micro = &scores["averages"]["micro"];
            let [gold, predicted, correct] =
                ["support", "predicted", "correct"].map(|name| n(&micro[name]));
            assert!(correct > 50, "{micro}");
            assert_eq!(errors(["other type", "near", "missed"]), gold - correct, "{matching}");
            assert_eq!(
                errors(["other type", "near", "spurious"]),
                predicted - correct,
                "{matching}"
            );
            found.push((gold, predicted, correct));
        }
    }
    assert!(found[0] != found[2] && found[2] != found[4], "{found:?}");
}

#[test]
fn the_sample_of_the_readme() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sample/answers.jsonl");
    let found = json(&[path]);
    let f1 = |name: &str| found[name]["averages"]["micro"]["f1"].as_f64().unwrap();
    // 17 gold, 19 predicted and 16 correct in the answers that could be read, 20 gold in all
    let (skip, empty) = (f1("scores_skip"), f1("scores"));
    assert_eq!((skip, empty), (2.0 * 16.0 / 36.0, 2.0 * 16.0 / 39.0));

    let page = out(&chunkeval(&[path, "--format", "html"]));
    assert!(page.contains(">8 answers.<") && page.contains(">7 answers.<"), "{page}");
    assert!(page.contains("line 5 (id zh-5)"), "{page}");
}

#[test]
fn the_scores_of_the_guide() {
    let folder = folder();
    let path = file(folder.path(), "answers.jsonl", ANSWERS);
    let path = path.to_str().unwrap();
    let found = json(&[path, "--preset", "plain", "--both", "--schema-types"]);
    let counts = |name: &str| {
        let micro = &found[name]["averages"]["micro"];
        ["correct", "predicted", "support"].map(|key| micro[key].as_u64().unwrap())
    };
    assert_eq!(counts("scores"), [5, 7, 9]);
    assert_eq!(counts("scores_skip"), [5, 7, 7]);
    assert_eq!(counts("scores_schema_types_only"), [5, 6, 7]);
    assert_eq!(counts("scores_schema_types_count_as_empty"), [5, 6, 9]);
    assert_eq!(counts("scores_strict_skip"), [3, 5, 4]);
    assert_eq!(counts("scores_strict_count_as_empty"), [3, 5, 9]);
    assert_eq!(found["unreadable"], json!({"answers": 1, "first": [{"line": 3, "id": "c"}]}));
    assert_eq!(found["unreadable_strict"]["answers"], 2);
    assert_eq!(found["schema"]["unknown_types"], 1);
    let repairs = json!([
        {"answers": 1, "repairs": 1, "kind": "truncated", "what": "the answer ends before its last bracket"},
        {"answers": 1, "repairs": 5, "kind": "quotes", "what": "quotes other than \""},
    ]);
    assert_eq!(found["repairs"], repairs);

    let skip = json(&[path, "--preset", "plain", "--on-unreadable", "skip", "--strict"]);
    assert_eq!(skip["scores"]["averages"]["micro"]["support"], 4);
    let table = out(&chunkeval(&[path, "--preset", "plain"]));
    assert!(table.contains("1 of 4 answers could not be read"), "{table}");
    assert!(table.contains("line 3 (id c)"), "{table}");
    assert!(table.contains("1        5  quotes"), "{table}");
}

#[test]
fn threads_and_packing_do_not_show() {
    let folder = folder();
    let mut many = String::new();
    for _ in 0..700 {
        many += ANSWERS;
    }
    let plain = file(folder.path(), "many.jsonl", &many);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(many.as_bytes()).unwrap();
    let packed = file(folder.path(), "many.jsonl.gz", packed.finish().unwrap());
    let options = ["--preset", "plain", "--errors", "3", "--ci", "--resamples", "50"];
    let run = |path: &Path, threads: &str| {
        json(&[&[path.to_str().unwrap(), "--threads", threads], &options[..]].concat())
    };
    let one = run(&plain, "1");
    assert_eq!(one["scores"]["averages"]["micro"]["support"], 9 * 700);
    assert_eq!(one, run(&plain, "4"));
    assert_eq!(one, run(&packed, "2"));
}

#[test]
fn errors_are_listed_with_their_lines() {
    let folder = folder();
    let path = file(folder.path(), "answers.jsonl", ANSWERS);
    let table = out(&chunkeval(&[path.to_str().unwrap(), "--preset", "plain", "--errors", "5"]));
    for text in ["PER Eda", "DATE today", "LOC Oslo", "no object or list found", "near"] {
        assert!(table.contains(text), "{text}: {table}");
    }
}

#[test]
fn lines_are_converted() {
    let folder = folder();
    let line = r#"{"label": "[{'entity': '美', 'entity_type': 'LOC'}]", "output": "{}"}"#;
    let path = file(folder.path(), "answers.jsonl", format!("{line}\n\n{line}\n"));
    let to = folder.path().join("labels.jsonl");
    let args = [path.to_str().unwrap(), "--write-labels", to.to_str().unwrap()];
    assert!(chunkeval(&args).status.success());
    let object = line.strip_suffix('}').unwrap();
    let expected = format!("{object}, \"extra_label\": {{\"LOC\":[\"美\"]}}}}\n").repeat(2);
    assert_eq!(fs::read_to_string(&to).unwrap(), expected);
    // It is not written over.
    let again = chunkeval(&args);
    assert_eq!(again.status.code(), Some(4), "{}", err(&again));
}

#[test]
fn lines_that_cannot_be_used_stop_the_run_or_are_listed() {
    let folder = folder();
    let path = file(folder.path(), "bad.jsonl", format!("{ANSWERS}{{\"prediction\": 1}}\nno\n"));
    let path = path.to_str().unwrap();
    let stopped = chunkeval(&[path, "--preset", "plain"]);
    assert_eq!(stopped.status.code(), Some(3));
    assert!(
        err(&stopped).contains("bad.jsonl:5:1: field gold: there is none"),
        "{}",
        err(&stopped)
    );
    assert!(err(&stopped).contains("hint: "), "{}", err(&stopped));
    assert_eq!(out(&stopped), "");

    let went_on = chunkeval(&[path, "--preset", "plain", "--keep-going", "--format", "json"]);
    assert_eq!(went_on.status.code(), Some(3));
    assert!(err(&went_on).contains("2 lines were left out"), "{}", err(&went_on));
    let found: Value = serde_json::from_slice(&went_on.stdout).unwrap();
    assert_eq!(found["records"]["records"], 4);
    assert_eq!(found["left_out"]["first"][1]["line"], 6);
}

#[test]
fn lines_that_could_mean_two_things_are_refused() {
    let folder = folder();
    let message = |line: &str| {
        let path = file(folder.path(), "f.jsonl", line);
        let output = chunkeval(&[path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(3), "{line}");
        err(&output).replace(&format!("{}/", folder.path().display()), "")
    };
    let twice = message(r#"{"label": [], "output": "a", "output": "b"}"#);
    let reason = "f.jsonl:1:40: field output: it stands in the line twice, first at column 25";
    assert!(twice.starts_with(&format!("error: {reason}\nhint: ")), "{twice}");
    let types = message(r#"{"label": {"PER": ["a"], "PER": []}, "output": ""}"#);
    let reason = "f.jsonl:1:11: field label: the type \"PER\" stands there twice";
    assert!(types.starts_with(&format!("error: {reason}\nhint: put all")), "{types}");
    let null = message(r#"{"label": null, "output": ""}"#);
    assert!(null.contains("the label is null") && null.contains("hint: a line without"), "{null}");
    let shape = message(r#"{"label": ["Ada"], "output": ""}"#);
    assert!(shape.contains("hint: gold entities are a list of {entity, entity_type}"), "{shape}");
    // A folder is none of that.
    let output = chunkeval(&[folder.path().to_str().unwrap()]);
    assert!(err(&output).ends_with("is a folder\nhint: name a file in it\n"), "{}", err(&output));
}

#[test]
fn blank_gold_entities_are_told() {
    let folder = folder();
    let line = r#"{"label": {"PER": ["Ada ", " "]}, "output": "{'PER': ['Ada ', ' ']}"}"#;
    let path = file(folder.path(), "f.jsonl", line);
    let path = path.to_str().unwrap();
    let found = json(&[path, "--both"]);
    assert_eq!(found["blank_gold"], 1);
    let counts = |name: &str| {
        let micro = &found[name]["averages"]["micro"];
        ["correct", "predicted", "support"].map(|key| micro[key].as_u64().unwrap())
    };
    assert_eq!(counts("scores"), [1, 1, 1]);
    assert_eq!(counts("scores_strict_skip"), [2, 2, 2]);
    let table = out(&chunkeval(&[path, "--errors", "1"]));
    assert!(table.contains("1 of 2 gold entities is blank"), "{table}");
    assert!(!table.contains("PER Ada"), "no error of space alone is listed: {table}");
}

#[test]
fn the_help_and_the_signature_say_what_is_there() {
    let help = out(&chunkeval(&["--help"]));
    for shape in [
        "[{\"entity\": \"Ada\", \"entity_type\": \"PER\"}]",
        "{\"PER\": [\"Ada\"]",
        "[[\"Ada\", \"PER\"]]",
    ] {
        assert!(help.contains(shape), "{shape}: {help}");
    }
    let folder = folder();
    let path = file(folder.path(), "answers.jsonl", ANSWERS);
    let found = json(&[path.to_str().unwrap(), "--preset", "plain"]);
    let signature = found["scores"]["signature"].as_str().unwrap();
    let averages = found["scores"]["averages"].as_object().unwrap();
    assert!(signature.contains("|average:micro+macro+weighted|"), "{signature}");
    assert!(["micro", "macro", "weighted"].iter().all(|name| averages.contains_key(*name)));
}

#[test]
fn odd_input_is_named() {
    let folder = folder();
    let code = |path: &Path, text: &str| {
        let output = chunkeval(&[path.to_str().unwrap(), "--preset", "plain"]);
        assert!(err(&output).contains(text), "{text}: {}", err(&output));
        output.status.code()
    };
    assert_eq!(code(&file(folder.path(), "empty", ""), "there are no records"), Some(3));
    assert_eq!(code(&file(folder.path(), "blank", "\n \n"), "there are no records"), Some(3));
    assert_eq!(code(folder.path(), "is a folder"), Some(4));
    assert_eq!(code(&folder.path().join("none"), "cannot read"), Some(4));
    assert_eq!(code(&file(folder.path(), "nul", "{\"a\0\"}"), "nul:1:4: no JSON object"), Some(3));
    assert_eq!(
        code(&file(folder.path(), "utf8", b"{\"a\": \"\xFF\"}"), "utf8:1:8: invalid UTF-8"),
        Some(3)
    );
    // A mark, line ends of Windows, and a long line are nothing odd.
    let long = ANSWERS.replace("I cannot", &"x".repeat(50 << 20));
    let windows = format!("\u{feff}{}", long.replace('\n', "\r\n"));
    assert_eq!(code(&file(folder.path(), "windows", windows), ""), Some(0));
}

/// The real answers, if they are there.
#[test]
fn real_answers_equal_their_expected_json() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("CHUNKEVAL_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("llm-ner-zh");
    let Ok(expected) = fs::read(folder.join("expected.json")) else {
        assert!(std::env::var_os("CI").is_none(), "no {}", folder.display());
        return;
    };
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    for (name, expected) in expected["files"].as_object().unwrap() {
        for reading in [&[][..], &["--strict"]] {
            let path = folder.join(name);
            let found = json(&[&[path.to_str().unwrap()], reading].concat());
            for row in found["scores"]["types"].as_array().unwrap() {
                let expected = &expected["per_type"][row["type"].as_str().unwrap()];
                // The published F1 is 2c / (p + g), which rounds once less.
                let f1 = [&row["f1"], &expected["f1"]].map(|f1| f1.as_f64().unwrap());
                assert!((f1[0] - f1[1]).abs() < 1e-15, "{f1:?}");
                assert_eq!(
                    [&row["correct"], &row["predicted"], &row["support"]],
                    [&expected["correct"], &expected["pred"], &expected["gold"]]
                );
            }
            assert_eq!(found["records"]["records"], expected["records"]);
        }
    }
}
