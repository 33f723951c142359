//! Where the entities of a record and of an answer stand in its text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use chunkeval_llm::{
    Answer, Entities, EntityPair, ExtractionEvaluator, Grounding, Location, Matching, PairKind,
    Record, ground,
};

use super::example::{Mention, PairError, errors};

/// The entities of a record and of an answer in its text. Each stands where the scores have it: what
/// they tell apart has different places, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) text: String,
    pub(crate) gold: Side,
    pub(crate) predicted: Side,
    /// All errors of the answer; none if it was not read.
    pub(crate) errors: Vec<PairError>,
}

/// The entities of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    /// Types and places in bytes.
    pub(crate) placed: Vec<(String, Location)>,
    /// Those that match nothing and do not stand in the text.
    pub(crate) elsewhere: Vec<Mention>,
    /// Those that match nothing and were listed more often than they stand in the text, where twice
    /// counts twice.
    pub(crate) repeated: Vec<Mention>,
}

impl Marks {
    /// Those of a record and its answer, whose pairs are known; `None` if there is no text.
    pub(crate) fn of(
        record: &Record,
        answer: &Answer,
        pairs: &[EntityPair<'_>],
        metric: &ExtractionEvaluator,
    ) -> Option<Self> {
        let text = record.text.as_ref()?;
        let (gold, predicted) = (lists(&record.gold, metric), lists(&answer.entities, metric));
        let all = || gold.iter().chain(&predicted);
        let mentions: Vec<Vec<&str>> =
            all().map(|(_, list)| list.iter().map(|text| text.as_str()).collect()).collect();
        let found = ground(text, &mentions, metric.normalisation());
        let [mut gold_left, mut left] = unmatched(record, answer, metric);
        let (mut of_gold, mut of_answer) = (Side::default(), Side::default());
        for (at, ((name, list), found)) in all().zip(&found).enumerate() {
            let (side, left) = match at < gold.len() {
                true => (&mut of_gold, &mut gold_left),
                false => (&mut of_answer, &mut left),
            };
            for (text, found) in list.iter().zip(found) {
                if let Some(place) = found.location() {
                    side.placed.push(((*name).to_owned(), place));
                    continue;
                }
                let unmatched = left.get_mut(&(*name, text.as_str())).filter(|n| **n > 0);
                let unplaced = match (found, metric.matching()) {
                    (Grounding::Invented, _) => &mut side.elsewhere,
                    (_, Matching::Multiset) => &mut side.repeated,
                    _ => continue, // not counted
                };
                if let Some(n) = unmatched {
                    *n -= 1;
                    unplaced.push(Mention::new(name, text));
                }
            }
        }
        for no_text in &answer.unmatchable {
            let times = 0..no_text.predictions(metric.matching());
            let mention = |_| Mention::no_text(&no_text.entity_type, &no_text.shown);
            of_answer.elsewhere.extend(times.map(mention));
        }
        let errors = errors(pairs).collect();
        Some(Self { text: text.clone(), gold: of_gold, predicted: of_answer, errors })
    }
}

/// How often each gold entity matches nothing, and each of the answer, by type and text.
fn unmatched<'r>(
    record: &'r Record,
    answer: &'r Answer,
    metric: &ExtractionEvaluator,
) -> [BTreeMap<(&'r str, &'r str), usize>; 2] {
    let mut sides = [BTreeMap::new(), BTreeMap::new()];
    let pairs = metric.pairs(record, answer, 0.0);
    for pair in pairs.iter().filter(|pair| !matches!(pair.kind, PairKind::Right | PairKind::NoText))
    {
        for (side, entity) in sides.iter_mut().zip([pair.gold, pair.predicted]) {
            entity.into_iter().for_each(|entity| *side.entry(entity).or_default() += 1);
        }
    }
    sides
}

/// The lists of each type; where twice counts once, without repeats.
fn lists<'e>(
    entities: &'e Entities,
    metric: &ExtractionEvaluator,
) -> Vec<(&'e str, Vec<&'e String>)> {
    let lists = entities.iter().map(|(name, list)| {
        let mut seen: HashSet<Cow<'_, str>> = HashSet::new();
        let mut first = |text: &&'e String| seen.insert(metric.normalisation().apply(text));
        let once = metric.matching() == Matching::Set;
        (name, list.iter().filter(|text| !once || first(text)).collect())
    });
    lists.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkeval_llm::AnswerReading;

    #[test]
    fn what_the_scores_tell_apart_is_marked_apart() {
        let gold = [("LOC", "Rome"), ("LOC", "Rome"), ("PER", "Ada")];
        let answer = r#"{"LOC": ["Rome", "rome", "Oslo"]}"#;
        let record = Record::new(gold.into_iter().collect(), answer).text("Ada: Rome, Rome");
        let answer = AnswerReading::Lenient.read(&record.answer);
        let marks =
            |metric: &ExtractionEvaluator| Marks::of(&record, &answer, &[], metric).unwrap();
        let sets = marks(&ExtractionEvaluator::new());
        assert_eq!(sets.gold.placed.len(), 2);
        assert_eq!(sets.gold.placed[0], sets.predicted.placed[0]);
        assert_eq!(sets.gold.placed[0].1.start, 5);
        let elsewhere: Vec<&str> = sets.predicted.elsewhere.iter().map(|m| &*m.text).collect();
        assert_eq!(elsewhere, ["rome", "Oslo"]);
        let builder = ExtractionEvaluator::builder().matching(Matching::Grounded);
        let grounded = marks(&builder.build().unwrap());
        assert_eq!((grounded.gold.placed.len(), grounded.predicted.placed.len()), (3, 2));
        assert_eq!(grounded.predicted.elsewhere.len(), 1);
    }

    #[test]
    fn what_has_no_place_is_named_if_it_matches_nothing() {
        let gold = [("LOC", "Oslo"), ("LOC", "Bonn"), ("PER", "Ada")];
        let answer = "{'LOC': ['oslo', 'Rome', 2], 'PER': ['Ada', 'Ada']}";
        let record = Record::new(gold.into_iter().collect(), answer).text("Ada");
        let answer = AnswerReading::Strict.read(&record.answer);
        let named = |matching| {
            let metric = ExtractionEvaluator::builder().matching(matching);
            let metric = metric.normalisation(chunkeval_llm::Normalisation::ALL).build().unwrap();
            let marks = Marks::of(&record, &answer, &[], &metric).unwrap();
            let texts = |list: &[Mention]| list.iter().map(|m| m.text.clone()).collect::<Vec<_>>();
            let Side { elsewhere, repeated, .. } = &marks.predicted;
            (texts(&marks.gold.elsewhere), texts(elsewhere), texts(repeated))
        };
        let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        for matching in Matching::ALL {
            let repeated: &[&str] = if matching == Matching::Multiset { &["Ada"] } else { &[] };
            let wrong = strings(&["Rome", "2 (equals no text)"]);
            let expected = (strings(&["Bonn"]), wrong, strings(repeated));
            assert_eq!(named(matching), expected, "{matching}");
        }
    }
}
