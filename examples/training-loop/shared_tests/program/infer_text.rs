//! Predictions for text: how it is read, and where in it the entities are.

use std::fs;
use std::path::Path;

use serde_json::Value;
use training_loop::generate::{Part, sentences};

use super::common::{json, piped, run, text, tiny, trained};

/// The objects of a file of JSON Lines.
pub(crate) fn lines_of(path: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(path).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// That each entity is where it says, and how many there are.
pub(crate) fn located(lines: &[Value]) -> usize {
    let mut count = 0;
    for line in lines {
        let characters: Vec<char> = line["text"].as_str().unwrap().chars().collect();
        for entity in line["entities"].as_array().unwrap() {
            let [start, end] = ["start", "end"].map(|name| entity[name].as_u64().unwrap() as usize);
            let expected: String = characters[start..end].iter().collect();
            assert!(start < end);
            assert_eq!(entity["text"], *expected);
            assert!(["P", "T", "A1", "A2", "A3", "A4"].map(Value::from).contains(&entity["type"]));
            count += 1;
        }
    }
    count
}

#[test]
fn text_on_standard_input_becomes_entities_with_character_offsets() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let lines = "\u{feff}13512345678 广东省深圳市\n\n张三 13812345678\n";
    let output = piped(folder.path(), &["infer", "run", "--format", "characters"], lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.lines().any(|line| line.starts_with("2 sentences in ")), "{said}");
    let found = json(&output);
    assert_eq!(found.len(), 2, "the empty line holds no sentence");
    assert_eq!(found[0]["text"], "13512345678 广东省深圳市");
    let all: Vec<(&Value, &Value)> = found
        .iter()
        .flat_map(|line| line["entities"].as_array().unwrap().iter().map(|e| (&line["text"], e)))
        .collect();
    assert!(!all.is_empty(), "{found:?}");
    for (line, entity) in all {
        let [start, end] = ["start", "end"].map(|name| entity[name].as_u64().unwrap() as usize);
        let expected: String =
            line.as_str().unwrap().chars().skip(start).take(end - start).collect();
        assert_eq!(entity["text"], *expected);
        assert!(["P", "T", "A1", "A2", "A3", "A4"].map(Value::from).contains(&entity["type"]));
    }

    // The same as columns, and no label is made up.
    let args = ["infer", "run", "--format", "characters", "--columns", "-"];
    let columns = text(&piped(folder.path(), &args, "张三\n").stdout);
    let lines: Vec<&str> = columns.lines().collect();
    assert!(lines[0].starts_with("张\t") && lines[1].starts_with("三\t") && lines[2].is_empty());
    assert!(lines.len() == 3 && lines[0].matches('\t').count() == 1, "{columns}");
}

#[test]
fn text_is_read_as_the_waybills_of_training() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let all = sentences(9, Part::Test, 100);
    let parts = |cells: chunkeval::data::Cells<'_>, joint: &str| {
        cells.iter().collect::<Vec<_>>().join(joint)
    };
    let records = all
        .iter()
        .map(|s| format!("{}\t{}\n", parts(s.tokens(), "\u{2}"), parts(s.gold(), "\u{2}")));
    let records: String = records.collect();
    let texts: String = all.iter().map(|s| parts(s.tokens(), "") + "\n").collect();
    assert!(texts.lines().any(|line| line.contains(' ')), "white space makes the difference");
    fs::write(folder.path().join("in.txt"), &texts).unwrap();
    fs::write(folder.path().join("waybills.txt"), format!("text_a\tlabel\n{records}")).unwrap();

    let outputs = [("in.txt", "characters"), ("waybills.txt", "waybill")].map(|(input, format)| {
        let args = ["infer", "run", input, "--format", format, "--unlabelled"];
        let more = ["--columns", "out.tsv", "--entities", "out.jsonl"];
        let output = run(folder.path(), &[&args[..], &more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let columns = fs::read_to_string(folder.path().join("out.tsv")).unwrap();
        (columns, lines_of(&folder.path().join("out.jsonl")))
    });
    let [(columns, lines), (of_waybills, mut lines_of_waybills)] = outputs;
    assert!(columns.contains(" \t"), "spaces are tokens");
    assert_eq!(columns, of_waybills);
    assert!(located(&lines) > 0);
    for line in &mut lines_of_waybills {
        line["line"] = (line["line"].as_u64().unwrap() - 1).into(); // a header stands before
    }
    assert_eq!(lines, lines_of_waybills);
    assert!(lines.iter().map(|line| line["text"].as_str()).eq(texts.lines().map(Some)));
}

#[test]
fn odd_text_keeps_its_offsets_and_line_numbers() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path());
    let name = "张三13512345678";
    let odd = [
        format!("👩\u{200d}🚒 {name}\t广东省"),
        format!("e\u{301}\u{a0}{name}\u{3000}深圳市 \u{200b}"),
        String::new(),
        format!("\u{feff}{name}\u{85}{name}\u{2028}{name}"),
        " \t".to_owned(),
        "  \u{3000} ".to_owned(),
        name.repeat(200),
    ];
    for end in ["\n", "\r\n"] {
        let input = odd.join(end);
        for format in ["characters", "words"] {
            let args = ["infer", "run", "--format", format];
            let output = piped(folder.path(), &args, &input);
            let report = text(&output.stderr);
            assert!(output.status.success(), "{report}");
            assert!(
                report.contains("5 sentences in ") && report.contains("; 2 blank lines left out")
            );
            let lines = json(&output);
            let numbers = lines.iter().map(|line| line["line"].as_u64().unwrap());
            assert!(numbers.eq([1, 2, 4, 6, 7]));
            for line in &lines {
                let given = &odd[line["line"].as_u64().unwrap() as usize - 1];
                assert_eq!(line["text"], *given.as_str());
            }
            let count = located(&lines);
            assert!(format == "words" || count > 0, "{lines:?}");
            // Columns can be written, too: no token holds a tab.
            let columns = text(
                &piped(folder.path(), &[&args[..], &["--columns", "-"]].concat(), &input).stdout,
            );
            assert!(
                columns.split('\n').all(|line| line.is_empty() || line.matches('\t').count() == 1)
            );
        }
    }
}

#[test]
fn what_is_no_text_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    tiny(folder.path(), &["--steps", "2", "--out", "run"]);
    for format in ["characters", "words"] {
        let args = ["infer", "run", "--format", format];
        for (input, expected) in [
            (&b"a\n\nb\0\n"[..], "error: stdin:3:2: a NUL byte inside the line\n"),
            (b"a\n\xE7\x9C\x81\xFF\n", "error: stdin:2:2: invalid UTF-8\n"),
            (b"a\rb\n", "error: stdin:1:2: a carriage return inside the line\n"),
        ] {
            let output = piped(folder.path(), &args, input);
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), expected.into()));
            assert!(output.stdout.is_empty());
        }
        for nothing in ["", "\n \n"] {
            let output = piped(folder.path(), &args, nothing);
            assert!(output.status.success() && output.stdout.is_empty());
            assert!(text(&output.stderr).starts_with("0 sentences in "));
        }
        let output = run(folder.path(), &["infer", "run", "run", "--format", format]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).starts_with("error: run: "), "{}", text(&output.stderr));
    }
}
