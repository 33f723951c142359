//! Answers: what lines lack, and what failed runs leave.

use serde_json::json;

use crate::run::{Folder, SAMPLE, chunkeval};

/// Two types, one of them without an entity, and no text.
const ADA: &str = r#"{"gold": {"PER": ["Ada"], "LOC": []}, "prediction": "{'PER': ['Ada']}"}"#;

fn plain(file: &str, more: &[&str]) -> crate::run::Ran {
    chunkeval(["llm", file, "--preset", "plain"].iter().chain(more))
}

#[test]
fn a_line_without_an_answer_is_an_unreadable_answer() {
    let folder = Folder::new();
    let calls = |calls: &str| {
        let message = format!(r#"{{"role": "assistant", "content": "no"{calls}}}"#);
        format!("{{\"gold\": {{\"PER\": [\"Ada\"]}}, \"messages\": [{message}]}}\n")
    };
    let called = r#", "tool_calls": [{"function": {"arguments": "{\"PER\": [\"Ada\"]}"}}]"#;
    let lines = [called, "", r#", "tool_calls": null"#, r#", "tool_calls": []"#].map(calls);
    let file = folder.file("calls", lines.concat());
    let found = chunkeval(["llm", &file, "--preset", "tool-call", "--format", "json"]).json();
    assert_eq!(found["unanswered"], 3);
    assert_eq!(found["unreadable"]["answers"], 3);
    assert_eq!(found["scores"]["averages"]["micro"]["support"], 4);
    let text = chunkeval(["llm", &file, "--preset", "tool-call"]).ok();
    assert!(text.contains("\n3 of 4 lines without an answer: they count as unreadable.\n"));
    // Where no line has one, it was looked for in the wrong place.
    let ran = plain(&folder.file("none", "{\"gold\": []}\n"), &[]);
    let reason =
        "error: none: no line has an answer: there is no field prediction\nhint: say which";
    assert_eq!(ran.code, 3);
    assert!(folder.short(&ran.err).starts_with(reason), "{}", ran.err);
}

#[test]
fn bytes_of_an_answer_that_are_no_text_stop_nothing() {
    let folder = Folder::new();
    let good = r#"{"gold": {"PER": ["Ada"]}, "prediction": "{'PER': ['Ada']}"}"#.as_bytes();
    let cut =
        b"{\"gold\": {\"PER\": [\"Bo\", \"Cy\"]}, \"prediction\": \"{'PER': ['Bo', '\xe7\x9c\"}";
    let file = folder.file("cut", [good, b"\n", cut].concat());
    let found = plain(&file, &["--both", "--errors", "0", "--format", "json"]).json();
    let counts = |name: &str| {
        let micro = &found[name]["averages"]["micro"];
        ["correct", "predicted", "support"].map(|key| micro[key].as_u64().unwrap())
    };
    // Strictly the answer cannot be read; its gold entities are there, or are said to be left out.
    assert_eq!(counts("scores_strict_count_as_empty"), [1, 1, 3]);
    assert_eq!(counts("scores_strict_skip"), [1, 1, 1]);
    assert_eq!(counts("scores"), [2, 2, 3]);
    let table = plain(&file, &["--errors", "2"]).ok();
    assert!(table.contains("not utf8"), "{table}");
    // Elsewhere it is an error, whose hint says what may have happened.
    let gold = [&b"{\"gold\": {\"PER\": [\"\xff\"]}, \"prediction\": \"\"}\n"[..], good].concat();
    // Nor does it hide the form of the line.
    assert_eq!(chunkeval(["llm", &folder.file("first", cut)]).code, 0);
    let ran = plain(&folder.file("gold", gold), &[]);
    let place = "error: gold:1:20: invalid UTF-8\nhint: the file is in another encoding";
    assert!(ran.code == 3 && folder.short(&ran.err).starts_with(place), "{}", ran.err);
}

#[test]
fn what_the_lines_lack_is_told() {
    let folder = Folder::new();
    let with_text = ADA.replace("}\"}", "}\", \"text\": \"Ada\"}");
    let half = folder.file("half", [ADA, "\n", &with_text].concat());
    let text = plain(&half, &["--match", "grounded"]).ok();
    let told = "\n1 of 2 lines without a text: there entities are compared by their texts.\n";
    assert!(text.contains(told), "{text}");
    let none = folder.file("none", ADA);
    let ran = plain(&none, &["--match", "grounded"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no line has a text, by which --match grounded goes"), "{}", ran.err);
    let found = plain(&none, &["--schema-types", "--format", "json"]).json();
    assert_eq!(found["without_schema"], 1);
    let text = plain(&none, &["--schema-types"]).ok();
    assert!(text.contains("without types that were asked for: --schema-types has no table."));
    let some = folder
        .file("some", [ADA, "\n", &ADA.replacen('{', "{\"schema\": [\"PER\"], ", 1)].concat());
    let some = plain(&some, &["--schema-types"]).ok();
    let told = "1 of 2 lines without types that were asked for: in the table over these all their \
                types count.";
    assert!(some.contains(told), "{some}");
    // The macro average of the table is not the published one.
    let told = "Macro F1 as published scripts take it, unreadable answers skipped: 0.5000. It is \
                over all types that are named (2)";
    assert!(text.contains(told), "{text}");
    assert_eq!(found["published_macro_f1"], 0.5);
    assert_eq!(found["scores_skip"]["averages"]["macro"]["f1"], json!(1.0));
}

#[test]
fn what_is_overlooked_is_named_and_signed() {
    let folder = Folder::new();
    let line = r#"{"text": "CAFE\u0301", "gold": {"LOC": ["Caf\u00e9"]}, "prediction": "{\"LOC\": [\"Cafe\\u0301\"]}"}"#;
    let file = folder.file("f", line);
    let found = |more: &[&str]| {
        let found = plain(&file, &[more, &["--format", "json"]].concat()).json();
        let signature = found["scores"]["signature"].as_str().unwrap().to_owned();
        let signed = signature.split('|').find_map(|part| part.strip_prefix("normalisation:"));
        let invented = found["mentions"]["invented"].as_u64().unwrap();
        let correct = found["scores"]["averages"]["micro"]["correct"].as_u64().unwrap();
        (signed.unwrap().to_owned(), correct, invented)
    };
    let of = |signed: &str, correct, invented| (signed.to_owned(), correct, invented);
    assert_eq!(found(&[]), of("none", 0, 0));
    assert_eq!(found(&["--normalise", "width+case"]), of("width+case", 0, 0));
    assert_eq!(found(&["--normalize", "unicode"]), of("unicode", 1, 0));
    let all = "unicode+width+case+space";
    assert_eq!(found(&["--normalise", "all"]), of(all, 1, 0));
    assert_eq!(found(&["--match", "grounded"]), of(all, 1, 0));
    assert_eq!(found(&["--match", "grounded", "--normalise", "case"]), of("case", 0, 0));
    let ran = plain(&file, &["--normalise", "nfc"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("is not none, all, unicode, width, case or space"), "{}", ran.err);
}

#[test]
fn answers_are_counted_apart() {
    let folder = Folder::new();
    let text = "x".repeat(120);
    let lines = [
        r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{'PER': ['Ada', 'Rome']}"}"#.to_owned(),
        format!(r#"{{"text": "{text}", "gold": {{"PER": ["Bo"]}}, "prediction": "?"}}"#),
        ADA.to_owned(),
    ];
    let file = folder.file("f", lines.join("\n"));
    let found = |more: &[&str]| plain(&file, &[more, &["--format", "json"]].concat()).json();
    let by_length = found(&["--by", "length"])["by_length"].clone();
    let row = |at: usize| by_length[at].clone();
    assert_eq!(by_length.as_array().unwrap().len(), 9);
    assert_eq!(
        (row(0)["characters"].clone(), row(3)["characters"].clone()),
        (json!("≤20"), json!("≤200"))
    );
    let counts = |row: &serde_json::Value| {
        ["answers", "support", "predicted", "correct"].map(|key| row[key].as_u64().unwrap())
    };
    assert_eq!(counts(&row(0)), [1, 2, 2, 1]);
    assert_eq!(counts(&row(3)), [1, 1, 0, 0]);
    let skipped = found(&["--by", "length", "--on-unreadable", "skip"])["by_length"].clone();
    assert_eq!(counts(&skipped[3]), [0, 0, 0, 0]);
    let pairs = json!([
        {"gold": "LOC", "predicted": "PER", "entities": 1},
        {"gold": "PER", "predicted": "PER", "entities": 2},
    ]);
    assert_eq!(found(&["--by", "type"])["by_type"], pairs);
    let none = plain(&folder.file("none", ADA), &["--by", "length"]).ok();
    assert!(none.contains("There are no texts."), "{none}");
}

#[test]
fn answers_without_a_text_are_in_no_row_and_counted() {
    let folder = Folder::new();
    let with_text = r#"{"text": "Ada", "gold": {"PER": ["Ada"]}, "prediction": "{}"}"#;
    let unread = r#"{"gold": {"PER": ["Bo"]}, "prediction": "?"}"#;
    let file = folder.file("f", [with_text, ADA, unread, ADA].join("\n"));
    let by_length = |more: &[&str]| plain(&file, &[&["--by", "length"], more].concat());
    let text = by_length(&[]).ok();
    assert!(text.contains("\n3 of 4 answers have no text and are in no row.\n"), "{text}");
    assert_eq!(by_length(&["--format", "json"]).json()["by_length_without_text"], 3);
    let text = by_length(&["--on-unreadable", "skip"]).ok();
    assert!(text.contains("\n2 of 3 answers have no text and are in no row.\n"), "{text}");
    let html = by_length(&["--format", "html"]).ok();
    assert!(html.contains("By length of text: 3 of 4 answers have no text and are in no row."));
    let all = plain(&folder.file("all", with_text), &["--by", "length"]).ok();
    assert!(!all.contains("in no row"), "{all}");
}

#[test]
fn tables_say_what_they_are_of() {
    let folder = Folder::new();
    let line = r#"{"text": "Ada", "gold": {"PER": ["Ada"]}, "prediction": "{}"}"#;
    let file = folder.file("f", [line, "\n"].concat());
    let headings = |more: &[&str], wanted: &[&str]| {
        let text = plain(&file, more).ok();
        for heading in wanted {
            assert!(text.contains(&format!("\n{heading}\n")), "{heading}: {text}");
        }
    };
    let health = "Health of the answers, lenient reading";
    let length = "By length of text, lenient reading, unreadable answers counted as empty";
    headings(&["--both", "--by", "length"], &[health, length]);
    let (errors, first) =
        ("Errors, lenient reading", "The first errors of each kind, lenient reading");
    let by_type = "By type, lenient reading";
    headings(&["--both", "--errors", "1", "--by", "type"], &[errors, first, by_type]);
    let html = plain(&file, &["--both", "--errors", "1", "--format", "html"]).ok();
    for title in ["What the answers say", "Errors", "Examples of errors", "Types taken for others"]
    {
        assert!(html.contains(&format!(">{title}, lenient reading<")), "{title}");
    }
    let skip = ["--strict", "--on-unreadable", "skip", "--errors", "1", "--by", "length"];
    headings(&skip, &["Health of the answers", "Errors", "By length of text"]);
    headings(&["--by", "length"], &["By length of text, unreadable answers counted as empty"]);
}

/// An empty answer is repaired or clean, in the first line as in the table.
#[test]
fn empty_answers_can_be_clean_and_repaired() {
    let folder = Folder::new();
    let line = |answer: &str| format!("{}\n", json!({"gold": {}, "prediction": answer}));
    let file = folder.file("f", line("{'PER': ['Ada']}") + &line("```\n{}\n```") + &line("{}"));
    let text = plain(&file, &[]).ok();
    let told = "1 clean, 2 repaired, 2 of them empty, 0 unparsable";
    assert!(text.contains(told), "{text}");
    assert!(plain(&file, &["--format", "html"]).ok().contains(told));
    let found = plain(&file, &["--format", "json"]).json();
    let health = |at: usize| found["health"][at]["answers"].clone();
    assert_eq!([health(0), health(1)], [json!(1), json!(2)]);
    // Which ones are clean is for programs, and for browsers.
    assert_eq!(found["health"][0]["which"], json!([{"line": 3, "id": null}]));
    assert!(text.contains("1  clean\n"), "{text}");
    assert!(plain(&folder.file("g", ADA), &[]).ok().contains("0 clean, 1 repaired, 0 empty"));
}

#[test]
fn lines_with_the_same_id_are_told() {
    let folder = Folder::new();
    let line = |id: usize| {
        format!("{{\"id\": {id}, \"label\": {{\"PER\": [\"Ada\"]}}, \"output\": \"{{}}\"}}\n")
    };
    let once: String = (0..9000).map(line).collect();
    let file = folder.file("f", [&once, "\n", &line(7), &line(8999)].concat());
    for threads in ["1", "3"] {
        let args = ["llm", &file, "--check-ids", "--threads", threads];
        let found = chunkeval(args.iter().chain(&["--format", "json"])).json();
        let again = json!([
            {"line": 9002, "id": "7", "before": 8},
            {"line": 9003, "id": "8999", "before": 9000},
        ]);
        assert_eq!(found["repeated_ids"], json!({"ids": 9002, "lines": 2, "first": again}));
        let text = "\n2 lines have the id of a line before: line 9002 (id 7) as line 8, line 9003";
        assert!(chunkeval(args).ok().contains(text));
    }
    let html = chunkeval(["llm", &file, "--check-ids", "--format", "html"]).ok();
    assert!(html.contains("2 lines have the id of a line before"));
    let file = folder.file("once", once);
    let text = chunkeval(["llm", &file, "--check-ids"]).ok();
    assert!(text.contains("\nNo two lines have the same id.\n"), "{text}");
    assert!(!chunkeval(["llm", &file]).ok().contains("same id"));
    let none = plain(&folder.file("none", ADA), &["--check-ids"]).ok();
    assert!(none.contains("No line has an id; --id-field"), "{none}");
}

#[test]
fn one_is_not_called_many() {
    let folder = Folder::new();
    let text = |line: &str, more: &[&str]| plain(&folder.file("f", line), more).ok();
    let found = text(ADA, &["--schema-types"]);
    assert!(found.starts_with("The answer could be read (lenient reading: "), "{found}");
    assert!(
        found.contains("\n1 answer\n") && found.contains("\n1 of 1 line without types"),
        "{found}"
    );
    let found = text(r#"{"gold": {"": ["x"]}, "prediction": "?"}"#, &[]);
    assert!(found.starts_with("The answer could not be read (lenient reading: "), "{found}");
    assert!(found.contains("\n1 of 1 gold entity is blank"), "{found}");
    let found = text(&[ADA, "\n", ADA].concat(), &[]);
    assert!(found.starts_with("All 2 answers could be read"), "{found}");
    assert!(found.contains("\n2 answers\n"), "{found}");
    let none = plain(&folder.file("none", "no\n"), &["--keep-going"]);
    assert!(none.out.starts_with("There are no answers (lenient reading: "), "{}", none.out);
    assert!(none.out.contains("\n0 answers\n"), "{}", none.out);
}

#[test]
fn output_never_goes_over_the_input() {
    let folder = Folder::new();
    let (answers, tags) = (folder.file("a", ADA), folder.file("t", SAMPLE));
    let link = folder.path().join("link").to_str().unwrap().to_owned();
    std::fs::hard_link(&answers, &link).unwrap();
    for option in ["--save-state", "--write-labels"] {
        let ran = plain(&answers, &[option, &link]);
        let reason = format!("error: {option} link would write over the input a\n");
        assert_eq!(ran.code, 2);
        assert!(folder.short(&ran.err).starts_with(&reason), "{}", ran.err);
    }
    assert_eq!(chunkeval(["tags", &tags, "--save-state", &tags]).code, 2);
    let two = ["tags", "--gold", &tags, "--pred", &tags, "--save-state", &tags];
    assert_eq!(chunkeval(two).code, 2);
    assert_eq!(std::fs::read_to_string(&tags).unwrap(), SAMPLE);
    assert_eq!(std::fs::read_to_string(&answers).unwrap(), ADA);
}

#[test]
fn runs_that_fail_leave_nothing() {
    let folder = Folder::new();
    let file = folder.file("bad", format!("{ADA}\nno JSON\n"));
    let [state, labels, old] = ["state", "labels", "old"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    assert_eq!(plain(&file, &["--save-state", &state, "--write-labels", &labels]).code, 3);
    std::fs::write(&old, "old").unwrap();
    assert_eq!(plain(&file, &["--save-state", &old]).code, 3);
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["bad", "old"]);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    // With --keep-going it does not fail.
    let args = ["--keep-going", "--save-state", &state, "--write-labels", &labels];
    assert_eq!(plain(&file, &args).code, 3);
    assert!(std::fs::read_to_string(&labels).unwrap().contains("extra_label"));
    assert_eq!(chunkeval(["merge", &state]).code, 3);
}

#[test]
fn states_with_other_tables_do_not_go_together() {
    let folder = Folder::new();
    let file = folder.file("a", ADA);
    let state = |name: &str, more: &[&str]| {
        let state = folder.path().join(name).to_str().unwrap().to_owned();
        plain(&file, &[&["--save-state", &*state], more].concat()).ok();
        state
    };
    let [both, skip, schema] = [
        state("both", &[]),
        state("skip", &["--on-unreadable", "skip"]),
        state("schema", &["--schema-types"]),
    ];
    for (one, other, difference) in [
        (&both, &skip, "--on-unreadable both and skip"),
        (&skip, &both, "--on-unreadable skip and both"),
        (&both, &schema, "without and with --schema-types"),
        (&schema, &both, "with and without --schema-types"),
    ] {
        let ran = chunkeval(["merge", one, other]);
        assert_eq!(ran.code, 5);
        assert!(ran.err.contains(difference), "{}", ran.err);
    }
}

#[test]
fn hints_say_what_helps() {
    let folder = Folder::new();
    let hint = |content: &str, args: &[&str], hint: &str| {
        let file = folder.file("f", content);
        let ran = chunkeval(["llm", &file].iter().chain(args));
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains(hint), "{}", ran.err);
    };
    let plain = &["--preset", "plain"][..];
    let keys =
        "the fields of the line are entities, text; say which fields hold what: --preset plain";
    hint(r#"{"text": "", "entities": []}"#, &[], keys);
    hint("{}", &[], "the line has no fields; say which");
    hint(r#"{"text": NaN, "gold": []}"#, plain, "leave the field away, or write null for a text");
    hint("[\n{}\n]", plain, "jq -c '.[]'");
    hint(SAMPLE, plain, "tagged text: chunkeval tags");
    let ran = chunkeval(["tags", &folder.file("f", ADA)]);
    assert_eq!(ran.code, 3);
    let reason = "\nhint: f is JSON Lines: chunkeval llm scores that\n";
    assert!(folder.short(&ran.err).ends_with(reason), "{}", ran.err);
    for gold in [r#"[{"entity": null, "entity_type": "A"}]"#, r#"{"A": "x"}"#, r#"{"A": null}"#] {
        hint(&format!("{{\"gold\": {gold}}}"), plain, "hint: gold entities are a list of");
    }
    let (ada, empty) = (folder.file("ada", ADA), folder.file("empty", ""));
    let ran = chunkeval(["compare", &ada, &empty, "--preset", "plain"]);
    assert!(!ran.err.contains("tagged text"), "{}", ran.err);
    let ran = chunkeval(["compare", &ada, &ada, "--preset", "plain", "--gold", &ada]);
    assert!(ran.err.contains("--gold names a file of gold tags"), "{}", ran.err);
    let tags = folder.file("tags", SAMPLE);
    for (first, gold) in [(&ada, &tags), (&tags, &ada)] {
        let ran = chunkeval(["compare", first, &tags, "--gold", gold]);
        let reason =
            "error: ada is JSON Lines, but --gold names a file of gold tags\nhint: answers";
        assert_eq!(ran.code, 5);
        assert!(folder.short(&ran.err).starts_with(reason), "{}", ran.err);
    }
    assert_eq!(chunkeval(["compare", &ada, &ada, "--level", "2"]).code, 2);
    for number in [1, 9] {
        let format = format!("chunkeval llm state {number}");
        let ran =
            chunkeval(["merge", &folder.file("other", format!(r#"{{"format": "{format}"}}"#))]);
        let reason = format!(
            "the format is \"{format}\", not \"chunkeval llm state 2\"\nhint: another version wrote it"
        );
        assert!(ran.err.contains(&reason), "{}", ran.err);
    }
}
