//! Lines counted as they come are counted as their records are.
#![allow(clippy::unwrap_used)]

mod common;

use chunkeval_core::{Mergeable, Metric};
use chunkeval_llm::{
    AnswerReading, ExtractionEvaluator, JsonLines, LineEvaluator, Matching, Preset, RecordBatch,
    RecordFormat, RecordParser,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use common::repr;

type Types = Vec<(String, Vec<String>)>;

/// Types with lists of entities, mostly plain ones, sometimes with everything that makes trouble.
fn types() -> impl Strategy<Value = Types> {
    let plain = || "[a-cA美国台\u{ff21}]{1,3}|[a-b]{8,12}";
    let odd = r#"[ab 美'"\\<>`~\u{3000}\u{feff}\u{e9}\n\t{}\[\]:,#/-]{0,9}"#;
    let text = || {
        prop_oneof![30 => plain(), 1 => odd, 1 => select(vec!["<think>", "</think>", "```", " a"])
        .prop_map(str::to_owned)]
    };
    let name = prop_oneof![20 => select(vec!["PER", "LOC"]).prop_map(str::to_owned),
        3 => select(vec!["organisation", "entities", "text", "类型", " x"]).prop_map(str::to_owned), 1 => text()];
    vec((name, vec(text(), 0..4)), 0..4)
}

fn quoted(text: &str, python: bool) -> String {
    if python { repr(text) } else { json!(text).to_string() }
}

fn dict(types: &Types, python: bool, gap: &str) -> String {
    let list = |list: &[String]| {
        let items: Vec<String> = list.iter().map(|text| quoted(text, python)).collect();
        format!("[{}]", items.join(&format!(",{gap}")))
    };
    let pairs = types.iter().map(|(name, l)| format!("{}:{gap}{}", quoted(name, python), list(l)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(&format!(",{gap}")))
}

fn label(types: &Types, python: bool, turned: bool) -> String {
    let items = types.iter().flat_map(|(name, list)| {
        list.iter().map(move |text| {
            let mut fields = [("entity", text), ("entity_type", name)];
            if turned {
                fields.reverse();
            }
            let [first, second] = fields.map(|(field, text)| {
                format!("{}: {}", quoted(field, python), quoted(text, python))
            });
            format!("{{{first}, {second}}}")
        })
    });
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// What happens to an answer or a line.
#[derive(Clone, Debug)]
enum Damage {
    None,
    Cut(Index),
    Put(Index, char),
    Around(&'static str, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let signs: Vec<char> = "\"'\\[]{},: \n\t`~<#美".chars().collect();
    let around = select(vec![("```json\n", "\n```"), ("So: ", "."), (" ", " "), ("", "\n")]);
    prop_oneof![
        4 => Just(Damage::None),
        2 => any::<Index>().prop_map(Damage::Cut),
        2 => (any::<Index>(), select(signs)).prop_map(|(at, sign)| Damage::Put(at, sign)),
        1 => around.prop_map(|(before, behind)| Damage::Around(before, behind)),
    ]
}

impl Damage {
    fn to(&self, text: &str) -> String {
        let at = |index: &Index| text.floor_char_boundary(index.index(text.len() + 1));
        match self {
            Self::None => text.to_owned(),
            Self::Cut(index) => text[..at(index)].to_owned(),
            Self::Put(index, sign) => {
                let (before, behind) = text.split_at(at(index));
                format!("{before}{sign}{behind}")
            }
            Self::Around(before, behind) => format!("{before}{text}{behind}"),
        }
    }
}

/// A line of one of two formats.
fn line(preset: Preset) -> impl Strategy<Value = String> {
    let text = "[ab美国台， A]{0,8}|[a-c美\\n\"\\\\]{0,4}";
    let schema = select(vec![Some(vec!["PER", "LOC"]), Some(vec!["LOC"]), Some(vec![" x"]), None]);
    let how = any::<[bool; 8]>();
    let broken = prop_oneof![9 => Just(Damage::None), 1 => damage()];
    (types(), types(), text, schema, how, damage(), broken).prop_map(
        move |(gold, said, text, schema, how, damage, broken)| {
            let [python_gold, python, as_label, turned, gold_itself, itself, escaped, more] = how;
            let gold = match as_label {
                true => label(&gold, python_gold, turned),
                false => dict(&gold, python_gold, " "),
            };
            let said = damage.to(&dict(&said, python, if more { " " } else { "" }));
            let string = |text: &str| match escaped && more {
                true => json!(text).to_string().replace('美', "\\u7f8e"),
                false => json!(text).to_string(),
            };
            let parsed = |itself: bool, text: &str| match serde_json::from_str::<Value>(text) {
                Ok(value) if itself && more => value.to_string(),
                Ok(_) if itself => text.to_owned(),
                _ => string(text),
            };
            let (gold, mut said) = (parsed(gold_itself, &gold), parsed(itself && escaped, &said));
            if escaped && turned {
                said = said.replace('台', "\\ud83d"); // half of a surrogate pair
            }
            let line = match preset {
                Preset::Plain => {
                    let schema = json!(schema);
                    let text = string(&text);
                    format!(
                        r#"{{"text": {text}, "schema": {schema}, "gold": {gold}, "prediction": {said}}}"#
                    )
                }
                _ => {
                    let mut asked = json!({"instruction": "Find 美 in the input!", "input": text});
                    if let Some(schema) = schema {
                        asked["schema"] = json!(schema);
                    }
                    let asked = match (turned, more) {
                        (true, true) => asked.to_string(),
                        (true, false) => json!(text).to_string(),
                        _ => string(&asked.to_string()),
                    };
                    format!(
                        r#"{{"id": {}, "instruction": {asked}, "label": {gold}, "output": {said}, "more": [{asked}, 1.5]}}"#,
                        said.len()
                    )
                }
            };
            broken.to(&line).replace('\n', " ")
        },
    )
}

/// The lines counted in both ways; those that cannot be used are the same ones.
fn check(lines: &[String], format: &RecordFormat, metric: &ExtractionEvaluator) {
    let file = lines.join("\n");
    let mut fast = LineEvaluator::new(metric.clone(), format.clone());
    let mut plain = metric.clone();
    let mut counted = metric.clone();
    let mut parser = RecordParser::new(format.clone());
    let mut all = JsonLines::new(file.as_bytes(), "f");
    while let Some(line) = all.next_line().unwrap() {
        let record = parser.parse(line);
        let found = fast.count(line).map_err(|e| e.to_string());
        assert_eq!(found, record.as_ref().map(drop).map_err(ToString::to_string), "{}", line.text);
        if let Ok(record) = record {
            plain.update(RecordBatch::new(&[record])).unwrap();
        }
        // Nothing is left from one block to the next.
        if line.number.is_multiple_of(3) {
            counted.merge(&fast.take().unwrap()).unwrap();
        }
        let mut sum = counted.clone();
        sum.merge(&fast.clone().take().unwrap()).unwrap();
        assert!(sum.state() == plain.state(), "{}", line.text);
    }
}

fn metrics() -> [ExtractionEvaluator; 4] {
    let builder = || ExtractionEvaluator::builder().list_first(2);
    [
        builder().build().unwrap(),
        builder().readings([AnswerReading::Strict]).build().unwrap(),
        builder().readings([AnswerReading::Lenient]).build().unwrap(),
        builder().matching(Matching::Multiset).build().unwrap(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn lines_count_as_their_records_do(
        published in vec(line(Preset::Instruction), 1..6),
        plain in vec(line(Preset::Plain), 1..4),
        which in 0..4_usize,
    ) {
        let metric = &metrics()[which];
        check(&published, &Preset::Instruction.into(), metric);
        check(&plain, &Preset::Plain.into(), metric);
    }
}

/// A text with more bytes than are searched at once, without any space.
#[test]
fn mentions_stand_in_long_texts() {
    let text = "今天".repeat(200) + "张三";
    let said = json!({"PER": ["张三", "李四", "张"]});
    let line = |text: &str| json!({"text": text, "gold": {}, "prediction": said}).to_string();
    let lines = [line(&text), line(&text.repeat(3)), line("张三")];
    let mut metric = ExtractionEvaluator::new();
    check(&lines, &Preset::Plain.into(), &metric);
    let mut counting = LineEvaluator::new(metric.clone(), Preset::Plain);
    let file = lines.join("\n");
    let mut all = JsonLines::new(file.as_bytes(), "f");
    while let Some(line) = all.next_line().unwrap() {
        counting.count(line).unwrap();
    }
    metric.merge(&counting.take().unwrap()).unwrap();
    assert_eq!(metric.accumulate().readings[0].mentions.invented, 3);
}

/// Most of them are usual lines; some are what a reader would like to take for one.
#[test]
fn lines_that_look_usual_count_as_their_records_do() {
    let lines = [
        r#"{"gold": [], "prediction": "{}"}"#,
        r#"{"gold": {}, "prediction": "{}", "text": null, "schema": null}"#,
        r#" {"gold": {}, "prediction": "{}"}"#,
        r#"{"gold": {"A": []}, "prediction": "{'A': ['x', 'x']}", "text": "y"}"#,
        r#"{"gold": {"A": ["x"]}, "prediction": "{'A': ['x'], 'A': ['y']}"}"#,
        r#"{"gold": "{'A': ['x'], 'A': ['y']}", "prediction": "{}"}"#,
        r#"{"gold": {"A": ["x"], "A": []}, "prediction": "{}"}"#,
        r#"{"gold": {"A": ["x"]}, "gold": [], "prediction": "{}"}"#,
        r#"{"gold": {"A": ["x"]}, "prediction": "{}", "prediction": ""}"#,
        r#"{"gold": [], "text": "a", "text": "b", "prediction": "{}"}"#,
        r#"{"gold": [], "prediction": "{\"entities\": []}"}"#,
        r#"{"gold": [], "prediction": "{\"entities\": ["}"#,
        r#"{"gold": [], "prediction": "{\"entities\": [\"x\"]}"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"<think>\"]}"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"```js"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\""}"#,
        r#"{"gold": [], "prediction": "{\"A"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"], \"B"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"], \"B\""}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"], \"B\":"}"#,
        r#"{"gold": [], "prediction": "{'A': ['x'], 'B': ['y', 'z"}"#,
        r#"{"gold": [], "prediction": "{'A': ['x'], 'B'"}"#,
        "{\"gold\": [], \"prediction\": \"{'A': ['x\u{feff}\"}",
        r#"{"gold": [{"entity": "x", "entity_type": "A", "entity": "y"}], "prediction": "{}"}"#,
        r#"{"gold": [{"entity": null, "entity_type": "A", "entity": "y"}], "prediction": "{}"}"#,
        r#"{"gold": [{"entity": "\ud83d", "entity_type": "A"}], "prediction": "{}"}"#,
        r#"{"gold": [], "text": "\ud83d", "prediction": "{}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['\ud83d']}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['\\ud83d']}"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"] \"B\": []}"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\",]}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['''x''']}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['x' 'y']}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['x\"y']}"}"#,
        r#"{"gold": [], "prediction": "{'A': ['x\u0027]}"}"#,
        r#"{"gold": [], "prediction": {"A": ["x"]}}"#,
        r#"{"gold": [], "prediction": {'A': ['x']}}"#,
        r#"{"gold": [], "prediction": null}"#,
        r#"{"gold": {"A": ["x"]}, "prediction": "{\"A\":[1,1,2,\"x\"]}"}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"]} "}"#,
        r#"{"gold": [], "prediction": "\ufeff{\"A\": [\"x\"]}"}"#,
        r#"{"gold": [["A", "x"]], "prediction": "{\"A\": [\"x\"]}"}"#,
        r#"{"gold": [["A", "x"]], "prediction": "{\"A\": [\"x\"]}", "text": "x"}"#,
        r#"{"gold": [["A", "x"]], "prediction": "{\"A\": [\"x\"]}", "schema": ["x"]}"#,
        r#"{"gold": [{"text": "x", "label": "A"}], "prediction": "{\"A\": [\"x\"]}"}"#,
        r#"{"gold": [{"start": 0, "end": 1, "label": "A"}], "prediction": "{}", "text": "x"}"#,
        r#"{"gold": [{"entity": "x", "entity_type": "A", "start": 1}], "prediction": "{}"}"#,
        r#"{"gold": [{"entity": "x", "entity": "A"}], "prediction": "{}"}"#,
        r#"{"gold": "[{'entity': 'x', 'entity_type': 'A'},]", "prediction": "{}"}"#,
        r#"{"gold": [], "prediction": "{}"} x"#,
        r#"{"gold": [], "prediction": "{}",}"#,
        r#"{"gold": [], "prediction": "{}", "n": 01}"#,
        r#"{"gold": [], "prediction": "{}", "n": "\x"}"#,
        r#"{"gold": [], "prediction": "{}", "n": [[[]]]}"#,
        r#"{"gold":[]"#,
        r#"{"gold": []}"#,
        r#"{"gold": [], "prediction": "{\"A\": [\"x\"]}</think>{}"}"#,
        "{\"gold\": [],\t\"prediction\": \"{}\"}",
        "{\"gold\": [], \"prediction\": \"{}\", \"n\": \"\t\"}",
    ];
    let lines = lines.map(str::to_owned);
    for metric in metrics() {
        for line in &lines {
            check(std::slice::from_ref(line), &Preset::Plain.into(), &metric);
        }
        check(&lines, &Preset::Plain.into(), &metric);
    }
}

/// More than is compared each with each.
#[test]
fn long_lists_and_many_types_count_as_their_records_do() {
    let names: Vec<String> = (0..120).map(|n| format!("type number {n}")).collect();
    let list = |most: usize| json!({"A": names.iter().take(most).collect::<Vec<_>>()});
    let of_types = |most: usize| -> Value {
        names.iter().take(most).map(|name| (name.clone(), json!(["x"]))).collect::<Value>()
    };
    let mut lines = Vec::new();
    for most in [1, 13, 48, 49, 120] {
        for (gold, said) in [(list(most), list(most + 1)), (of_types(most), of_types(9))] {
            lines.push(json!({"gold": gold, "prediction": said.to_string()}).to_string());
        }
    }
    for metric in metrics() {
        check(&lines, &Preset::Plain.into(), &metric);
    }
}
