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
    let ran = chunkeval(["llm", &file, "--preset", "instruction", "--answer-field", "prediction"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("field label: there is none"), "{}", ran.err);
    let ran = chunkeval(["llm", &file, "--gold-field", "entities"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("field entities: there is none"), "{}", ran.err);
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

/// A field that is named takes nothing from the others: they are where they are in any of the forms.
#[test]
fn what_was_not_said_is_guessed_field_by_field() {
    let folder = Folder::new();
    let whole = r#"{"text": "Ada of Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]},
        "prediction": "{'PER': ['Ada', 'Bob'], 'LOC': ['Rom']}"}"#;
    let whole = whole.replace("\n       ", "");
    let expected =
        chunkeval(["llm", &folder.file("w", &whole), "--format", "json", "--errors", "3"]);
    let expected: serde_json::Value = serde_json::from_str(&expected.out).unwrap();
    assert_eq!(expected["mentions"]["invented"], 1);
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a str);
    let cases: [Case; 9] = [
        (&[("prediction", "response")], &["--answer-field", "response"], "--preset plain"),
        (
            &[("prediction", "response"), ("gold", "entities")],
            &["--gold-field", "entities", "--answer-field", "response"],
            "--preset plain",
        ),
        (&[("gold", "entities")], &["--gold-field", "entities"], "--preset plain"),
        (&[("text", "prompt")], &["--text-field", "prompt"], "--preset plain"),
        (
            &[("gold", "label")],
            &[],
            "--preset instruction --text-field text --answer-field prediction",
        ),
        (
            &[("gold", "label"), ("prediction", "output")],
            &[],
            "--preset instruction --text-field text",
        ),
        (&[("prediction", "output")], &[], "--preset plain --answer-field output"),
        (
            &[("gold", "label"), ("prediction", "response")],
            &["--answer-field", "response", "--schema-field", "types"],
            "",
        ),
        (
            &[("gold", "label"), ("prediction", "response")],
            &["--answer-field", "response"],
            "--preset instruction --text-field text",
        ),
    ];
    for (renamed, options, note) in cases {
        let line = renamed.iter().fold(whole.clone(), |line, (from, to)| {
            line.replace(&format!("\"{from}\":"), &format!("\"{to}\":"))
        });
        let file = folder.file("f", line);
        let ran =
            chunkeval(["llm", &file, "--format", "json", "--errors", "3"].iter().chain(options));
        let said = if note.is_empty() { String::new() } else { format!("note: read as {note}\n") };
        assert_eq!((ran.code, &ran.err), (0, &said), "{options:?} {renamed:?}");
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        for part in ["scores", "health", "errors"] {
            assert_eq!(found[part], expected[part], "{options:?} {renamed:?}: {part}");
        }
        // What the note says is what was read.
        let again = ["llm", &file, "--format", "json", "--errors", "3"];
        let again = again.into_iter().chain(options.iter().copied()).chain(note.split_whitespace());
        assert_eq!(chunkeval(again).ok(), ran.out, "{note}");
    }
    // An instruction in words holds no text, one in JSON does.
    let prose = whole.replace("\"gold\"", "\"instruction\": \"Find!\", \"label\"");
    let prose = folder.file("f", prose.replace("\"prediction\"", "\"output\""));
    let ran = chunkeval(["llm", &prose]);
    assert_eq!(ran.err, "note: read as --preset instruction --text-field text\n");
    let asked = PLAIN.replace("\"gold\"", r#""instruction": "{\"input\": \"Ada\"}", "label""#);
    let asked = folder.file("f", asked.replace("\"prediction\"", "\"output\""));
    assert_eq!(chunkeval(["llm", &asked]).err, "");
    // The text of a chat is there, too, where its gold entities are elsewhere.
    let chat = folder.file("f", chat(CONTENT).replace("\"gold\"", "\"entities\""));
    let ran = chunkeval(["llm", &chat, "--gold-field", "entities"]);
    assert_eq!((ran.code, &*ran.err), (0, "note: read as --preset chat\n"));
    // labels looks for no answer.
    let ran = chunkeval(["labels", &folder.file("f", PLAIN.replace("prediction", "output"))]);
    assert!(ran.err.starts_with("note: read as --preset plain\nnote: 1 line has"), "{}", ran.err);
}

/// Nobody takes "invented 0" for a finding where no text was read.
#[test]
fn a_text_that_is_not_read_is_told() {
    let folder = Folder::new();
    let line = r#"{"prompt": "Ada", "gold": {"PER": ["Ada"]}, "response": "{'PER': ['Bob']}"}"#;
    let file = folder.file("f", format!("{line}\n{line}\n"));
    let options = ["llm", &file, "--answer-field", "response", "--preset", "plain"];
    let told = "2 of 2 lines without a text: which entities are invented cannot be told. --text-field \
                names the field.\n";
    let ran = chunkeval(options);
    assert!(ran.ok().contains(told));
    let html = chunkeval(options.into_iter().chain(["--format", "html"])).ok();
    assert!(html.contains(told.trim_end()));
    let ran = chunkeval(options.into_iter().chain(["--text-field", "prompt"])).ok();
    assert!(!ran.contains("without a text"), "{ran}");
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
