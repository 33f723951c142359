//! Forms of lines that nobody has named.

use crate::run::{Folder, Ran, chunkeval, piped};

const PLAIN: &str =
    r#"{"text": "Ada", "gold": {"PER": ["Ada"]}, "prediction": "{'PER': ['Ada']}"}"#;

/// A line of a chat, whose last message has this besides.
fn chat(more: &str) -> String {
    let messages =
        format!(r#"[{{"role": "user", "content": "Ada"}}, {{"role": "assistant", {more}}}]"#);
    format!(r#"{{"gold": {{"PER": ["Ada"]}}, "messages": {messages}}}"#)
}

const CONTENT: &str = r#""content": "{'PER': ['Ada']}""#;
const CALL: &str =
    r#""content": null, "tool_calls": [{"function": {"arguments": "{\"PER\": [\"Ada\"]}"}}]"#;

#[test]
fn the_form_is_that_of_the_first_line() {
    let folder = Folder::new();
    let published = r#"{"label": {"PER": ["Ada"]}, "output": "{'PER': ['Ada']}"}"#;
    for (preset, line) in [
        ("plain", PLAIN.to_owned()),
        ("chat", chat(CONTENT)),
        ("tool-call", chat(CALL)),
        ("instruction", published.to_owned()),
    ] {
        let lines = format!("\n\n{line}\n{line}\n");
        let file = folder.file(preset, &lines);
        let said = chunkeval(["llm", &file, "--preset", preset, "--format", "json"]);
        assert_eq!((said.code, &*said.err), (0, ""));
        let note = match preset {
            "instruction" => String::new(),
            _ => format!("note: read as --preset {preset}\n"),
        };
        let found = chunkeval(["llm", &file, "--format", "json"]);
        assert_eq!((found.code, &found.out, &found.err), (0, &said.out, &note), "{preset}");
        // Standard input is not read twice.
        let found = piped(&["llm", "-", "--format", "json"], lines.as_bytes());
        assert_eq!((found.code, &found.out, &found.err), (0, &said.out, &note), "{preset}");
        assert_eq!(said.json()["scores"]["averages"]["micro"]["correct"], 2);
        let (a, b) = (folder.file("a", &lines), folder.file("b", &lines));
        let compared = chunkeval(["compare", &a, &b]);
        assert_eq!((compared.code, &compared.err), (0, &note), "{preset}");
    }
}

/// What Python's `json.dumps` writes, and no other reader takes, stops nobody who does not read it.
#[test]
fn numbers_that_are_none_are_passed_over() {
    let folder = Folder::new();
    let file = folder.file("f", format!("{PLAIN}\n{PLAIN}\n"));
    let with = |field: &str| PLAIN.replacen('{', &format!("{{{field}, "), 1);
    let nan = format!(
        "{}\n{}\n",
        with(r#""loss": NaN, "id": "NaN""#),
        with(r#""logprobs": {"all": [-0.5, -Infinity, {"x": Infinity}]}"#)
    );
    let nan = folder.file("nan", nan);
    for more in [&[][..], &["--both", "--threads", "1"], &["--errors", "2", "--ci"]] {
        let run = |file: &String| {
            let args = ["llm", file, "--format", "json"];
            chunkeval(args.iter().chain(more))
        };
        let (expected, found) = (run(&file), run(&nan));
        assert_eq!((found.code, &found.err), (0, &expected.err), "{more:?}");
        let scores = |ran: Ran| {
            let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            found["scores"].clone()
        };
        assert_eq!(scores(found), scores(expected), "{more:?}");
    }
    assert_eq!(chunkeval(["compare", &file, &nan]).code, 0);
    // They are written as they were read.
    let labels = chunkeval(["labels", &nan]);
    assert_eq!(labels.code, 0);
    for part in [r#"{"loss": NaN, "id": "NaN", "#, r#"-Infinity, {"x": Infinity}]}"#] {
        assert!(labels.out.contains(part), "{}", labels.out);
    }
    // Read as a text or as gold entities they are an error, at their place.
    let text = folder.file("text", PLAIN.replace(r#""Ada", "gold""#, r#"NaN, "gold""#));
    let ran = chunkeval(["llm", &text]);
    let told = "error: text:1:10: field text: NaN, which Python writes where a number or a value is \
                missing\nhint: leave the field away, or write null for a text and [] for no gold \
                entities; with --keep-going the line is left out and counted\n";
    assert_eq!(
        (ran.code, folder.short(&ran.err)),
        (3, format!("note: read as --preset plain\n{told}"))
    );
}

#[test]
fn what_was_said_is_not_guessed() {
    let folder = Folder::new();
    let file = folder.file("f", PLAIN);
    let ran = chunkeval(["llm", &file, "--answer-field", "prediction"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("field label: there is none"), "{}", ran.err);
    assert_eq!(chunkeval(["llm", &file, "--id-field", "text"]).code, 0);
    assert_eq!(chunkeval(["llm", &file, "--preset", "chat"]).code, 3);
    // A header is no line of any form; with --keep-going the next one decides.
    let file = folder.file("h", format!("{{\"meta\": 1}}\n{PLAIN}\n"));
    let ran = chunkeval(["llm", &file]);
    assert_eq!(ran.code, 3);
    let hint = "hint: the fields of the line are meta; say which fields hold what";
    assert!(ran.err.contains(hint), "{}", ran.err);
    let ran = chunkeval(["llm", &file, "--keep-going"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.starts_with("note: read as --preset plain\nwarning: 1 line was"),
        "{}",
        ran.err
    );
    // Nor is one that is no JSON; a long line is read to its end.
    let long = PLAIN.replace("\"Ada\",", &format!("\"{}\",", "Ada ".repeat(50_000)));
    let file = folder.file("l", format!("no JSON\n{long}\n"));
    let ran = chunkeval(["llm", &file, "--keep-going", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["scores"]["averages"]["micro"]["correct"], 1);
}

#[test]
fn names_of_forms_and_rules_are_completed() {
    for shell in ["bash", "zsh", "fish"] {
        let script = chunkeval(["completions", shell]).ok();
        for name in ["tool-call", "multiset"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let ran = chunkeval(["llm", "f", "--preset", "plane"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("instruction, plain, chat, tool-call"), "{}", ran.err);
}
