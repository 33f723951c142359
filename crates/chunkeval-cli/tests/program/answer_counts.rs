//! Counts beside the scores of answers, and which score to report.

use serde_json::json;

use crate::run::{Folder, chunkeval};

const LINE: &str = r#"{"text": "Ada met Ada and Bo in Rome", "gold": {"PER": ["Ada", "Bo"], "LOC": ["Rome"]}, "prediction": "{'PER': ['Ada', 'Cy', 'Cy'], 'LOC': ['Rome']}"}"#;

#[test]
fn grounded_ambiguous_and_invented_entities_are_counted_apart() {
    let folder = Folder::new();
    let file = folder.file("f", [LINE, LINE].join("\n"));
    let llm = ["llm", &file, "--preset", "plain"];
    let grounded = ["--match", "grounded", "--both"];
    let found = chunkeval(llm.iter().chain(&grounded).chain(&["--format", "json"])).json();
    let expected =
        json!({"listed": 8, "repeated": 2, "grounded": 2, "ambiguous": 2, "invented": 4});
    assert_eq!(found["mentions"], expected);
    let row = |reading: &str| {
        json!({"reading": reading, "entities": 8, "grounded": 2, "ambiguous": 2, "invented": 4,
               "repeated": 2})
    };
    assert_eq!(found["grounding"], json!([row("strict"), row("lenient")]));
    let text = chunkeval(llm.iter().chain(&grounded)).ok();
    let table = "
Entities of the answers in the texts
reading  entities  grounded  ambiguous  invented  repeated
──────────────────────────────────────────────────────────
strict          8         2          2         4         2
lenient         8         2          2         4         2
grounded: their place is known; ambiguous: ";
    assert!(text.contains(table), "{text}");
    let html = chunkeval(llm.iter().chain(&grounded).chain(&["--format", "html"])).ok();
    assert!(html.contains("of them more often in the text than listed"), "{html}");
    // Where nothing was looked for, nothing was found or not.
    let found = chunkeval(llm.iter().chain(&["--format", "json"])).json();
    assert_eq!(found["mentions"], json!({"listed": 8, "repeated": 2, "invented": 4}));
    assert_eq!(found.get("grounding"), None);
    let html = chunkeval(llm.iter().chain(&["--format", "html"])).ok();
    assert!(!html.contains("of them more often"), "{html}");
    // Parts have them, too.
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    chunkeval(llm.iter().chain(&grounded).chain(&["--save-state", &state])).ok();
    let merged = chunkeval(["merge", &state, "--format", "json"]).json();
    assert_eq!(merged["mentions"], expected);
}

#[test]
fn the_page_ends_with_the_score_to_report() {
    let folder = Folder::new();
    let unread = r#"{"text": "Di", "gold": {"PER": ["Di"]}, "prediction": "no idea"}"#;
    let file = folder.file("f", [LINE, unread].join("\n"));
    let last = |more: &[&str]| {
        let text = chunkeval(["llm", &file, "--preset", "plain"].iter().chain(more)).ok();
        text.lines().last().unwrap().to_owned()
    };
    // 4 gold entities, 3 predicted in two answers, 2 right.
    let report = "Report micro F1 0.5714 (P 0.6667, R 0.5000; lenient reading, 1 of 2 unreadable, \
                  counted as empty), and its signature; why, and what the others hide: \
                  chunkeval guide llm.";
    for more in [&[][..], &["--both", "--ci"], &["--errors", "2", "--by", "length,type"]] {
        assert_eq!(last(more), report, "{more:?}");
    }
    for more in [&["--strict"][..], &["--on-unreadable", "skip"]] {
        assert!(last(more).starts_with("These scores are for comparison"), "{more:?}");
    }
    let html = chunkeval(["llm", &file, "--preset", "plain", "--format", "html"]).ok();
    assert!(html.contains("Report micro F1 0.5714"), "{html}");
}

#[test]
fn lines_that_were_left_out_are_called_lines() {
    let folder = Folder::new();
    let file = folder.file("f", [LINE, "{}", "no JSON"].join("\n"));
    let ran = chunkeval(["llm", &file, "--keep-going", "--format", "json"]);
    assert_eq!(ran.code, 3);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["left_out"]["lines"], 2);
    assert_eq!(found["left_out"]["first"][0]["line"], 2);
    assert_eq!(found["left_out"].get("sentences"), None);
    let result = folder.file("r", &ran.out);
    let gate = chunkeval(["gate", &result, "--min", "f1=0"]);
    assert_eq!(gate.code, 3);
    assert!(gate.err.contains("lacks lines that were left out"), "{}", gate.err);
}

/// The table over the types asked for has unreadable answers as the one beside it has them, and
/// stands below.
#[test]
fn the_table_of_schema_types_is_as_the_main_one() {
    let folder = Folder::new();
    let line = |answer: &str| {
        format!(
            r#"{{"schema": ["PER"], "text": "Ada", "gold": {{"PER": ["Ada"]}}, "prediction": "{answer}"}}"#
        )
    };
    let lines = [line("{'PER': ['Ada'], 'LOC': ['Rome']}"), line("no idea")];
    let file = folder.file("f", lines.join("\n"));
    let options = ["llm", &file, "--preset", "plain", "--schema-types", "--on-unreadable"];
    let [skipped, empty] = ["skipped (as published)", "counted as empty"];
    for (how, tables) in [
        ("skip", [(skipped, ""), ("skipped", "_schema_types_only")]),
        ("count", [(empty, ""), (empty, "_schema_types_count_as_empty")]),
        ("both", [(skipped, "_skip"), (empty, "")]),
    ] {
        let text = chunkeval(options.iter().chain(&[how])).ok();
        let heading = |line: &&str| line.starts_with("Lenient reading, unreadable answers ");
        let headings: Vec<&str> = text.lines().filter(heading).collect();
        let mut expected: Vec<String> = Vec::new();
        for (of, _) in tables {
            expected.push(format!("Lenient reading, unreadable answers {of}"));
        }
        match how {
            "both" => expected.extend(["skipped", "counted as empty"].map(|of| {
                format!("Lenient reading, unreadable answers {of}, only the types asked for")
            })),
            _ => expected.last_mut().unwrap().push_str(", only the types asked for"),
        }
        assert_eq!(headings, expected, "{how}");
        let json = chunkeval(options.iter().chain(&[how, "--format", "json"])).json();
        for (_, key) in tables {
            let micro = &json[format!("scores{key}")]["averages"]["micro"];
            let counts = ["correct", "predicted", "support"].map(|of| micro[of].as_u64().unwrap());
            let gold = if key.contains("skip") || how == "skip" { 1 } else { 2 };
            let predicted = if key.contains("schema") { 1 } else { 2 };
            assert_eq!(counts, [1, predicted, gold], "{how} {key}");
        }
    }
}
