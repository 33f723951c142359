//! Which entities an answer got wrong, for people to look at.

use std::collections::BTreeSet;

use chunkeval_llm::{Answer, Record, RecordId, near_matches};
use serde::Serialize;

/// At most this share of the characters of two texts may differ for one to be near the other.
const NEAR: f64 = 0.5;

/// What is wrong with an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExampleKind {
    /// The answer was not read; what it says instead of entities.
    Unreadable,
    /// A gold entity under another type.
    OtherType,
    /// A gold entity spelled or cut in another way.
    Near,
    /// A gold entity that the answer has not.
    Missed,
    /// An entity that is none.
    Wrong,
}

/// An error of one answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Example {
    pub(crate) kind: ExampleKind,
    #[serde(flatten)]
    pub(crate) id: RecordId,
    pub(crate) gold: Option<Mention>,
    pub(crate) predicted: Option<Mention>,
    /// The text of the record, or the reason why the answer was not read.
    pub(crate) text: String,
}

/// An entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Mention {
    pub(crate) entity_type: String,
    pub(crate) text: String,
}

impl ExampleKind {
    pub(crate) const ALL: [Self; 5] =
        [Self::Unreadable, Self::OtherType, Self::Near, Self::Missed, Self::Wrong];

    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::OtherType => "other type",
            Self::Near => "near",
            Self::Missed => "missed",
            Self::Wrong => "wrong",
        }
    }
}

type Pair<'r> = (&'r str, &'r str);

/// Calls `each` with every error of an answer; each missed and wrong entity is in one of them.
pub(crate) fn examples(record: &Record, answer: &Answer, mut each: impl FnMut(Example)) {
    let mention = |(entity_type, text): Pair<'_>| Mention {
        entity_type: entity_type.to_owned(),
        text: text.to_owned(),
    };
    let mut push = |kind, gold: Option<Pair<'_>>, predicted: Option<Pair<'_>>, text: &str| {
        let (gold, predicted) = (gold.map(mention), predicted.map(mention));
        each(Example { kind, id: record.id.clone(), gold, predicted, text: text.to_owned() });
    };
    if let Some(fault) = &answer.fault {
        return push(ExampleKind::Unreadable, None, None, &fault.to_string());
    }
    let text = record.text.as_deref().unwrap_or_default();
    let set = |entities: &'_ chunkeval_llm::Entities| -> BTreeSet<(String, String)> {
        let lists = entities.iter();
        lists.flat_map(|(name, list)| list.iter().map(|e| (name.to_owned(), e.clone()))).collect()
    };
    let (gold, predicted) = (set(&record.gold), set(&answer.entities));
    let mut missed: BTreeSet<Pair<'_>> = gold.difference(&predicted).map(pair).collect();
    let mut wrong: BTreeSet<Pair<'_>> = predicted.difference(&gold).map(pair).collect();
    for of_gold in missed.clone() {
        let other = wrong.iter().find(|of_answer| of_answer.1 == of_gold.1).copied();
        if let Some(of_answer) = other {
            missed.remove(&of_gold);
            wrong.remove(&of_answer);
            push(ExampleKind::OtherType, Some(of_gold), Some(of_answer), text);
        }
    }
    for near in near_matches(record, answer, NEAR) {
        let (g, p) = ((near.entity_type, near.gold), (near.entity_type, near.predicted));
        if missed.contains(&g) && wrong.contains(&p) {
            missed.remove(&g);
            wrong.remove(&p);
            push(ExampleKind::Near, Some(g), Some(p), text);
        }
    }
    missed.into_iter().for_each(|of_gold| push(ExampleKind::Missed, Some(of_gold), None, text));
    wrong.into_iter().for_each(|of_answer| push(ExampleKind::Wrong, None, Some(of_answer), text));
}

fn pair((entity_type, text): &(String, String)) -> Pair<'_> {
    (entity_type, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkeval_llm::AnswerReading;

    #[test]
    fn each_entity_is_in_one_error() {
        let gold = [("PER", "Ada Lovelace"), ("LOC", "Rome"), ("LOC", "Bonn"), ("ORG", "UN")];
        let answer = r#"{"PER": ["Ada Lovelac", "Rome"], "LOC": ["Paris"], "ORG": ["UN"]}"#;
        let record = Record::new(gold.into_iter().collect(), answer);
        let mut found = Vec::new();
        let answer = AnswerReading::Strict.read(&record.answer);
        examples(&record, &answer, |e| {
            let text = |m: &Option<Mention>| m.as_ref().map_or("-", |m| &m.text).to_owned();
            found.push((e.kind, text(&e.gold), text(&e.predicted)));
        });
        let of = |kind, gold: &str, predicted: &str| (kind, gold.to_owned(), predicted.to_owned());
        assert_eq!(
            found,
            [
                of(ExampleKind::OtherType, "Rome", "Rome"),
                of(ExampleKind::Near, "Ada Lovelace", "Ada Lovelac"),
                of(ExampleKind::Missed, "Bonn", "-"),
                of(ExampleKind::Wrong, "-", "Paris"),
            ]
        );
    }
}
