//! The keys of JSON: those of each reading, and that all of them are explained.

use std::collections::BTreeSet;
use std::path::Path;

use chunkeval_llm::Treatment;
use serde_json::Value;

use crate::run::{Folder, SAMPLE, chunkeval};

const ANSWERS: &str = include_str!("../../../../docs/sample/answers.jsonl");

/// The JSON of a run, which may have left lines out.
fn json<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Value {
    let ran = chunkeval(args);
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.err))
}

#[test]
fn every_table_of_the_second_reading_has_the_name_of_its_scheme() {
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE.repeat(20));
    let all = ["--ci", "--resamples", "20", "--by", "length,type", "--errors", "2"];
    let all = [&all[..], &["--format", "json"]].concat();
    let found = |more: &[&str]| json([&["tags", &file], &all[..], more].concat());
    let (lenient, strict) = (found(&[]), found(&["--scheme", "IOB2"]));
    for (scheme, more) in [("IOB2", &["--scheme", "IOB2"][..]), ("IOB2", &[])] {
        let both = found(&[&["--both"], more].concat());
        let of_errors = ["by_type", "errors_by_kind", "errors"].into_iter();
        let keys = ["scores", "intervals", "intervals_signature", "by_length"].into_iter();
        for key in keys.chain(of_errors) {
            assert_eq!(both[key], lenient[key], "{key}");
            let (second, mut alone) =
                (both[format!("{key}_{scheme}")].clone(), strict[key].clone());
            if key == "scores" && more.is_empty() {
                alone["signature"] = second["signature"].clone(); // says that it was detected
            }
            assert_eq!(second, alone, "{key}");
            assert_ne!(second, both[key], "{key}");
        }
        assert!(both.as_object().unwrap().keys().all(|key| !key.contains("strict")), "{both}");
    }
    // Answers have a signature of each of their tables' intervals, too.
    let file = folder.file("answers.jsonl", ANSWERS);
    let found = json(["llm", &file, "--both", "--ci", "--resamples", "20", "--format", "json"]);
    for (end, reading, unreadable) in [
        ("", "lenient", "empty"),
        ("_skip", "lenient", "skip"),
        ("_strict_skip", "strict", "skip"),
        ("_strict_count_as_empty", "strict", "empty"),
    ] {
        let signature = found[format!("intervals_signature{end}")].as_str().unwrap();
        for entry in [format!("|reading:{reading}|"), format!("|unreadable:{unreadable}|")] {
            assert!(signature.contains(&entry), "{signature}");
        }
        assert!(signature.contains("|resamples:20|"), "{signature}");
    }
}

/// A kind of error has one name, wherever it is counted.
#[test]
fn errors_by_type_have_the_names_of_errors_by_kind() {
    let folder = Folder::new();
    let args = ["--by", "type", "--errors", "9", "--format", "json"];
    let found = json([&["tags", &*folder.file("f", SAMPLE)], &args[..]].concat());
    let kinds = found["errors_by_kind"].as_array().unwrap().iter();
    let kinds: BTreeSet<&str> = kinds.map(|row| row["error"].as_str().unwrap()).collect();
    for row in found["by_type"].as_array().unwrap() {
        let columns = row.as_object().unwrap().keys().map(String::as_str);
        let others = ["type", "gold", "predicted", "correct"];
        assert_eq!(columns.filter(|name| !others.contains(name)).collect::<BTreeSet<_>>(), kinds);
    }
    assert!(
        found["errors"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| { kinds.contains(row["error"].as_str().unwrap()) })
    );
}

/// All keys of a value, those within lists and objects, too.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            keys(value, found);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_explained() {
    let folder = Folder::new();
    let tags = folder.file("pred-100.tsv", SAMPLE.to_owned() + "\na b c d\n");
    let good = folder.file("good.tsv", SAMPLE);
    let lines = ANSWERS.to_owned() + "{\"label\": {\"PER\": [\"\"]}}\nno\n";
    let answers = folder.file("answers.jsonl", lines.repeat(2));
    let whole = folder.file("whole.jsonl", ANSWERS);
    let in_folder = |name: &str| folder.path().join(name).display().to_string();
    let [one, other] = [in_folder("1.state"), in_folder("2.state")];
    let everything = ["--ci", "--by", "length", "--by", "type", "--errors", "1", "--both"];
    let of_tags = ["tags", &tags, "--keep-going", "--save-state", &one];
    let of_answers = ["llm", &answers, "--keep-going", "--check-ids", "--save-state", &other];
    let with = |args: &[&str]| json([args, &everything, &["--format", "json"]].concat());
    let mut found = BTreeSet::new();
    let mut add = |value: &Value| keys(value, &mut found);
    add(&with(&of_tags));
    let ids = with(&of_answers);
    assert!(ids["repeated_ids"]["lines"].as_u64().unwrap() > 0, "{ids}");
    add(&ids);
    add(&with(&["llm", &whole, "--match", "grounded", "--schema-types"]));
    let apart = folder.file("apart.tsv", "a\tB-X\tB-Y\n");
    add(&json(["tags", &apart, "--format", "json"]));
    for state in [&one, &other] {
        let copy = folder.file("copy", std::fs::read(state).unwrap());
        add(&json(["merge", state, &copy, "--format", "json"]));
    }
    add(&json(["compare", &tags, &tags, "--keep-going", "--format", "json"]));
    add(&json(["compare", &whole, &whole, "--both", "--format", "json"]));
    add(&json(["compare", &answers, &answers, "--keep-going", "--format", "json"]));
    let result = folder.file("result.json", chunkeval(["tags", &good, "--format", "json"]).ok());
    add(&json(["gate", &result, "--min", "f1=0", "--format", "json"]));
    let checkpoints = folder.path().join("run");
    std::fs::create_dir(&checkpoints).unwrap();
    std::fs::copy(&good, checkpoints.join("pred-100.tsv")).unwrap();
    let logs = in_folder("logs");
    add(&json(["tensorboard", &*in_folder("run"), "--logdir", &logs, "--format", "json"]));

    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let page = std::fs::read_to_string(page).unwrap();
    let told: BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    // As the page says: other tables end with their readings, and intervals are three fields.
    let ends = ["_IOB2", "_strict", "_low", "_high"].map(str::to_owned).into_iter();
    let ends: Vec<String> =
        Treatment::ALL.iter().rev().map(|how| format!("_{how}")).chain(ends).collect();
    let is_told = |key: &str| {
        let mut key = key;
        while !told.contains(key) {
            match ends.iter().find_map(|end| key.strip_suffix(&**end)) {
                Some(rest) => key = rest,
                None => return false,
            }
        }
        true
    };
    let untold: Vec<&String> = found.iter().filter(|key| !is_told(key)).collect();
    assert!(untold.is_empty(), "docs/json.md does not explain {untold:?}");
    assert!(found.len() > 100, "{}", found.len());
}
