//! Types that gold and predicted entities do not share: said, with what to do about it.

use serde_json::json;

use crate::run::{Folder, chunkeval};

const REASONS: &str = r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{\"reasoning\": \"names\", \"entities\": [{\"type\": \"PER\", \"text\": \"Ada\"}]}"}
"#;

#[test]
fn answers_with_entities_under_a_key() {
    let folder = Folder::new();
    let file = folder.file("f", REASONS);
    let preset = ["--preset", "plain"];
    let out = chunkeval(["llm", &file].into_iter().chain(preset)).ok();
    let said = "No predicted type (entities, reasoning) is a gold one (LOC, PER), so nothing can be \
                right; if the entities stand under a key of the answers, beside others, name it: \
                --answer-key entities.";
    assert!(out.contains(said), "{out}");
    let out = chunkeval(["llm", &file, "--format", "json"].into_iter().chain(preset)).json();
    let types = json!({"predicted": ["entities", "reasoning"], "gold": ["LOC", "PER"]});
    assert_eq!(out["no_common_type"], types);
    let html = chunkeval(["llm", &file, "--format", "html"].into_iter().chain(preset)).ok();
    assert!(html.contains("--answer-key entities"));

    let under = ["llm", &file, "--answer-key", "entities", "--format", "json"];
    let out = chunkeval(under.into_iter().chain(preset)).json();
    assert_eq!(out["scores"]["averages"]["micro"]["precision"], 1.0);
    assert_eq!(out["scores"]["averages"]["micro"]["recall"], 0.5);
    assert_eq!(out.get("no_common_type"), None);
}

#[test]
fn types_that_were_asked_for_are_types() {
    let line = |schema: &str| {
        format!(
            r#"{{"text": "Ada", {schema} "gold": {{"PER": ["Ada"]}}, "prediction": {{"LOC": ["Ada"]}}}}"#
        )
    };
    let folder = Folder::new();
    let said = |schema| {
        let file = folder.file("f", line(schema));
        let out = chunkeval(["llm", &file, "--preset", "plain", "--format", "json"]).json();
        out.get("no_common_type").is_some()
    };
    assert!(said(""));
    assert!(said(r#""schema": ["PER"],"#));
    assert!(!said(r#""schema": ["PER", "LOC"],"#));
    // Gold has types that nobody was asked for.
    assert!(said(r#""schema": ["LOC"],"#));
}

#[test]
fn columns_of_other_tags() {
    let folder = Folder::new();
    let file = folder.file("f", "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n");
    let out = chunkeval(["tags", &file]).ok();
    let said = "No predicted type (ORG) is a gold one (NP, VP), so nothing can be right: are the \
                gold and the predicted column what they should be?";
    assert!(out.contains(said), "{out}");
    assert!(
        chunkeval(["tags", &file, "--format", "html"]).ok().contains("No predicted type (ORG)")
    );
    let file = folder.file("g", "EU B-NP B-ORG\nrejects B-ORG O\n");
    assert!(!chunkeval(["tags", &file]).ok().contains("No predicted type"));
}
