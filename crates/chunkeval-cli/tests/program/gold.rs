//! Gold entities in the shapes in which files have them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::run::{Folder, chunkeval};

/// The line with these gold entities, whose answer has all of them.
fn line(gold: &Value) -> String {
    let answer = r#"{"PER": ["Zoë"], "LOC": ["Rome"]}"#;
    json!({"text": "Zoë saw Rome", "gold": gold, "prediction": answer}).to_string() + "\n"
}

#[test]
fn gold_entities_have_the_names_that_answers_use() {
    let folder = Folder::new();
    let shapes = [
        json!([{"text": "Zoë", "label": "PER"}, {"text": "Rome", "type": "LOC"}]),
        json!([{"entity": "Zoë", "type": "PER"}, {"name": "Rome", "type": "LOC"}]),
        json!([{"start": 0, "end": 3, "label": "PER"}, {"start": 8, "end": 12, "label": "LOC"}]),
        json!([["Zoë", "PER"], ["Rome", "LOC"]]),
        json!([["PER", "Zoë"], ["LOC", "Rome"]]),
    ];
    let file = folder.file("shapes", shapes.iter().map(line).collect::<String>());
    let labels = folder.path().join("labels").display().to_string();
    let args = ["llm", &file, "--preset", "plain", "--format", "json", "--write-labels", &labels];
    let found = chunkeval(args).json();
    let micro = &found["scores"]["averages"]["micro"];
    assert_eq!([&micro["correct"], &micro["support"], &micro["predicted"]], [10, 10, 10]);
    let types = found["scores"]["types"].as_array().map(Vec::len);
    assert!(types.is_none_or(|types| types == 2), "{found}");
    for line in std::fs::read_to_string(&labels).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["extra_label"], json!({"PER": ["Zoë"], "LOC": ["Rome"]}));
    }
    // Two systems are compared on it, too.
    assert_eq!(chunkeval(["compare", &file, &file, "--preset", "plain"]).code, 0);
}

#[test]
fn gold_entities_that_could_mean_two_things_have_hints() {
    let folder = Folder::new();
    for (gold, reason, hint) in [
        (
            json!([["X", "Y"]]),
            "which side of the pairs is the type cannot be told",
            "name the types",
        ),
        (
            json!([["Zoë", "X"], ["X", "Rome"]]),
            "pair 1 of the label has its type",
            "name the types",
        ),
        (
            json!([{"start": 9, "end": 13, "label": "X"}]),
            "stands from 9 to 13",
            "start and end count",
        ),
        (
            json!([{"text": "a", "name": "b", "type": "X"}]),
            "both text and name",
            "gold entities are",
        ),
        (json!([{"text": "a"}]), "item 0 of the label has no entity_type", "gold entities are"),
    ] {
        let file = folder.file("f", line(&gold));
        let ran = chunkeval(["llm", &file, "--preset", "plain"]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        let place = "error: f:1:9: field gold: ";
        assert!(folder.short(&ran.err).starts_with(place), "{}", ran.err);
        assert!(
            ran.err.contains(reason) && ran.err.contains(&format!("\nhint: {hint}")),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_text_full_of_one_name_is_counted_at_once() {
    let folder = Folder::new();
    let names = vec!["Ada"; 50_000];
    let answer = json!({"PER": names}).to_string();
    let record =
        json!({"text": "Ada ".repeat(50_000), "gold": {"PER": names}, "prediction": answer});
    let file = folder.file("many", record.to_string());
    let began = Instant::now();
    let found = chunkeval(["llm", &file, "--preset", "plain", "--format", "json"]).json();
    assert_eq!(found["scores"]["averages"]["micro"]["correct"], 1);
    // Looking for each of them in all of the text took minutes without optimisation.
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}
