//! The lenient reading, point by point: each case is a text and what it means. What is repaired
//! changes the status, not the entities.

use chunkeval_llm::{
    Answer, AnswerReading, AnswerStatus, Entities, MalformedKind, Record, RepairKind,
};

fn read(text: &str) -> Answer {
    AnswerReading::Lenient.read(text)
}

/// The types that have entities, with the entities: `LOC: Rome, Bonn | PER: Ann`.
fn said(text: &str) -> String {
    let answer = read(text);
    if !answer.is_readable() {
        return "nothing".to_owned();
    }
    let types = answer.entities.iter().filter(|(_, list)| !list.is_empty());
    types.map(|(t, list)| format!("{t}: {}", list.join(", "))).collect::<Vec<_>>().join(" | ")
}

#[track_caller]
fn all_say(expected: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(said(text), expected, "{text}");
    }
}

const ROME: &str = "LOC: Rome";

#[test]
fn point_1_thoughts_space_null_and_strings() {
    all_say(
        ROME,
        &[
            r#"<think>{"LOC": ["Bonn"]}</think>{"LOC": ["Rome"]}"#,
            "<think>a\nb</think>\n\n{\"LOC\": [\"Rome\"]}\n<think>and",
            r#"{"LOC": <think>?</think>["Rome"]}"#,
            r#"<thinking>{"LOC": ["Bonn"]}</thinking>{"LOC": ["Rome"]}"#,
            "\u{feff}\u{3000} {\"LOC\": [\"Rome\"]} \u{a0}\n",
            r#""{\"LOC\": [\"Rome\"]}""#,
            r#"'{"LOC": ["Rome"]}'"#,
            r#"“{"LOC": ["Rome"]}”"#,
            r#""```json\n{\"LOC\": [\"Rome\"]}\n```""#,
            r#"{\"LOC\": [\"Rome\"]}"#,
        ],
    );
    all_say(
        "nothing",
        &["", " \n", "<think>{\"LOC\": [\"Rome\"]}", "\u{feff}", "NULL", "\"Rome\""],
    );
    for text in ["null", "None", " null\n", "<think>none?</think>None", "\"null\""] {
        assert_eq!(read(text).status, AnswerStatus::Empty, "{text}");
    }
    // Opened once, not twice.
    all_say("nothing", &[r#""\"{\\\"LOC\\\": [\\\"Rome\\\"]}\"""#]);
}

#[test]
fn point_2_which_group_is_the_answer() {
    all_say(
        ROME,
        &[
            "{\"PER\": [\"Ann\"]}\n```json\n{\"LOC\": [\"Rome\"]}\n```",
            "```\nno\n```\n~~~\n{\"LOC\": [\"Rome\"]}\n~~~\nthen {\"PER\": []}",
            "{} or rather {\"LOC\": [\"Rome\"]}",
            "```json\n{}\n```\nor rather {\"LOC\": [\"Rome\"]}",
            "[PER, LOC] of {text} (see [1]): {\"LOC\": [\"Rome\"]}",
            "{\"LOC\": [\"Rome\"]} then {\"PER\": [\"Ann\"]}",
            "{\"LOC\": [\"Rome\"]}```",
            "```json {\"LOC\": [\"Rome\"]}```",
            "Result: ```json\n{\"LOC\": [\"Rome\"]}",
            r#""LOC": ["Rome"]}"#,
            r#""LOC": "Rome""#,
            r#"“LOC”：[“Rome”]｝"#,
            r#""PER": [], "LOC": ["Rome"]}"#,
            "［“LOC”：“Rome”］",
        ],
    );
    // The first that names a type wins, with or without entities.
    all_say("", &[r#"{"PER": []} or rather {"LOC": ["Rome"]}"#, "no: {} [] {}", "[1, 2] but {}"]);
    all_say("nothing", &["Rome", "LOC: Rome", "42", "true", "(\"Rome\")", r#""LOC" and "PER""#]);
    all_say(
        "TOOL: ```rust",
        &["```json\n{\"TOOL\": [\"```rust\"]}\n```", "{\"TOOL\": [\"```rust\"]}"],
    );
}

#[test]
fn point_3_neighbours_are_one_answer() {
    all_say(
        "LOC: Rome | PER: Ann",
        &[
            "{\"LOC\": [\"Rome\"]}\n{\"PER\": [\"Ann\"]}",
            r#"{"LOC": ["Rome"]}, {"PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome"]}，{}{"PER": ["Ann"]} and {"PER": ["Bo"]}"#,
            r#"[{"LOC": ["Rome"]}] [{"PER": ["Ann"]}]"#,
            "{\"type\": \"LOC\", \"text\": \"Rome\"}\n{\"type\": \"PER\", \"text\": \"Ann\"}",
            "[\"Ann\"] {\"LOC\": [\"Rome\"]} {\"PER\": [\"Ann\"]}",
            "{\"entities\": {\"LOC\": [\"Rome\"]}}\n{\"entities\": {\"PER\": [\"Ann\"]}}",
        ],
    );
    all_say(ROME, &[r#"{"LOC": ["Rome"]}; {"PER": ["Ann"]}"#]);
    let answer = read("[LOC] {\"LOC\": [\"Rome\"]}");
    assert_eq!(answer.malformed, []);
}

#[test]
fn point_4_brackets_separators_and_comments() {
    all_say(
        "LOC: Rome, Bonn | PER: Ann",
        &[
            r#"{"LOC": ["Rome", "Bonn"], "PER": ["Ann"]}"#,
            r#"{"LOC": ("Rome", "Bonn"), "PER": {"Ann"}}"#,
            r#"｛"LOC"：（"Rome"，"Bonn"）；"PER"：［"Ann"］｝"#,
            r#"{"LOC" = ["Rome"、"Bonn"]; "PER" => ["Ann"]}"#,
            r#"{"LOC": : ["Rome", "Bonn"], "PER": = "Ann"}"#,
            "\u{feff}{\u{200b}\"LOC\": [\"Rome\"\u{200b}, \u{feff}\"Bonn\"],\u{2060} \"PER\"\u{200d}: [\"Ann\"]}",
            r#"{, "LOC":: [,"Rome",, "Bonn",],,"PER": ["Ann"],}"#,
            r#"{"LOC": ["Rome" "Bonn"] "PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome""Bonn"]"PER": "Ann"}"#,
            "{# a\n\"LOC\": [\"Rome\", // b\n /* c */\"Bonn\"], \"PER\": /**/ [\"Ann\"] # d\n}",
            r#"{"LOC": ["Rome", "Bonn"), "PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome", "Bonn"}, "PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome", "Bonn"]], ), "PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome", "Bonn", "PER": ["Ann"]}"#,
            r#"{"LOC": [["Rome", ["Bonn", PER: ["Ann"]}"#,
            r#"["LOC": ["Rome", "Bonn"], "PER": ["Ann"]]"#,
            r#"{"LOC": ["Rome", "Bonn"]}, "PER": ["Ann"]}"#,
            r#"{"LOC": [{"text": "Rome"}, {"text": "Bonn"}]}, "PER": ["Ann"]} and {"PER": ["Bo"]}"#,
            r#"{{"LOC": ["Rome", "Bonn"], "PER": ["Ann"]}}"#,
            r#"[{"LOC": ["Rome", "Bonn"}, {"PER": ["Ann"]}]"#,
            r#"{"LOC": ["Rome", "Bonn"] "PER": ["Ann"]"#,
        ],
    );
    all_say(
        ROME,
        &[r#"{"LOC": ["Rome"}"#, "{\"LOC\": [\"Rome\"}\nThat is: all.", r#"{"LOC": ["Rome""#],
    );
    // A set has equal members once, a list or tuple has them as often as they are listed.
    let listed = |text: &str| read(text).entities.get("X").to_vec();
    assert_eq!(listed("{'X': {'a', 'b', \"a\", 1, 1, '1'}}"), ["a", "b", "1", "1"]);
    assert_eq!(listed("{'X': ('a', 'b', 'a')}"), ["a", "b", "a"]);
    all_say(ROME, &["{'LOC': {'Rome'}, 'PER': set()}"]);
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(read(&nested(64)).status, AnswerStatus::Empty);
    assert_eq!(read(&nested(65)).status, AnswerStatus::Unparsable);
    let many = |items: usize| format!("{{\"LOC\": [{}]}}", "\"Rome\",".repeat(items));
    assert_eq!(read(&many(65_000)).entities.len(), 65_000);
    assert_eq!(read(&many(66_000)).status, AnswerStatus::Unparsable);
    let objects = |depth: usize| r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth);
    assert_eq!(read(&objects(64)).status, AnswerStatus::Clean);
    assert_eq!(read(&objects(65)).status, AnswerStatus::Unparsable);
}

#[test]
fn point_5_strings_and_words() {
    all_say(
        "PER: O'Hara, say \"hi\" now",
        &[
            r#"{"PER": ["O'Hara", "say \"hi\" now"]}"#,
            r#"{"PER": ["O'Hara", "say "hi" now"]}"#,
            r#"{'PER': ['O'Hara', 'say "hi" now']}"#,
            r#"{‘PER’: [‘O'Hara’, ‘say "hi" now’]}"#,
            r#"{“PER”: [“O'Hara”, “say "hi" now”]}"#,
            r#"{”PER”: [”O'Hara”, ”say "hi" now”]}"#,
            r#"{＂PER＂: [＂O'Hara＂, ＂say "hi" now＂]}"#,
            r#"{＇PER＇: [＇O'Hara＇, ＇say "hi" now＇]}"#,
            r#"{u'PER': [b"O'Hara", R'say "hi" now']}"#,
            r#"{"PER": ["\x4f\u0027\110\U00000061ra", "say \42hi\u0022 now"]}"#,
            r#"{PER: [O'Hara, "say "hi" now"]}"#,
            r#"{PER": [O'Hara // a word
                , "say "hi" now" # a string
            ]}"#,
        ],
    );
    all_say(
        "X: 红“楼”梦：上，下",
        &[r#"{"X": ["红“楼”梦：上，下"]}"#, r#"{“X": [“红“楼”梦：上，下”]}"#],
    );
    all_say("X: say \"hi\"", &[r#"{“X”: [“say "hi"”]}"#]);
    all_say("X: \\d/\\u4\\N{DIGIT ONE}", &[r#"{"X": ["\d\/\u4\N{DIGIT ONE}"]}"#]);
    all_say("X: 😀, \u{fffd}, \u{fffd}a", &[r#"{"X": ["\ud83d\ude00", "\ud83d", "\ude00a"]}"#]);
    all_say("X: \\n", &[r#"{"X": [r"\n"]}"#]);
    all_say("X: New\nYork", &["{\"X\": [\"New\nYork\"]}", r#"{"X": ["New\nYork"]}"#]);
    all_say("X: ab", &["{\"X\": [\"a\\\nb\"]}", "{\"X\": [\"a\\\r\nb\"]}"]);
    all_say("X: a, b", &[r#"{“X”: [“a", “b”]}"#, r#"{‘X’: [‘a', ‘b’]}"#, r#"{"X": ["a"“b”]}"#]);
    all_say(
        "X: New York, 12:30, http://a.b/c, 北京(中国), C#",
        &[
            "{X: [New York, 12:30, http://a.b/c, 北京(中国), C#]}",
            "{X: [New York\n12:30\nhttp://a.b/c\n北京(中国)\nC#\n]}",
        ],
    );
    // Where a comma lacks before a word, a string takes neither the next key nor the end with it.
    all_say(
        "LOC: New York, Bonn | PER: Ann",
        &[
            r#"{"LOC": ["New York" Bonn], "PER": ["Ann"]}"#,
            r#"{"LOC": ["New York" Bonn, "PER": ["Ann"]}"#,
            r#"{'LOC': ['New York' Bonn] , 'PER' : ['Ann']}"#,
            r#"{“LOC”：[“New York” Bonn]，“PER”：[“Ann”]}"#,
            r#"{"LOC": ["New York" Bonn]} {"PER": "Ann" and} of "Rome""#,
            r#"[{"LOC": ["New York" Bonn]}, {"PER": ["Ann"]}]"#,
        ],
    );
    all_say("LOC: Rome | PER: Ann", &[r#"{"LOC": "Rome" and, "PER": "Ann"}"#]);
    all_say(
        "LOC: Rome | PER: Ann",
        &[r#"[{"type": "LOC", "text": "Rome" now}, {"type": "PER", "text": "Ann"}]"#],
    );
    all_say("LOC: Rome\" Bonn, \"Oslo", &[r#"{"LOC": ["Rome" Bonn, "Oslo"]}"#]);
    // Nor does one whose own quote is missing.
    all_say(
        "LOC: Rome, Bonn (x) | PER: Ann",
        &[
            r#"{"LOC": ["Rome", "Bonn (x)], "PER": ["Ann"]}"#,
            r#"{"LOC": ["Rome", "Bonn (x), "PER": ["Ann"]}"#,
            r#"[{"LOC": ["Rome", "Bonn (x)]}, {"PER": ["Ann"]}]"#,
            r#"{“LOC”：[“Rome”，“Bonn (x)]，“PER”：[“Ann”]}"#,
        ],
    );
    all_say(ROME, &[r#"[{"type": "LOC, "text": "Rome"}]"#, r#"{"LOC": "Rome, "PER": null}"#]);
    // Of two quotes in a row the first belongs to an open one within.
    all_say(
        "X: say \"hi\", b",
        &[
            r#"{"X": ["say "hi"", "b"]}"#,
            r#"{'X': ['say "hi"', 'b']}"#,
            r#"{“X”: [“say "hi"”“b”]}"#,
        ],
    );
    all_say(
        "X: a, b | Y: c",
        &[r#"{"X"": ["a"", "b""], "Y": "c""}"#, "{“X”：[“a””，“b”]，“Y””：“c”}"],
    );
    all_say("X: 他说：“好”, 书", &[r#"{“X”：[“他说：“好””，“书”]}"#]);
    all_say("X: O'Brien, Ann", &[r#"{'X': ['O'Brien''Ann']}"#]);
    // Line breaks that are escaped outside strings, too, as where a string lost its quotes.
    all_say(
        "LOC: Rome, Bonn | PER: Ann",
        &[
            r#"{\n  "LOC": [\n"Rome",\n\t"Bonn"\n  ],\n  "PER": ["Ann"]\r\n}"#,
            r#"{\n  \"LOC\": [\"Rome\", \"Bonn\"],\n  \"PER\": [\"Ann\"]\n}"#,
        ],
    );
    all_say("X: \\new", &[r"{X: [\new]}"]);
    // What the end cuts off is dropped.
    all_say(
        ROME,
        &[
            r#"{"LOC": ["Rome", "Bo"#,
            r#"{"LOC": ["Rome", Bo"#,
            r#"{"LOC": ["Rome", 20"#,
            r#"{"LOC": ["Rome", "B\u00"#,
            r#"{"LOC": ["Rome", "B\"#,
            r#"{"LOC": ["Rome"], "PE"#,
            r#"{"LOC": ["Rome"], "PER""#,
            r#"{"LOC": ["Rome"], "PER":"#,
            r#"{"LOC": ["Rome"], "PER": ["#,
            r#"{"LOC": ["Rome"], "PER": "An"#,
            r#"{"LOC": ["Rome"], PER"#,
            r#"{"LOC": ["Rome"], "PER": nul"#,
            r#"{"LOC": ["Rome"] /* and"#,
            r#"[{"type": "LOC", "text": "Rome"}, {"type": "PER", "te"#,
            r#"[{"type": "LOC", "text": "Rome"}, {"text": "Ann""#,
        ],
    );
    assert!(read(r#"{"LOC": ["Rome", "Bo"#).is_truncated());
    assert!(!read(r#"{"LOC": ["Rome"]} and"#).is_truncated());
}

#[test]
fn point_6_values() {
    all_say(
        "X: 1, -0, 3.50, 1e3, True, false, a",
        &[
            "{\"X\": [1, -0, 3.50, 1e3, True, false, 'a']}",
            "{\"X\": [[1], [[-0, null], [3.50], []], 1e3, [[[True]]], false, None, {\"entity\": 'a'}]}",
            "{\"X\": [1, {'text': -0}, {'name': '3.50'}, {'word': [1e3]}, {'span': True}, {'mention': {'value': false}}, {'value': 'a', 'id': 7}]}",
        ],
    );
    all_say("X: 北京、上海", &[r#"{"X": "北京、上海"}"#]);
    all_say(
        "X: a",
        &[r#"{"X": {"name": "b", "entity": "a"}}"#, r#"{"X": {"entity": null, "name": "a"}}"#],
    );
    all_say(
        "",
        &[
            r#"{"X": null}"#,
            r#"{"X": {}}"#,
            r#"{"X": {"y": "z"}}"#,
            r#"{"X": [null, [], {}]}"#,
            r#"{"X": , }"#,
        ],
    );
}

#[test]
fn point_7_shapes() {
    all_say(
        "LOC: Rome, Bonn | PER: Ann",
        &[
            r#"[{"entity": "Rome", "entity_type": "LOC"}, {"entity": "Bonn", "entity_type": "LOC"}, {"entity": "Ann", "entity_type": "PER"}]"#,
            r#"[{"text": "Rome", "type": "LOC"}, {"label": "LOC", "name": "Bonn"}, {"word": "Ann", "tag": "PER", "score": 0.9}]"#,
            r#"[{"span": ["Rome", "Bonn"], "category": "LOC"}, {"mention": "Ann", "type": null, "label": "PER"}]"#,
            r#"[{"type": "LOC", "text": "Rome"}, {"text": "Kim"}, {"type": 3, "text": "Kim"}, "Kim", {"LOC": ["Kim"]}, {"type": "PER"}, {"type": "LOC", "text": "Bonn"}, {"type": "PER", "text": 7}, {"type": "PER", "text": "Ann"}]"#,
            r#"[{"LOC": ["Rome"]}, {"LOC": ["Bonn"], "PER": "Ann"}]"#,
            r#"{"entities": {"LOC": ["Rome", "Bonn"], "PER": ["Ann"]}}"#,
            r#"{"output": [{"LOC": ["Rome", "Bonn"]}, {"PER": ["Ann"]}]}"#,
            r#"{"answer": {"result": [[{"type": "LOC", "value": "Rome"}, {"type": "LOC", "value": "Bonn"}], [{"type": "PER", "value": "Ann"}]]}}"#,
        ],
    );
    all_say(ROME, &[r#"{"entity": "Rome", "entity_type": "LOC"}"#]);
    all_say(
        "entities: Rome",
        &[
            r#"{"entities": ["Rome"]}"#,
            r#"{"entities": "Rome"}"#,
            r#"{"entities": ["Rome"], "PER": null}"#,
        ],
    );
    all_say("output: Rome | PER: Ann", &[r#"{"output": {"text": "Rome"}, "PER": ["Ann"]}"#]);
    all_say("type: a | name: b", &[r#"{"type": ["a"], "name": ["b"]}"#]);
    all_say(
        "entity: Rome",
        &[r#"[{"entity": "Rome"}]"#, r#"[{"entity": "Rome", "entity_type": "LO"#],
    );
    all_say("nothing", &[r#"["Rome"]"#, r#"[["Rome", "LOC"]]"#, "[1, 2]", r#"{"Rome", "Bonn"}"#]);
    for text in [
        "{}",
        "[]",
        "[{}]",
        "[null]",
        r#"{"entities": []}"#,
        r#"{"answer": null}"#,
        "{",
        "[",
        r#"{"LOC""#,
        "{LOC",
        r#"{"LOC":"#,
    ] {
        assert_eq!(read(text).status, AnswerStatus::Empty, "{text}");
    }
}

#[test]
fn point_8_trimmed_and_joined() {
    all_say(
        "LOC: Rome, Bonn | loc: Rome | ＬＯＣ: Ｒome",
        &[
            r#"{" LOC": [" Rome\n", "", " "], "LOC\t": "Bonn", "loc": "Rome", "": ["a"], " ": "b", "ＬＯＣ": "Ｒome"}"#,
        ],
    );
    let answer = read(r#"{"LOC": ["Rome", "Rome"]}"#);
    assert_eq!(answer.entities.get("LOC"), ["Rome", "Rome"]);
    assert_eq!(answer.status, AnswerStatus::Clean);
}

#[test]
fn what_gave_no_entity_is_listed_with_its_place() {
    let text = r#"<think>?</think>{"LOC": ["Rome", null, ""], "": 1, "PER": {"age": 7}}"#;
    let answer = read(text);
    let listed: Vec<_> = answer
        .malformed
        .iter()
        .map(|m| (m.kind, m.entity_type.as_deref(), m.shown.as_str()))
        .collect();
    let expected = [
        (MalformedKind::Null, Some("LOC"), "null"),
        (MalformedKind::EmptyEntity, Some("LOC"), "\"\""),
        (MalformedKind::EmptyType, None, "1"),
        (MalformedKind::NoEntity, Some("PER"), r#"{"age": 7}"#),
    ];
    assert_eq!(listed, expected);
    for malformed in &answer.malformed {
        assert!(text[malformed.offset..].starts_with(&malformed.shown), "{malformed:?}");
    }

    let answer = read(
        r#"[{"type": "A", "text": 7}, {"text": "b"}, "c", {"type": "D"}, {"type": " ", "text": "e"}]"#,
    );
    let kinds: Vec<_> = answer.malformed.iter().map(|m| m.kind).collect();
    let expected = [
        MalformedKind::NotText,
        MalformedKind::NoType,
        MalformedKind::NotAnObject,
        MalformedKind::NoEntity,
        MalformedKind::EmptyType,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn every_repair_has_its_name_count_and_place() {
    for (kind, count, offset, text) in [
        (RepairKind::Thought, 2, 2, r#"  <think>a</think>{"A": "b"}<think>"#),
        (RepairKind::Fence, 1, 5, "So:\n ```\n{\"A\": \"b\"}\n```"),
        (RepairKind::Surroundings, 1, 11, r#" {"A": "b"} and"#),
        (RepairKind::OpenedString, 1, 1, r#" "{\"A\": \"b\"}""#),
        (RepairKind::Joined, 2, 11, r#"{"A": "b"} {"A": "c"} {"A": "d"}"#),
        (RepairKind::MissingBrace, 1, 0, r#""A": "b"}"#),
        (RepairKind::Truncated, 1, 16, r#"{"A": "b", "C": "d"#),
        (RepairKind::Bracket, 2, 6, r#"{"A": ("b")}"#),
        (RepairKind::Closer, 1, 10, r#"{"A": ["b")}"#),
        (RepairKind::KeyInList, 1, 12, r#"{"A": ["b", "C": "d"}"#),
        (RepairKind::Separator, 3, 10, r#"{"A": ["b";"c" "d",]}"#),
        (RepairKind::Colon, 2, 4, r#"{"A"："b", "C" = "d"}"#),
        (RepairKind::Unpaired, 1, 11, r#"{"A": "b", "C"}"#),
        (RepairKind::Comment, 2, 1, "{// a\n\"A\": /* b */ \"c\"}"),
        (RepairKind::Quotes, 2, 1, r#"{'A': u"b"}"#),
        (RepairKind::Unescaped, 1, 8, r#"{"A": "b"c"}"#),
        (RepairKind::Escape, 2, 8, r#"{"A": "b\'\d"}"#),
        (RepairKind::BareWord, 2, 1, r#"{A: None}"#),
        (RepairKind::Trimmed, 1, 6, r#"{"A": " b"}"#),
        (RepairKind::EqualKeys, 1, 16, r#"{"A": "b", "A": "c"}"#),
    ] {
        let answer = read(text);
        let repair = answer.repair(kind).unwrap_or_else(|| panic!("{kind} in {text}: {answer:?}"));
        assert_eq!((repair.count, repair.offset), (count, offset), "{kind} in {text}");
        assert_eq!(answer.status, AnswerStatus::Repaired, "{text}");
    }
}

#[test]
fn what_stands_under_the_key_of_the_answer() {
    let under = |text: &str| {
        let record = Record::new(Entities::default(), text).answer_key("entities");
        AnswerReading::Lenient.read_record(&record)
    };
    let texts = [
        r#"{"why": "a name", "entities": [{"type": "PER", "text": "Ada"}], "count": 1}"#,
        r#"{"why": "a name", "entities": {"PER": ["Ada"]}}"#,
        r#"{"entities": [{"PER": ["Ada"]}], "PER": ["Bo"]}"#,
        r#"Here: {"why": "a name", "entities": [["x", {"type": "PER", "text": "Ada"}"#,
        r#""{\"entities\": {\"PER\": [\"Ada\"]}, \"why\": 1}""#,
        // Without the key: as a whole.
        r#"{"PER": ["Ada"]}"#,
        r#"[{"type": "PER", "text": "Ada"}]"#,
    ];
    for text in texts {
        let answer = under(text);
        assert_eq!(
            serde_json::to_string(&answer.entities).unwrap(),
            r#"{"PER":["Ada"]}"#,
            "{text}"
        );
    }
    // Nothing is under it; or nothing that names a type, which is told.
    for (text, malformed) in [
        (r#"{"why": "nothing there", "entities": []}"#, 0),
        (r#"{"why": "nothing there", "entities": null}"#, 0),
        (r#"{"why": "nothing there", "entities": [null]}"#, 1),
    ] {
        let answer = under(text);
        assert_eq!((answer.status, answer.entities.len()), (AnswerStatus::Empty, 0), "{text}");
        assert_eq!(answer.malformed.len(), malformed, "{text}");
    }
    // What would be no answer is none under the key.
    for value in [r#"["Ada", "Bo"]"#, r#"[["Ada", "PER"]]"#, r#""Ada""#, "5"] {
        let answer = under(&format!(r#"{{"why": "names", "entities": {value}}}"#));
        assert_eq!(answer.status, AnswerStatus::WrongShape, "{value}");
    }
    // Twice it counts twice, as a type does.
    let answer = under(r#"{"entities": {"PER": ["Ada"]}, "entities": {"LOC": ["Rome"]}}"#);
    assert_eq!((answer.status, answer.entities.len()), (AnswerStatus::Repaired, 2));
    assert_eq!(answer.repairs[0].kind, RepairKind::EqualKeys);
}
