//! From lines to records, and what is said of lines that are none.

use super::*;
use crate::{AnswerReading, AnswerStatus, Preset, RepairKind};

fn read(text: &str, format: impl Into<RecordFormat>) -> Vec<Result<Record, String>> {
    let reader = RecordReader::new(text.as_bytes(), "f", format);
    reader.map(|record| record.map_err(|e| e.to_string())).collect()
}

fn one(text: &str, format: impl Into<RecordFormat>) -> Record {
    let [record] = &read(text, format)[..] else { panic!("{text}") };
    record.clone().unwrap()
}

fn gold(pairs: &[(&str, &str)]) -> crate::Entities {
    pairs.iter().copied().collect()
}

#[test]
fn the_published_form_is_read() {
    let line = r#"{"id": 7, "instruction": "{\"schema\": [\"LOC\", \"PER\"], \"input\": \"美\\n台\"}", "label": "[{\"entity\": \"美\", \"entity_type\": \"LOC\"}]", "output": "{'LOC': ['美']}", "other": [{}]}"#;
    let record = one(line, Preset::Instruction);
    assert_eq!((record.id.line, record.id.id.as_deref()), (1, Some("7")));
    assert_eq!(record.text.as_deref(), Some("美\n台"));
    assert_eq!(record.schema.as_deref(), Some(&["LOC".to_owned(), "PER".to_owned()][..]));
    assert_eq!(record.gold, gold(&[("LOC", "美")]));
    assert_eq!(record.answer, "{'LOC': ['美']}");
    // An instruction in plain words has neither types nor text.
    let record =
        one(r#"{"instruction": "Find!", "label": [], "output": null}"#, Preset::Instruction);
    assert_eq!(record, Record::new(gold(&[]), "").at(1, None));
}

#[test]
fn gold_comes_in_many_forms() {
    let expected = gold(&[("PER", "O'Brien"), ("LOC", "Rome")]);
    for label in [
        r#"[{"entity": "O'Brien", "entity_type": "PER"}, {"entity_type": "LOC", "entity": "Rome", "start": 3}]"#,
        r#""[{'entity': \"O'Brien\", 'entity_type': 'PER'}, {'entity': 'Rome', 'entity_type': 'LOC'}]""#,
        r#"{"PER": ["O'Brien"], "LOC": ["Rome"]}"#,
        r#""{'PER': [\"O'Brien\"], 'LOC': ['Rome']}""#,
        r#""{'PER': (\"O'Brien\",), 'LOC': ['Rome']}""#,
        // The names that answers use.
        r#"[{"text": "O'Brien", "label": "PER"}, {"name": "Rome", "type": "LOC", "score": 1}]"#,
        r#""[{'entity': \"O'Brien\", 'type': 'PER'}, {'word': 'Rome', 'tag': 'LOC', 'start': 3}]""#,
        r#"[{"text": "O'Brien", "mention": "O'Brien", "label": "PER"}, {"value": "Rome", "entity_type": "LOC"}]"#,
        // Beside those of the published form they are fields like any other.
        r#"[{"entity": "O'Brien", "entity_type": "PER", "text": "x"}, {"entity": "Rome", "entity_type": "LOC", "type": 7}]"#,
        // A text in a text.
        r#""\"[{'entity': \\\"O'Brien\\\", 'entity_type': 'PER'}, {'entity': 'Rome', 'entity_type': 'LOC'}]\"""#,
    ] {
        let line = format!(r#"{{"gold": {label}, "prediction": ""}}"#);
        assert_eq!(one(&line, Preset::Plain).gold, expected, "{label}");
    }
    let line = r#"{"gold": {"PER": []}, "prediction": ""}"#;
    assert!(one(line, Preset::Plain).gold.has_type("PER"));
}

#[test]
fn pairs_and_offsets_are_read_with_what_the_record_says() {
    let expected = gold(&[("PER", "Zoë"), ("LOC", "Rome")]);
    let text = r#""text": "é Zoë saw Rome""#;
    let schema = r#""schema": ["PER", "LOC"]"#;
    for (label, said) in [
        (r#"[["PER", "Zoë"], ["LOC", "Rome"]]"#, text),
        (r#"[["Zoë", "PER"], ["Rome", "LOC"]]"#, text),
        (r#"[["PER", "Zoë"], ["LOC", "Rome"]]"#, schema),
        (r#"[["Zoë", "PER"], ["Rome", "LOC"]]"#, schema),
        (r#""[('Zoë', 'PER'), ['Rome', 'LOC']]""#, schema),
        (r#""({'entity': 'Zoë', 'entity_type': 'PER'}, ('Rome', 'LOC'))""#, text),
        (
            r#"[{"start": 2, "end": 5, "label": "PER"}, {"end": 14, "start": 10, "tag": "LOC"}]"#,
            text,
        ),
        (r#""[{'start': 2, 'end': 5, 'type': 'PER'}, ('LOC', 'Rome')]""#, text),
    ] {
        let line = format!(r#"{{"gold": {label}, {said}, "prediction": ""}}"#);
        assert_eq!(one(&line, Preset::Plain).gold, expected, "{line}");
    }
}

#[test]
fn gold_that_could_mean_two_things_is_refused() {
    let text = r#", "text": "Zoë""#;
    for (label, more, reason) in [
        (
            r#"{"text": "a", "name": "b", "type": "X"}"#,
            "",
            "item 0 of the label has both text and name, which differ",
        ),
        (
            r#"{"text": "a", "label": "X", "tag": "Y"}"#,
            "",
            "item 0 of the label has both label and tag, which differ",
        ),
        (
            r#"{"entity": "X", "text": "a", "type": "X"}"#,
            "",
            "item 0 of the label has both entity and text, which differ",
        ),
        (
            r#"{"text": null, "name": "a", "type": "X"}"#,
            "",
            "text of item 0 of the label is null, and a text was expected",
        ),
        (
            r#"{"text": "a", "type": null}"#,
            "",
            "type of item 0 of the label is null, and a text was expected",
        ),
        (r#"{"text": "a", "text": "a", "type": "X"}"#, "", "item 0 of the label has text twice"),
        (r#"{"entity": "X", "word": "a"}"#, "", "item 0 of the label has no entity_type"),
        (r#"{"type": "X"}"#, "", "item 0 of the label has no entity"),
        ("{}", "", "item 0 of the label has no entity_type"),
        ("null", "", "item 0 of the label is null, and an object was expected"),
        (
            r#"["X", 7]"#,
            text,
            "item 0 of the label is no pair of texts, and an object was expected",
        ),
        ("[]", text, "item 0 of the label is no pair of texts, and an object was expected"),
        (
            r#"["X", "Y"]"#,
            text,
            "which side of the pairs is the type cannot be told: no side alone is among the types asked for, nor stands alone in the text",
        ),
        (
            r#"["Zoë", "X"], ["X", "Zoë"]"#,
            text,
            "pair 1 of the label has its type on the other side than those before",
        ),
        (
            r#"{"type": "X", "start": 1, "end": 4}"#,
            text,
            "item 0 of the label stands from 1 to 4, which is no part of the text of 3 characters",
        ),
        (
            r#"{"type": "X", "start": 2, "end": 2}"#,
            text,
            "item 0 of the label stands from 2 to 2, which is no part of the text of 3 characters",
        ),
        (
            r#"{"type": "X", "start": -1, "end": 2}"#,
            text,
            "start of item 0 of the label is no number of characters",
        ),
        (
            r#"{"type": "X", "start": 0, "end": "2"}"#,
            text,
            "end of item 0 of the label is no number of characters",
        ),
        (r#"{"type": "X", "start": 0}"#, text, "item 0 of the label has no end"),
        (
            r#"{"type": "X", "start": 0, "end": 2}"#,
            "",
            "item 0 of the label has offsets, and the record has no text",
        ),
    ] {
        let line = format!(r#"{{"gold": [{label}]{more}, "prediction": ""}}"#);
        let reason = format!("f:1:10: field gold: {reason}");
        assert_eq!(read(&line, Preset::Plain), [Err(reason)], "{line}");
    }
    for (label, reason) in [
        ("null", "the label is null, and a list of objects was expected"),
        (r#""""#, "the label is neither JSON nor a Python literal: byte 0: no text"),
        (
            r#""{1: ['x']}""#,
            "the label is a dict with a key that is no string, and a list of objects was expected",
        ),
        ("7", "the label is a number, and a list of objects was expected"),
    ] {
        let line = format!(r#"{{"gold": {label}, "prediction": ""}}"#);
        let reason = format!("f:1:10: field gold: {reason}");
        assert_eq!(read(&line, Preset::Plain), [Err(reason)], "{line}");
    }
}

#[test]
fn chats_and_tool_calls_are_read() {
    let chat = r#"{"gold": [], "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "no"}, {"role": "user", "content": [{"type": "text", "text": "Again"}]}, {"role": "assistant", "content": [{"type": "text", "text": "{\"A\""}, {"type": "text", "text": ": []}"}], "tool_calls": [{"function": {"arguments": "{\"B\": []}"}}]}], "schema": {"A": "a thing"}}"#;
    let record = one(chat, Preset::Chat);
    assert_eq!((&*record.answer, record.text.as_deref()), (r#"{"A": []}"#, Some("Again")));
    assert_eq!(record.schema.as_deref(), Some(&["A".to_owned()][..]));
    assert_eq!(one(chat, Preset::ToolCall).answer, r#"{"B": []}"#);
    // Arguments that are no string but JSON already, and a list of entities that is no text.
    let format = RecordFormat::from(Preset::Plain).answer("a[0].b".parse().unwrap());
    let line = r#"{"gold": [], "a": [{"b": [{"type": "PER", "text": "Kim"}]}]}"#;
    assert_eq!(one(line, format).answer, r#"[{"type": "PER", "text": "Kim"}]"#);
}

#[test]
fn errors_name_line_and_field_and_the_next_line_is_read() {
    let file = "{\"gold\": [], \"prediction\": \"{}\"}\n\
        {\"gold\": [}\n\
        {\"prediction\": \"{}\"}\n\
        {\"gold\": []}\n\
        {\"text\": 5, \"gold\": [], \"prediction\": \"\"}\n\
        {\"schema\": [1], \"gold\": [], \"prediction\": \"\"}\n\
        {\"gold\": {\"A\": \"x\"}, \"prediction\": \"\"}\n\
        {\"gold\": \"[{'entity': 1, 'entity_type': 'A'}]\", \"prediction\": \"\"}\n\
        []\n\
        {\"gold\": [], \"prediction\": \"\"} x\n\
        {\"gold\": [], \"prediction\": \"last\"}";
    let found = read(file, Preset::Plain);
    let errors: Vec<&String> = found.iter().filter_map(|r| r.as_ref().err()).collect();
    assert_eq!(found.len(), 11);
    let expected = [
        "f:2:11: no JSON object: expected value",
        "f:3:1: field gold: there is none",
        "f:5:10: field text: the text is no string",
        "f:6:12: field schema: the types that were asked for are no list of strings",
        "f:7:10: field gold: the entities of \"A\" are no list of strings",
        "f:8:10: field gold: entity of item 0 of the label is a number, and a text was expected",
        "f:9:1: no JSON object: it is a list",
        "f:10:32: no JSON object: trailing characters",
    ];
    assert_eq!(errors, expected);
    assert_eq!(found[10].as_ref().unwrap().answer, "last");
    let unanswered = found[3].as_ref().unwrap();
    assert!(unanswered.unanswered && unanswered.answer.is_empty());
}

#[test]
fn what_stands_in_a_line_twice_is_refused_where_it_is_read() {
    let refused = |line: &str, format: RecordFormat| match &read(line, format)[..] {
        [Err(error)] => error.clone(),
        other => panic!("{other:?}"),
    };
    let plain = || RecordFormat::from(Preset::Plain);
    let line = r#"{"gold": [], "prediction": "é", "gold": [["A", "x"]], "prediction": "b"}"#;
    let reason = "f:1:41: field gold: it stands in the line twice, first at column 10";
    assert_eq!(refused(line, plain()), reason);
    // A field in which two are found is no other matter.
    let line = r#"{"messages": [], "gold": [], "messages": []}"#;
    let reason = "f:1:42: field messages: it stands in the line twice, first at column 14";
    assert_eq!(refused(line, Preset::Chat.into()), reason);
    let line = r#"{"gold": {"A": ["x"], "B": [], "A": ["y"]}, "prediction": ""}"#;
    let reason = "f:1:10: field gold: the type \"A\" stands there twice";
    assert_eq!(refused(line, plain()), reason);
    let line = r#"{"instruction": {"input": "a", "input": "b"}, "label": [], "output": ""}"#;
    let reason = "f:1:17: field instruction: schema or input stands there twice";
    assert_eq!(refused(line, Preset::Instruction.into()), reason);
    // Nobody reads the others; of a Python dict's equal keys the last one counts, as in Python.
    let line = r#"{"note": 1, "note": 2, "gold": "{'A': ['x'], 'A': ['y']}", "prediction": ""}"#;
    assert_eq!(one(line, Preset::Plain).gold, gold(&[("A", "y")]));
}

#[test]
fn a_field_that_an_item_has_twice_is_refused() {
    for item in [
        r#"{"entity": "a", "entity_type": "X", "entity": "b"}"#,
        r#"{"entity": null, "entity_type": "X", "entity": "b"}"#,
        r#"{"entity": "a", "start": [], "entity_type": "X", "\u0065ntity": 7}"#,
    ] {
        let good = r#"{"entity": "a", "entity_type": "X"}"#;
        let line = format!(r#"{{"gold": [{good}, {item}], "prediction": ""}}"#);
        let reason = "f:1:10: field gold: item 1 of the label has entity twice";
        assert_eq!(read(&line, Preset::Plain), [Err(reason.to_owned())], "{item}");
        let text = serde_json::to_string(&format!("[{good}, {item}]")).unwrap();
        let line = format!(r#"{{"gold": {text}, "prediction": ""}}"#);
        assert_eq!(read(&line, Preset::Plain), [Err(reason.to_owned())], "{item}");
    }
    let line =
        r#"{"gold": [{"entity": "a", "entity_type": "X", "entity_type": "X"}], "prediction": ""}"#;
    let error = read(line, Preset::Plain)[0].clone().unwrap_err();
    assert!(error.ends_with("item 0 of the label has entity_type twice"), "{error}");
    // Other fields are nobody's business.
    let line =
        r#"{"gold": [{"entity": "a", "entity_type": "X", "x": 1, "x": 2}], "prediction": ""}"#;
    assert_eq!(one(line, Preset::Plain).gold, gold(&[("X", "a")]));
}

#[test]
fn half_of_a_surrogate_pair_is_named_where_it_stands() {
    let half = "is half of a surrogate pair, and no character";
    for (line, place, field) in [
        (r#"{"text": "a\ud83d", "gold": [], "prediction": ""}"#, 12, "text"),
        (r#"{"schema": ["a", "\ud83db"], "gold": [], "prediction": ""}"#, 19, "schema"),
        (r#"{"gold": {"A": ["\uD83D"]}, "prediction": ""}"#, 18, "gold"),
        (r#"{"gold": [{"entity": "é\ude00", "entity_type": "A"}], "prediction": ""}"#, 24, "gold"),
        (r#"{"gold": [["A", "\ud83d"]], "prediction": ""}"#, 18, "gold"),
        (r#"{"gold": "\ud83d", "prediction": ""}"#, 11, "gold"),
        // Escaped twice: in a text in the line, of which the field is named alone.
        (r#"{"gold": "{\"A\": [\"\\ud83d\"]}", "prediction": ""}"#, 10, "gold"),
        (r#"{"gold": "{'A': ['\\ud83d']}", "prediction": ""}"#, 10, "gold"),
        (
            r#"{"gold": "[{'entity': '\\ud83d', 'entity_type': 'A'}]", "prediction": ""}"#,
            10,
            "gold",
        ),
    ] {
        let error = read(line, Preset::Plain)[0].clone().unwrap_err().to_lowercase();
        let escape = if line.contains("ude00") { "\\ude00" } else { "\\ud83d" };
        let expected = format!("f:1:{place}: field {field}: {escape} {half}");
        assert_eq!(error, expected, "{line}");
    }
    let instruction = |instruction: &str| {
        let line = format!(r#"{{"instruction": {instruction}, "label": [], "output": ""}}"#);
        read(&line, Preset::Instruction)[0].clone().map_err(|error| error.to_string())
    };
    let expected = |column: u8| format!("f:1:{column}: field instruction: \\ud83d {half}");
    assert_eq!(instruction(r#"{"input": "\ud83d"}"#), Err(expected(17)));
    assert_eq!(instruction(r#""{\"input\": \"\\ud83d\"}""#), Err(expected(17)));
    assert_eq!(instruction(r#""{\"input\": \"\ud83d\"}""#), Err(expected(32)));
    assert_eq!(instruction(r#""Find \ud83d""#).unwrap().text, None);
    // Whole pairs are characters, and answers are read whatever they are.
    let line = r#"{"text": "\ud83d\ude00", "gold": [], "prediction": "{\"A\": [\"\ud83d\"]}"}"#;
    let record = one(line, Preset::Plain);
    assert_eq!(record.text.as_deref(), Some("\u{1f600}"));
    let answer = AnswerReading::Lenient.read_record(&record);
    assert_eq!(answer.entities.get("A"), ["\u{fffd}"]);
    let kinds: Vec<RepairKind> = answer.repairs.iter().map(|repair| repair.kind).collect();
    assert_eq!((answer.status, kinds), (AnswerStatus::Repaired, vec![RepairKind::Escape]));
    // In a list of messages the others do not matter.
    let line = r#"{"gold": [], "messages": [{"role": "user", "content": "\ud83d"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "{}"}]}"#;
    assert_eq!(one(line, Preset::Chat).text.as_deref(), Some("b"));
}

#[test]
fn what_python_prints_is_named_as_what_it_is() {
    let line = r#"{"gold": "{'A': 'x'}", "prediction": ""}"#;
    let reason = "f:1:10: field gold: the entities of \"A\" are no list of strings";
    assert_eq!(read(line, Preset::Plain), [Err(reason.to_owned())]);
}

#[test]
fn types_of_gold_entities_keep_their_order() {
    let line = r#"{"gold": {"PER": [], "LOC": ["x"]}, "prediction": ""}"#;
    let record = one(line, Preset::Plain);
    assert_eq!(record.gold.types().collect::<Vec<_>>(), ["PER", "LOC"]);
}

#[test]
fn types_are_those_of_their_own_line() {
    let line =
        |types: &str| format!("{{\"schema\": {types}, \"gold\": [], \"prediction\": \"\"}}\n");
    let file = [line(r#"["A"]"#), line(r#"["A"]"#), line(r#"["B"]"#), line("null")].concat();
    let types = read(&file, Preset::Plain).into_iter().map(|r| r.unwrap().schema);
    let types: Vec<Option<Vec<String>>> = types.map(|t| t.map(|t| t.to_vec())).collect();
    let of = |name: &str| Some(vec![name.to_owned()]);
    assert_eq!(types, [of("A"), of("A"), of("B"), None]);
}

#[test]
fn half_of_a_surrogate_pair_in_an_answer_is_what_it_is() {
    let answers = |answer: &str| {
        let record = one(&format!(r#"{{"gold": [], "prediction": {answer}}}"#), Preset::Plain);
        let [strict, lenient] = AnswerReading::ALL.map(|reading| reading.read_record(&record));
        let escapes = lenient.repair(RepairKind::Escape).map_or(0, |repair| repair.count);
        (strict.status, lenient.status, escapes, lenient.entities)
    };
    use AnswerStatus::{Clean, Empty, Repaired, Unparsable, WrongShape};
    for (answer, strict, lenient, escapes) in [
        (r#""{'A': ['a\ud83d', '\ude00']}""#, Unparsable, Repaired, 2),
        (r#""A \ud83d: {\"A\": [\"\\ud83d\"]}""#, Unparsable, Repaired, 2),
        (r#""{} \ud83d""#, Unparsable, Empty, 1),
        (r#""\ud83d""#, Unparsable, Unparsable, 0),
        // As an escape in the text itself it is what Python and JSON have in their strings.
        (r#""{\"A\": [\"\\ud83d\"]}""#, Clean, Repaired, 1),
        (r#""{\"A\": [\"\\ud83d\\ude00\"]}""#, Clean, Clean, 0),
        (r#"{"A": ["\ud83d"]}"#, Clean, Repaired, 1),
        (r#""\"\\ud83d\"""#, WrongShape, WrongShape, 0),
    ] {
        let (of_strict, of_lenient, of_escape, _) = answers(answer);
        assert_eq!((of_strict, of_lenient, of_escape), (strict, lenient, escapes), "{answer}");
    }
    let parts =
        r#"[{"type": "text", "text": "{'A': ['\ud83d!']}"}, {"type": "image", "name": "\ude00"}]"#;
    assert_eq!(answers(parts).3.get("A"), ["\u{fffd}!"]);
}

#[test]
fn bytes_of_an_answer_that_are_no_text_are_what_they_are() {
    let read = |line: &[u8]| {
        let mut reader = RecordReader::new(line, "f", Preset::Plain);
        reader.next().unwrap().map_err(|error| error.to_string())
    };
    let record = read(b"{\"gold\": [], \"prediction\": \"{'A': ['\xe7\x9c', 'b\xff']}\"}").unwrap();
    assert_eq!((&*record.answer, record.not_utf8), ("{'A': ['\u{fffd}', 'b\u{fffd}']}", 2));
    let [strict, lenient] = AnswerReading::ALL.map(|reading| reading.read_record(&record));
    assert_eq!(strict.status, AnswerStatus::Unparsable);
    assert_eq!(strict.fault.unwrap().to_string(), "byte 8: no UTF-8, which Python refuses");
    assert_eq!(lenient.status, AnswerStatus::Repaired);
    assert_eq!(lenient.entities.get("A"), ["\u{fffd}", "b\u{fffd}"]);
    assert_eq!(lenient.repair(RepairKind::NotUtf8).unwrap().count, 2);
    assert!(lenient.repair(RepairKind::Escape).is_none());
    // Both kinds of halves, and an answer that is data.
    let record = read(b"{\"gold\": [], \"prediction\": {\"A\": [\"\\ud83d\", \"\xff\"]}}").unwrap();
    let answer = AnswerReading::Lenient.read_record(&record);
    let kinds = answer.repairs.iter().map(|repair| (repair.kind, repair.count));
    assert_eq!(kinds.collect::<Vec<_>>(), [(RepairKind::Escape, 1), (RepairKind::NotUtf8, 1)]);
    // What the model itself says is no fault of the file.
    let record = read("{\"gold\": [], \"prediction\": \"\u{fffd}\"}".as_bytes()).unwrap();
    assert_eq!(record.not_utf8, 0);
    for (line, column) in [
        (&b"{\"gold\": {\"A\": [\"\xff\"]}, \"prediction\": \"\"}"[..], 18),
        (b"{\"gold\": [], \"prediction\": \"\xff\", \"text\": \"\xc3\xa9\xff\"}", 43),
        (b"{\"gold\": [], \"note\xff\": 1, \"prediction\": \"\xff\"}", 19),
        (b"{\"gold\": [], \"prediction\": \"\"} \xff", 32),
        (b"{\"gold\": [], \"prediction\": \xff}", 28),
        (b"{\"gold\": [], \"prediction\": \"\xff", 29),
    ] {
        let expected = format!("f:1:{column}: invalid UTF-8");
        assert_eq!(read(line), Err(expected), "{}", String::from_utf8_lossy(line));
    }
}

/// What Python's `json.dumps` writes for numbers that are none.
#[test]
fn numbers_that_python_alone_has_are_passed_over() {
    let expected = gold(&[("PER", "Ada")]);
    let item = r#"{"entity": "Ada", "entity_type": "PER", "score": NaN}"#;
    for label in [
        format!("[{item}]"),
        r#"[{"text": "Ada", "type": "PER", "score": -Infinity}]"#.to_owned(),
        format!("{:?}", format!("[{item}]")),
        format!("{:?}", format!("{:?}", format!("[{item}]"))),
        r#"{"PER": ["Ada"]}"#.to_owned(),
    ] {
        let line = format!(
            r#"{{"loss": NaN, "n": [1, {{"a": Infinity}}], "gold": {label}, "prediction": "NaN"}}"#
        );
        let record = one(&line, Preset::Plain);
        assert_eq!((record.gold, record.answer), (expected.clone(), "NaN".to_owned()), "{label}");
    }
    let asked = r#""{\"schema\": [\"PER\"], \"input\": \"Ada\", \"weight\": NaN}""#;
    let as_object = r#"{"schema": ["PER"], "input": "Ada", "weight": -Infinity}"#;
    for instruction in [asked, as_object] {
        let line = format!(r#"{{"instruction": {instruction}, "label": [], "output": "{{}}"}}"#);
        let record = one(&line, Preset::Instruction);
        assert_eq!(record.text.as_deref(), Some("Ada"), "{line}");
        assert_eq!(record.schema.as_deref(), Some(&["PER".to_owned()][..]));
    }
    // What an answer says is left to those who read it; so is an id.
    let line = r#"{"id": NaN, "gold": {}, "prediction": {"PER": ["Ada"], "p": NaN}}"#;
    let record = one(line, Preset::Plain);
    assert_eq!(record.answer, r#"{"PER": ["Ada"], "p": NaN}"#);
    assert_eq!(record.id.id.as_deref(), Some("NaN"));
    let parts = r#"{"gold": {}, "prediction": [{"type": "text", "text": "{}", "p": NaN}]}"#;
    assert_eq!(one(parts, Preset::Plain).answer, "{}");
    let chat = r#"{"gold": {}, "messages": [{"role": "user", "p": NaN}, {"role": "assistant", "content": "x"}]}"#;
    assert_eq!(one(chat, Preset::Chat).answer, "x");

    for (line, error) in [
        (
            r#"{"text": NaN, "gold": {}}"#,
            "f:1:10: field text: NaN, which Python writes where a number or a value is missing",
        ),
        (
            r#"{"x": "é", "gold": -Infinity}"#,
            "f:1:20: field gold: -Infinity, which Python writes where a number or a value is missing",
        ),
        (
            r#"{"gold": [{"entity": NaN, "entity_type": "PER"}]}"#,
            "f:1:10: field gold: entity of item 0 of the label is a number, and a text was expected",
        ),
        (
            r#"{"gold": {"PER": [NaN]}}"#,
            r#"f:1:10: field gold: the entities of "PER" are no list of strings"#,
        ),
        // No reader takes these.
        (r#"{"gold": {}, "x": -NaN}"#, "f:1:20: no JSON object: invalid number"),
        (r#"{"gold": {}, "x": nan}"#, "f:1:20: no JSON object: a word that JSON does not have"),
    ] {
        assert_eq!(read(line, Preset::Plain), [Err(error.to_owned())], "{line}");
    }
}
