//! Which entities an answer got wrong, for people to look at.

use std::sync::Arc;

use chunkeval_llm::{Answer, EntityPair, ExtractionEvaluator, Fault, PairKind, Record, RecordId};

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
    /// An entity of the answer that gold has not.
    Spurious,
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

/// An error of an answer that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairError {
    pub(crate) kind: ExampleKind,
    pub(crate) gold: Option<Mention>,
    pub(crate) predicted: Option<Mention>,
}

/// An entity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    pub(crate) entity_type: String,
    pub(crate) text: String,
}

impl Mention {
    pub(super) fn new(entity_type: &str, text: &str) -> Self {
        Self { entity_type: entity_type.to_owned(), text: text.to_owned() }
    }

    /// A prediction that is no text, such as the number 1, which is not the text `1`.
    pub(super) fn no_text(entity_type: &str, shown: &str) -> Self {
        Self::new(entity_type, &format!("{shown} (equals no text)"))
    }
}

impl ExampleKind {
    pub(crate) const ALL: [Self; 5] =
        [Self::Unreadable, Self::OtherType, Self::Near, Self::Missed, Self::Spurious];

    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::OtherType => "other type",
            Self::Near => "near",
            Self::Missed => "missed",
            Self::Spurious => "spurious",
        }
    }

    /// What it is.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Unreadable => "an answer that could not be read",
            Self::OtherType => "a gold entity under another type",
            Self::Near => "a gold entity spelled or cut in another way",
            Self::Missed => "a gold entity that the answer has not",
            Self::Spurious => "an entity that gold has not",
        }
    }
}

/// The entities of an answer that was read beside the gold ones, as the scores have them; none of
/// an answer that was not.
pub(super) fn pairs<'r>(
    metric: &ExtractionEvaluator,
    record: &'r Record,
    answer: &'r Answer,
) -> Vec<EntityPair<'r>> {
    if answer.is_readable() { metric.pairs(record, answer, NEAR) } else { Vec::new() }
}

/// Calls `each` with the kind of every error of an answer, and with what makes the example of it: of
/// thousands only the first ones are wanted. Each entity of its pairs that is not right is in one of
/// them.
pub(super) fn examples(
    record: &Record,
    answer: &Answer,
    pairs: &[EntityPair<'_>],
    mut each: impl FnMut(ExampleKind, &dyn Fn() -> Example),
) {
    let example = |error: PairError, text| {
        let PairError { kind, gold, predicted } = error;
        Example { kind, id: record.id.clone(), gold, predicted, text, marks: None }
    };
    if let Some(fault) = &answer.fault {
        let kind = ExampleKind::Unreadable;
        let error = || PairError { kind, gold: None, predicted: None };
        return each(kind, &|| example(error(), unread(fault, &record.answer)));
    }
    for error in errors(pairs) {
        let text = || record.text.clone().unwrap_or_default();
        each(error.kind, &|| example(error.clone(), text()));
    }
}

/// What is wrong in the pairs of an answer.
pub(super) fn errors(pairs: &[EntityPair<'_>]) -> impl Iterator<Item = PairError> {
    pairs.iter().filter_map(|pair| {
        let kind = match pair.kind {
            PairKind::OtherType => ExampleKind::OtherType,
            PairKind::Near => ExampleKind::Near,
            PairKind::Missed => ExampleKind::Missed,
            PairKind::Spurious | PairKind::NoText => ExampleKind::Spurious,
            PairKind::Right => return None,
        };
        let mention = |(entity_type, text): (&str, &str)| match pair.kind {
            PairKind::NoText => Mention::no_text(entity_type, text),
            _ => Mention::new(entity_type, text),
        };
        let (gold, predicted) = (pair.gold.map(mention), pair.predicted.map(mention));
        Some(PairError { kind, gold, predicted })
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use chunkeval_llm::{AnswerReading, Entities, Normalisation};

    fn errors(
        metric: &ExtractionEvaluator,
        record: &Record,
        reading: AnswerReading,
    ) -> Vec<Example> {
        let (answer, mut found) = (reading.read(&record.answer), Vec::new());
        examples(record, &answer, &pairs(metric, record, &answer), |_, make| found.push(make()));
        found
    }

    #[test]
    fn each_entity_is_in_one_error() {
        let gold = [("PER", "Ada Lovelace"), ("LOC", "Rome"), ("LOC", "Bonn"), ("ORG", "UN")];
        let answer = r#"{"PER": ["Ada Lovelac", "Rome"], "LOC": ["Paris"], "ORG": ["UN", 1]}"#;
        let record = Record::new(gold.into_iter().collect(), answer);
        let text = |m: &Option<Mention>| m.as_ref().map_or("-", |m| &m.text).to_owned();
        let found = errors(&ExtractionEvaluator::new(), &record, AnswerReading::Strict);
        let found: Vec<_> =
            found.iter().map(|e| (e.kind, text(&e.gold), text(&e.predicted))).collect();
        let of = |kind, gold: &str, predicted: &str| (kind, gold.to_owned(), predicted.to_owned());
        assert_eq!(
            found,
            [
                of(ExampleKind::OtherType, "Rome", "Rome"),
                of(ExampleKind::Near, "Ada Lovelace", "Ada Lovelac"),
                of(ExampleKind::Missed, "Bonn", "-"),
                of(ExampleKind::Spurious, "-", "Paris"),
                of(ExampleKind::Spurious, "-", "1 (equals no text)"),
            ]
        );
    }

    #[test]
    fn an_answer_that_was_not_read_is_shown() {
        let shown = |answer: &str| {
            let record = Record::new(Entities::default(), answer);
            errors(&ExtractionEvaluator::new(), &record, AnswerReading::Lenient).remove(0).text
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
            let metric = ExtractionEvaluator::builder().normalisation(how).build().unwrap();
            errors(&metric, &record, AnswerReading::Lenient).len()
        };
        assert_eq!((count(Normalisation::NONE), count(Normalisation::ALL)), (1, 0));
    }
}
