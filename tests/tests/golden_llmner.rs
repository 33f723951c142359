//! Answers of language models: read as Python and the published loop read them, and as the policy of
//! the lenient reading says; labels by type.

use std::collections::{BTreeMap, BTreeSet};

use chunkeval::llm::{Answer, AnswerReading, AnswerStatus, Entities, UnmatchableKind};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::{Value, json};

#[test]
fn answers_are_read_strictly_as_python_reads_them() {
    let mut tally = Tally::new("golden llm_ner_parse, strict");
    for line in golden(Kind::LlmNerParse) {
        let expected = &line.value["expect"]["strict"];
        if expected.is_null() {
            tally.skip(&line.place, "no strict reading expected");
            continue;
        }
        let answer = AnswerReading::Strict.read(output(&line));
        let outcome = match answer.status {
            AnswerStatus::Unparsable => "parse_error",
            AnswerStatus::WrongShape => "shape_error",
            _ => "ok",
        };
        let place = place(&line);
        assert_eq!(json!(outcome), expected["outcome"], "{place}: {answer:?}");
        if let Value::Object(sets) = &expected["sets"] {
            let expected: BTreeMap<_, _> =
                sets.iter().map(|(k, v)| (k.clone(), sorted(v))).collect();
            assert_eq!(sets_of(&answer), expected, "{place}");
        }
        tally.ran();
    }
    tally.expect(111);
}

/// The sets in the words of the vectors.
fn sets_of(answer: &Answer) -> BTreeMap<String, Value> {
    let members = |list: &[String]| list.iter().map(|entity| json!(entity)).collect();
    let mut sets: BTreeMap<String, Value> =
        answer.entities.iter().map(|(t, list)| (t.to_owned(), sorted(&members(list)))).collect();
    for other in &answer.unmatchable {
        let set = sets.get_mut(&other.entity_type).unwrap();
        match (other.kind, &mut *set) {
            (UnmatchableKind::LoneSurrogate, _) => {
                *set = json!("has a lone surrogate, not writable as UTF-8");
            }
            (_, Value::Array(members)) => {
                members.push(json!({"non_string": other.shown}));
                *set = sorted(set);
            }
            _ => {}
        }
    }
    sets
}

/// An array as a set; anything else as it is.
fn sorted(set: &Value) -> Value {
    let Value::Array(members) = set else { return set.clone() };
    let distinct: BTreeMap<String, &Value> = members.iter().map(|m| (m.to_string(), m)).collect();
    distinct.into_values().cloned().collect()
}

#[test]
fn answers_are_read_leniently_as_the_policy_says() {
    let mut tally = Tally::new("golden llm_ner_parse, lenient");
    for line in golden(Kind::LlmNerParse) {
        let expected = &line.value["expect"]["lenient"];
        if expected.is_null() {
            tally.skip(&line.place, "no lenient reading expected");
            continue;
        }
        let answer = AnswerReading::Lenient.read(output(&line));
        let status = if answer.is_readable() { "parsed" } else { "unparsable" };
        let place = place(&line);
        assert_eq!(json!(status), expected["status"], "{place}: {answer:?}");
        let expected: Entities = serde_json::from_value(expected["entities"].clone()).unwrap();
        assert_eq!(sets(&answer.entities), sets(&expected), "{place}: {answer:?}");
        tally.ran();
    }
    tally.expect(111);
}

/// The sets of the types that have an entity.
fn sets(entities: &Entities) -> BTreeMap<&str, BTreeSet<&str>> {
    let types = entities.iter().filter(|(_, list)| !list.is_empty());
    types.map(|(t, list)| (t, list.iter().map(String::as_str).collect())).collect()
}

#[test]
fn labels_become_types_with_their_entities() {
    let mut tally = Tally::new("golden llm_ner_label");
    for line in golden(Kind::LlmNerLabel) {
        let expect = &line.value["expect"];
        let found = Entities::from_label_value(&line.value["input"]["label"]);
        if expect.get("error").is_some() {
            assert!(found.is_err(), "{}: {found:?}", line.place);
        } else {
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", line.place));
            let expected: Entities = serde_json::from_value(expect["extra_label"].clone()).unwrap();
            assert_eq!(found, expected, "{}", line.place);
            assert_eq!(
                sets(&found),
                sets(&serde_json::from_value(expect["sets"].clone()).unwrap())
            );
        }
        tally.ran();
    }
    tally.expect(6);
}

fn output(line: &Line) -> &str {
    line.value["input"]["output"].as_str().unwrap()
}

fn place(line: &Line) -> String {
    format!("{} ({}): {:?}", line.place, line.value["params"]["case"], output(line))
}
