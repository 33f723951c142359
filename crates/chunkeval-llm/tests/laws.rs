//! What holds for every answer: what is printed can be read, and repairs that change nothing change
//! nothing.

mod common;

use chunkeval_llm::{AnswerReading, AnswerStatus, Entities, Preset, RecordReader};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use common::repr;

/// Types with lists of entities; what trimming would change is left out.
fn entities() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    let text =
        "[a-zA-Z0-9'\"\\\\{}\\[\\],:;#/ \u{e9}\u{7f8e}\u{1f600}\u{201c}\u{201d}\u{ff0c}\n\t-]{1,6}";
    let text = text.prop_map(|text: String| text.trim().to_owned());
    let text = text.prop_filter("an empty text is no entity", |text| !text.is_empty());
    let text = text.prop_filter("thoughts are dropped", |text| !text.contains("<think>"));
    let name = text.clone().prop_filter("a field or wrapper is no type", |name| {
        !["entities", "output", "result", "answer", "type"].contains(&name.as_str())
    });
    vec((name, vec(text, 0..4)), 1..4).prop_map(|types| {
        let mut distinct: Vec<(String, Vec<String>)> = Vec::new();
        for (name, list) in types {
            if distinct.iter().all(|(other, _)| *other != name) {
                distinct.push((name, list));
            }
        }
        distinct
    })
}

/// An item of gold entities: type, entity, the character where it begins, and a name for types.
type Shape = fn(&str, &str, usize, &str) -> Value;

fn collected(types: &[(String, Vec<String>)]) -> Entities {
    let mut entities = Entities::default();
    for (name, list) in types {
        entities.declare(name);
        for entity in list {
            entities.push(name, entity.as_str());
        }
    }
    entities
}

fn json_text(types: &[(String, Vec<String>)], comma: &str, colon: &str) -> String {
    let list = |list: &[String]| {
        let items: Vec<String> = list.iter().map(|entity| json!(entity).to_string()).collect();
        format!("[{}]", items.join(comma))
    };
    let pairs: Vec<String> =
        types.iter().map(|(name, l)| format!("{}{colon}{}", json!(name), list(l))).collect();
    format!("{{{}}}", pairs.join(comma))
}

fn python_text(types: &[(String, Vec<String>)]) -> String {
    let list = |list: &[String]| list.iter().map(|e| repr(e)).collect::<Vec<_>>().join(", ");
    let pairs: Vec<String> =
        types.iter().map(|(name, l)| format!("{}: [{}]", repr(name), list(l))).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn has_bracket((name, list): &(String, Vec<String>)) -> bool {
    list.iter().chain([name]).any(|text| text.contains(['{', '[']))
}

/// The types that have entities.
fn full(entities: &Entities) -> Vec<(&str, &[String])> {
    entities.iter().filter(|(_, list)| !list.is_empty()).collect()
}

fn lenient(text: &str) -> Entities {
    let answer = AnswerReading::Lenient.read(text);
    assert!(answer.is_readable(), "{text}: {answer:?}");
    answer.entities
}

proptest! {
    #[test]
    fn what_json_prints_is_read_as_it_is(types in entities()) {
        let expected = collected(&types);
        for text in [json_text(&types, ",", ":"), json_text(&types, ",\n \t", " : ")] {
            let answer = AnswerReading::Lenient.read(&text);
            prop_assert_eq!(answer.status, AnswerStatus::Clean, "{}: {:?}", text, answer.repairs);
            prop_assert_eq!(&answer.entities, &expected, "{}", text);
            let answer = AnswerReading::Strict.read(&text);
            prop_assert_eq!(&answer.entities, &expected, "{}", text);
        }
        let escaped = json!(json_text(&types, ",", ":")).to_string();
        prop_assert_eq!(lenient(&escaped), expected, "{}", escaped);
    }

    #[test]
    fn what_python_prints_is_read_as_it_is(types in entities()) {
        let text = python_text(&types);
        let expected = collected(&types);
        let answer = AnswerReading::Strict.read(&text);
        prop_assert_eq!(answer.status, AnswerStatus::Clean, "{}", text);
        prop_assert_eq!(&answer.entities, &expected, "{}", text);
        prop_assert_eq!(lenient(&text), expected, "{}", text);
    }

    #[test]
    fn the_order_of_types_changes_nothing(types in entities()) {
        let mut turned = types.clone();
        turned.reverse();
        prop_assert_eq!(lenient(&json_text(&types, ",", ":")), lenient(&json_text(&turned, ",", ":")));
    }

    #[test]
    fn harmless_repairs_change_nothing(types in entities(), which in 0..9_usize) {
        let plain = json_text(&types, ", ", ": ");
        let damaged = match which {
            0 => format!("```json\n{plain}\n```"),
            1 => format!("<think>{{\"X\": [\"y\"]}}</think>\n{plain}"),
            2 => format!("Here it is: {plain} Done."),
            3 => json_text(&types, "，", "："),
            4 => json_text(&types, ",, ", " = "),
            5 => json_text(&types, " /* , */ , // :\n", ":"),
            6 => json_text(&types, "、\u{3000}", "："),
            7 => plain[1..].to_owned(),
            _ => format!("[{plain}, {{}}]"),
        };
        // Without its first brace an answer is not told from the brackets in its strings.
        prop_assume!(which != 7 || !types.iter().any(has_bracket));
        let (found, expected) = (lenient(&damaged), collected(&types));
        prop_assert_eq!(full(&found), full(&expected), "{}", damaged);
    }

    #[test]
    fn what_lacks_in_one_list_spoils_no_other(
        lists in vec(("[a-z]{1,4}( [a-z]{1,4})?", 0..3_usize), 1..5),
        which in 0..3_usize,
    ) {
        let [open, close] = [["\"", "\""], ["'", "'"], ["“", "”"]][which];
        let (mut expected, last) = (Entities::default(), lists.len() - 1);
        let types = lists.into_iter().enumerate().map(|(number, (text, lacks))| {
            let name = format!("T{number}");
            expected.push(&name, &*text);
            let list = match lacks {
                0 => {
                    expected.push(&name, "b c"); // without comma and quotes
                    format!("[{open}{text}{close} b c]")
                }
                1 if number < last => format!("[{open}{text}]"),
                _ => format!("[{open}{text}{close}]"),
            };
            format!("{open}{name}{close}: {list}")
        });
        let answer = format!("{{{}}}", types.collect::<Vec<_>>().join(", "));
        prop_assert_eq!(lenient(&answer), expected, "{}", answer);
    }

    #[test]
    fn an_answer_cut_short_says_nothing_new(types in entities(), at in any::<prop::sample::Index>()) {
        let plain = json_text(&types, ", ", ": ");
        let at = plain.floor_char_boundary(at.index(plain.len()).max(1));
        let answer = AnswerReading::Lenient.read(&plain[..at]);
        prop_assert!(answer.is_readable() && answer.is_truncated(), "{}: {:?}", &plain[..at], answer);
        for (name, list) in answer.entities.iter() {
            let whole = &types.iter().find(|(other, _)| other == name).unwrap().1;
            prop_assert!(whole.starts_with(list), "{} of {}", name, plain);
        }
    }

    #[test]
    fn a_label_is_read_from_json_and_from_python(types in entities()) {
        let pairs = || types.iter().flat_map(|(t, list)| list.iter().map(move |e| (t, e)));
        let expected: Entities = pairs().map(|(t, e)| (t.as_str(), e.as_str())).collect();
        let value: Value = pairs().map(|(t, e)| json!({"entity": e, "entity_type": t})).collect();
        let python: Vec<String> = pairs()
            .map(|(t, e)| format!("{{'entity': {}, 'entity_type': {}}}", repr(e), repr(t)))
            .collect();
        prop_assert_eq!(Entities::from_label_value(&value).unwrap(), expected.clone());
        prop_assert_eq!(Entities::from_label(&value.to_string()).unwrap(), expected.clone());
        let python = format!("[{}]", python.join(", "));
        prop_assert_eq!(Entities::from_label(&python).unwrap(), expected.clone());
        prop_assert_eq!(Entities::from_label_value(&json!(python)).unwrap(), expected);
    }

    #[test]
    fn gold_entities_are_the_same_in_every_shape(
        pairs in vec(("[AB]", 0_usize..5, prop::sample::select(vec!["type", "label", "category", "tag"])), 1..6),
    ) {
        let words = ["é", "Zoë", "北京", "\u{1f600}x", "y z"];
        let text = words.join(" ");
        let expected: Entities = pairs.iter().map(|(t, at, _)| (t.as_str(), words[*at])).collect();
        let start = |at: usize| words[..at].iter().map(|word| word.chars().count() + 1).sum::<usize>();
        let shapes: [Shape; 5] = [
            |of, word, _, _| json!({"entity": word, "entity_type": of, "text": 1}),
            |of, word, _, name| json!({name: of, "text": word}),
            |of, word, start, name| json!({name: of, "start": start, "end": start + word.chars().count()}),
            |of, word, _, _| json!([word, of]),
            |of, word, _, _| json!([of, word]),
        ];
        for shape in shapes {
            let gold: Value =
                pairs.iter().map(|(of, at, name)| shape(of, words[*at], start(*at), name)).collect();
            let line = json!({"text": text, "gold": gold, "prediction": "{}"}).to_string();
            let mut records = RecordReader::new(line.as_bytes(), "f", Preset::Plain);
            let record = records.next().unwrap();
            prop_assert_eq!(&record.unwrap().gold, &expected, "{}", line);
        }
    }

    #[test]
    fn any_text_has_an_answer(text in "[\\PC\n{}\\[\\](),:;=\"'“”`~#/\\\\]{0,40}") {
        for reading in [AnswerReading::Strict, AnswerReading::Lenient] {
            let answer = reading.read(&text);
            prop_assert_eq!(answer.is_readable(), answer.fault.is_none());
            prop_assert!(answer.is_readable() || answer.entities.types().len() == 0);
        }
    }
}
