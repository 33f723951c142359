//! The published loop's treatment of an evaluated answer: of each value a set.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::literal::Literal;
use super::parser::literal;
use super::text::PyText;
use crate::{Answer, AnswerStatus, Entities, Fault, FaultKind, Unmatchable, UnmatchableKind};

/// What the published loop gets: `eval`, then `set(value)` for each type; with a key, of what stands
/// under it.
pub(crate) fn read(text: &str, key: Option<&str>) -> Answer {
    let said = match (literal(text), key) {
        (Ok(Literal::Dict(pairs)), Some(key)) => {
            // The last of equal keys, as in Python.
            let under = pairs.into_iter().rev().find(|(name, _)| name.text() == Some(key));
            under.map(|(_, value)| value).ok_or_else(|| {
                Fault::new(FaultKind::NotAnAnswer("a dict without the key of the answer"), 0)
            })
        }
        (said, _) => said,
    };
    let pairs = match said {
        Ok(Literal::Dict(pairs)) => pairs,
        Ok(other) => {
            let fault = Fault::new(FaultKind::NotAnAnswer(other.name()), 0);
            return Answer::unreadable(AnswerStatus::WrongShape, fault);
        }
        Err(fault) => {
            let status = match fault.kind {
                FaultKind::NotAnAnswer(_) => AnswerStatus::WrongShape,
                _ => AnswerStatus::Unparsable,
            };
            return Answer::unreadable(status, fault);
        }
    };
    let status = if pairs.is_empty() { AnswerStatus::Empty } else { AnswerStatus::Clean };
    let mut sets = Sets::default();
    for (key, value) in pairs {
        if let Err(what) = sets.add(&key, value) {
            let entity_type = name(&key);
            let fault = Fault::new(FaultKind::NotASet { entity_type, value: what }, 0);
            return Answer::unreadable(AnswerStatus::WrongShape, fault);
        }
    }
    Answer {
        status,
        entities: sets.entities,
        repairs: Vec::new(),
        malformed: Vec::new(),
        unmatchable: sets.unmatchable,
        fault: None,
    }
}

/// A key as the name of a type.
fn name(key: &Literal) -> String {
    key.text().map_or_else(|| key.to_string(), str::to_owned)
}

#[derive(Default)]
struct Sets {
    entities: Entities,
    unmatchable: Vec<Unmatchable>,
}

impl Sets {
    /// Adds a type; `Err` says of what Python can make no set.
    fn add(&mut self, key: &Literal, value: Literal) -> Result<(), &'static str> {
        let entity_type = name(key);
        self.entities.declare(&entity_type);
        let mut listed = HashMap::new(); // where each value is listed
        for member in members(value)? {
            match member {
                Literal::Text(PyText::Utf8(text)) if key.text().is_some() => {
                    self.entities.push(&entity_type, text);
                }
                other => {
                    let value = other.key().map_err(|_| "a list of lists, sets or dicts")?;
                    match listed.entry(value) {
                        Entry::Vacant(entry) => {
                            entry.insert(self.unmatchable.len());
                            self.unmatchable.push(Unmatchable {
                                entity_type: entity_type.clone(),
                                kind: kind(key, &other),
                                shown: other.to_string(),
                                repeats: 0,
                            });
                        }
                        Entry::Occupied(entry) => {
                            if let Some(first) = self.unmatchable.get_mut(*entry.get()) {
                                first.repeats += 1;
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn kind(key: &Literal, member: &Literal) -> UnmatchableKind {
    match member {
        _ if key.text().is_none() => UnmatchableKind::Key,
        Literal::Text(PyText::Surrogates(_)) => UnmatchableKind::LoneSurrogate,
        _ => UnmatchableKind::NotText,
    }
}

/// What `set()` goes over: of a string its characters, of a dictionary its keys.
fn members(value: Literal) -> Result<Vec<Literal>, &'static str> {
    let mut seen = HashSet::new();
    Ok(match value {
        Literal::List(items) | Literal::Tuple(items) | Literal::Set(items) => items,
        Literal::Dict(pairs) => pairs.into_iter().map(|(key, _)| key).collect(),
        Literal::Text(text) => {
            let distinct = text.codes().into_iter().filter(|code| seen.insert(*code));
            distinct.map(|code| Literal::Text(code.into())).collect()
        }
        Literal::Bytes(bytes) => {
            let distinct = bytes.into_iter().filter(|byte| seen.insert(u32::from(*byte)));
            distinct.map(|byte| Literal::Small(i64::from(byte))).collect()
        }
        other => return Err(other.name()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Answer {
        super::read(text, None)
    }

    fn entities(text: &str) -> String {
        serde_json::to_string(&read(text).entities).unwrap()
    }

    #[test]
    fn every_value_is_a_set() {
        assert_eq!(entities("{'LOC': ['美', '台', '美']}"), r#"{"LOC":["美","台","美"]}"#);
        assert_eq!(entities("{'LOC': ('美',), 'PER': {'台'}}"), r#"{"LOC":["美"],"PER":["台"]}"#);
        // A string is a set of its characters, a dictionary one of its keys.
        assert_eq!(entities("{'LOC': '美国'}"), r#"{"LOC":["美","国"]}"#);
        assert_eq!(entities("{'LOC': {'entity': '美'}}"), r#"{"LOC":["entity"]}"#);
        // The last of two equal keys wins.
        assert_eq!(entities("{'LOC': ['美'], 'LOC': ['台']}"), r#"{"LOC":["台"]}"#);
    }

    #[test]
    fn what_is_no_text_counts_and_equals_nothing() {
        let answer = read("{'DATE': [2008, '2009', 2008.0, 2008], 1: ['a', 'a']}");
        assert_eq!(serde_json::to_string(&answer.entities).unwrap(), r#"{"DATE":["2009"],"1":[]}"#);
        let listed: Vec<_> =
            answer.unmatchable.iter().map(|u| (u.kind, u.shown.as_str(), u.repeats)).collect();
        let expected = [(UnmatchableKind::NotText, "2008", 2), (UnmatchableKind::Key, "'a'", 1)];
        assert_eq!(listed, expected);
        let answer = read(r"{'X': ['\ud83d', 'a']}");
        assert_eq!(answer.entities.get("X"), ["a"]);
        assert_eq!(answer.unmatchable[0].kind, UnmatchableKind::LoneSurrogate);
    }

    #[test]
    fn what_has_no_set_is_of_wrong_shape() {
        for text in
            ["['a']", "42", "None", "{'a': None}", "{'a': 1}", "{'a': [['b']]}", "{'a': [{}]}"]
        {
            let answer = read(text);
            assert_eq!(answer.status, AnswerStatus::WrongShape, "{text}");
            assert!(answer.entities.is_empty(), "{text}");
        }
        let fault = read("{'a': None}").fault.unwrap();
        assert_eq!(
            fault.to_string(),
            "byte 0: the value of a is None, of which Python makes no set"
        );
        assert_eq!(read("{'a': null}").status, AnswerStatus::Unparsable);
        assert_eq!(read("{}").status, AnswerStatus::Empty);
    }

    #[test]
    fn what_stands_under_a_key_is_the_answer() {
        let under = |text: &str| super::read(text, Some("entities"));
        let answer = under("{'why': 'x', 'entities': {'LOC': ['Rome']}}");
        assert_eq!(answer.status, AnswerStatus::Clean);
        assert_eq!(answer.entities.get("LOC"), ["Rome"]);
        assert!(!answer.entities.has_type("why"));
        // `eval(output)["entities"]` fails, or gives a list.
        for text in ["{'LOC': ['Rome']}", "['Rome']", "{'entities': ['Rome']}"] {
            assert_eq!(under(text).status, AnswerStatus::WrongShape, "{text}");
        }
        assert_eq!(under("{'entities': ").status, AnswerStatus::Unparsable);
    }
}
