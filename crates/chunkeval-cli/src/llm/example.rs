//! Which entities an answer got wrong, for people to look at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chunkeval_llm::{Answer, Entities, Fault, Normalisation, Record, RecordId, near_matches};

use super::marks::Marks;

/// At most this share of the characters of two texts may differ for one to be near the other.
const NEAR: f64 = 0.5;

/// So many characters of an answer that was not read are shown.
const SHOWN: usize = 200;

/// What is wrong with an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) kind: ExampleKind,
    pub(crate) id: RecordId,
    pub(crate) gold: Option<Mention>,
    pub(crate) predicted: Option<Mention>,
    /// The text of the record, or the reason why the answer was not read and the answer.
    pub(crate) text: String,
    /// All entities of the record in its text, if it has one; those of one record are shared.
    pub(crate) marks: Option<Arc<Marks>>,
}

/// An entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// What it is.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Unreadable => "an answer that could not be read",
            Self::OtherType => "a gold entity under another type",
            Self::Near => "a gold entity spelled or cut in another way",
            Self::Missed => "a gold entity that the answer has not",
            Self::Wrong => "an entity that is none",
        }
    }
}

type Pair<'r> = (&'r str, &'r str);

/// Calls `each` with every error of an answer; each missed and wrong entity is in one of them. What
/// `how` overlooks is no error.
pub(crate) fn examples(
    record: &Record,
    answer: &Answer,
    how: Normalisation,
    mut each: impl FnMut(Example),
) {
    let mention = |(entity_type, text): Pair<'_>| Mention {
        entity_type: entity_type.to_owned(),
        text: text.to_owned(),
    };
    let mut push = |kind, gold: Option<Pair<'_>>, predicted: Option<Pair<'_>>, text: &str| {
        let (gold, predicted) = (gold.map(mention), predicted.map(mention));
        let (id, text) = (record.id.clone(), text.to_owned());
        each(Example { kind, id, gold, predicted, text, marks: None });
    };
    if let Some(fault) = &answer.fault {
        let text = unread(fault, &record.answer);
        return push(ExampleKind::Unreadable, None, None, &text);
    }
    let text = record.text.as_deref().unwrap_or_default();
    let (gold, predicted) = (keyed(&record.gold, how), keyed(&answer.entities, how));
    let mut missed = without(&gold, &predicted);
    let mut wrong = without(&predicted, &gold);
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

/// The types of the entities that an answer has right, one for each.
pub(super) fn right<'r>(record: &'r Record, answer: &Answer, how: Normalisation) -> Vec<&'r str> {
    let predicted = keyed(&answer.entities, how);
    let gold = keyed(&record.gold, how).into_iter();
    let right = gold.filter(|(key, _)| predicted.contains_key(key));
    right.map(|(_, (entity_type, _))| entity_type).collect()
}

/// Why an answer was not read, and the beginning of it.
fn unread(fault: &Fault, answer: &str) -> String {
    let answer = answer.trim();
    let end = answer.char_indices().nth(SHOWN).map_or(answer.len(), |(at, _)| at);
    match answer.split_at(end) {
        ("", _) => fault.to_string(),
        (start, "") => format!("{fault}: {start}"),
        (start, _) => format!("{fault}: {start}…"),
    }
}

/// Entities by what they are told by: their types and normalised texts.
type Keyed<'e> = BTreeMap<(&'e str, String), Pair<'e>>;

fn keyed(entities: &Entities, how: Normalisation) -> Keyed<'_> {
    let lists = entities.iter();
    let all = lists.flat_map(|(name, list)| list.iter().map(move |text| (name, &**text)));
    all.map(|(name, text)| ((name, how.apply(text).into_owned()), (name, text))).collect()
}

/// The entities that the others have not.
fn without<'e>(entities: &Keyed<'e>, others: &Keyed<'_>) -> BTreeSet<Pair<'e>> {
    let own =
        entities.iter().filter(|((name, text), _)| !others.contains_key(&(*name, text.clone())));
    own.map(|(_, pair)| *pair).collect()
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
        examples(&record, &answer, Normalisation::NONE, |e| {
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

    #[test]
    fn an_answer_that_was_not_read_is_shown() {
        let shown = |answer: &str| {
            let record = Record::new(Entities::default(), answer);
            let (answer, mut text) = (AnswerReading::Lenient.read(answer), String::new());
            examples(&record, &answer, Normalisation::NONE, |e| text = e.text);
            text
        };
        assert_eq!(shown(" Nobody.\n"), "byte 1: no object or list found: Nobody.");
        assert_eq!(shown(""), "byte 0: no text");
        let long = shown(&"é".repeat(201));
        assert!(long.ends_with(&format!(": {}…", "é".repeat(200))), "{long}");
    }

    #[test]
    fn what_is_overlooked_is_no_error() {
        let gold = [("LOC", "Rome")].into_iter().collect();
        let record = Record::new(gold, r#"{"LOC": ["rome"]}"#);
        let count = |how| {
            let mut count = 0;
            let answer = AnswerReading::Lenient.read(&record.answer);
            examples(&record, &answer, how, |_| count += 1);
            count
        };
        assert_eq!((count(Normalisation::NONE), count(Normalisation::ALL)), (1, 0));
    }
}
