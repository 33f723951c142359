//! [`EntityPair`]: which prediction belongs to which gold entity.

use std::collections::{BTreeMap, VecDeque};

use crate::compare::{Key, Rule, keyed};
use crate::near::nearest;
use crate::{Answer, ExtractionEvaluator, Record};

/// A gold entity of a record and the prediction that belongs to it, or one of them alone: see
/// [`ExtractionEvaluator::pairs`](crate::ExtractionEvaluator::pairs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityPair<'r> {
    /// What they have to do with each other.
    pub kind: PairKind,
    /// Type and text of the gold entity.
    pub gold: Option<(&'r str, &'r str)>,
    /// Type and text of the prediction.
    pub predicted: Option<(&'r str, &'r str)>,
}

/// What a gold entity and a prediction have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairKind {
    /// They match.
    Right,
    /// They would, if their types were the same.
    OtherType,
    /// Of one type and spelled or cut in another way, as in [`near_matches`](crate::near_matches).
    Near,
    /// A gold entity alone.
    Missed,
    /// A prediction alone.
    Spurious,
    /// A prediction alone that equals no text ([`Unmatchable`](crate::Unmatchable)), as Python
    /// prints it.
    NoText,
}

impl ExtractionEvaluator {
    /// Which prediction of an answer belongs to which gold entity, by the rule of the scores: every
    /// entity that [`compare`](Self::compare) counts is in one pair, so the pairs add up to its
    /// counts. Near are pairs in which at most `share` of the characters of the longer text differ.
    ///
    /// The record is taken as it stands: [`AnswerReading::record`](crate::AnswerReading::record) has
    /// it as a reading takes it. Of an answer that was not read every gold entity is missed.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, Entities, ExtractionEvaluator, PairKind, Record};
    ///
    /// let gold: Entities = [("LOC", "Rome"), ("PER", "Ada"), ("LOC", "Bonn")].into_iter().collect();
    /// let record = Record::new(gold, r#"{"LOC": ["Rome", "Bon"], "ORG": ["Ada"]}"#);
    /// let answer = AnswerReading::Lenient.read(&record.answer);
    /// let metric = ExtractionEvaluator::new();
    /// let kinds: Vec<_> = metric.pairs(&record, &answer, 0.5).iter().map(|p| p.kind).collect();
    /// assert_eq!(kinds, [PairKind::Right, PairKind::OtherType, PairKind::Near]);
    /// ```
    #[must_use]
    pub fn pairs<'r>(
        &self,
        record: &'r Record,
        answer: &'r Answer,
        share: f64,
    ) -> Vec<EntityPair<'r>> {
        pairs(self.options().rule, record, answer, share)
    }
}

/// An entity with what it is told by.
struct Entity<'r> {
    entity_type: &'r str,
    text: &'r str,
    key: Key,
}

impl<'r> Entity<'r> {
    fn shown(&self) -> (&'r str, &'r str) {
        (self.entity_type, self.text)
    }
}

/// The pairs of a record and an answer; `share` says what is near.
pub(crate) fn pairs<'r>(
    rule: Rule,
    record: &'r Record,
    answer: &'r Answer,
    share: f64,
) -> Vec<EntityPair<'r>> {
    let [mut missed, mut spurious] = keyed(rule, record, answer).map(|side| {
        let entity = |(entity_type, text, key)| Entity { entity_type, text, key };
        let mut side: Vec<Entity<'r>> = side.into_iter().map(entity).collect();
        side.sort_by_key(Entity::shown);
        side
    });
    let mut pairs = Vec::new();
    let mut push = |kind, gold: Option<&Entity<'r>>, predicted: Option<&Entity<'r>>| {
        let (gold, predicted) = (gold.map(Entity::shown), predicted.map(Entity::shown));
        pairs.push(EntityPair { kind, gold, predicted });
    };
    for (gold, predicted) in equal(&mut missed, &mut spurious, |entity| entity.entity_type) {
        push(PairKind::Right, Some(&gold), Some(&predicted));
    }
    for (gold, predicted) in equal(&mut missed, &mut spurious, |_| "") {
        push(PairKind::OtherType, Some(&gold), Some(&predicted));
    }
    for (gold, predicted) in near(&mut missed, &mut spurious, share) {
        push(PairKind::Near, Some(&gold), Some(&predicted));
    }
    missed.iter().for_each(|gold| push(PairKind::Missed, Some(gold), None));
    spurious.iter().for_each(|predicted| push(PairKind::Spurious, None, Some(predicted)));
    for prediction in &answer.unmatchable {
        let predicted = Some((&*prediction.entity_type, &*prediction.shown));
        let pair = EntityPair { kind: PairKind::NoText, gold: None, predicted };
        pairs.extend((0..prediction.predictions(rule.matching)).map(|_| pair));
    }
    pairs
}

type Pairs<'r> = Vec<(Entity<'r>, Entity<'r>)>;

/// Takes the pairs with equal keys out of two lists, where what `of` says is equal, too.
fn equal<'r>(
    gold: &mut Vec<Entity<'r>>,
    predicted: &mut Vec<Entity<'r>>,
    of: impl Fn(&Entity<'r>) -> &'r str,
) -> Pairs<'r> {
    let mut waiting: BTreeMap<(&str, &Key), VecDeque<usize>> = BTreeMap::new();
    for (at, entity) in predicted.iter().enumerate() {
        waiting.entry((of(entity), &entity.key)).or_default().push_back(at);
    }
    let pairs = gold.iter().enumerate().filter_map(|(at, entity)| {
        let partners = waiting.get_mut(&(of(entity), &entity.key))?;
        Some((at, partners.pop_front()?))
    });
    let found = pairs.collect();
    take(gold, predicted, found)
}

/// Takes the pairs that are near each other out of two lists that are sorted by type.
fn near<'r>(gold: &mut Vec<Entity<'r>>, predicted: &mut Vec<Entity<'r>>, share: f64) -> Pairs<'r> {
    let mut found = Vec::new();
    let mut first = 0;
    for of_type in gold.chunk_by(|a, b| a.entity_type == b.entity_type) {
        let Some(name) = of_type.first().map(|entity| entity.entity_type) else { continue };
        let begin = predicted.partition_point(|entity| entity.entity_type < name);
        let texts = |list: &[Entity<'r>]| -> Vec<&str> {
            let own = list.iter().take_while(|entity| entity.entity_type == name);
            own.map(|entity| entity.text).collect()
        };
        let others = predicted.get(begin..).unwrap_or_default();
        let near = nearest(&texts(of_type), &texts(others), share);
        found.extend(near.into_iter().map(|(g, p, _)| (first + g, begin + p)));
        first += of_type.len();
    }
    take(gold, predicted, found)
}

/// Takes pairs of indices out of two lists; no index is there twice.
fn take<'r>(
    gold: &mut Vec<Entity<'r>>,
    predicted: &mut Vec<Entity<'r>>,
    found: Vec<(usize, usize)>,
) -> Pairs<'r> {
    let mut gold_left: Vec<Option<Entity<'r>>> = gold.drain(..).map(Some).collect();
    let mut left: Vec<Option<Entity<'r>>> = predicted.drain(..).map(Some).collect();
    let pair =
        |(g, p): (usize, usize)| Some((gold_left.get_mut(g)?.take()?, left.get_mut(p)?.take()?));
    let pairs = found.into_iter().filter_map(pair).collect();
    gold.extend(gold_left.into_iter().flatten());
    predicted.extend(left.into_iter().flatten());
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chunkeval_core::ChunkCounts;
    use proptest::prelude::*;

    use super::*;
    use crate::{AnswerReading, Entities, Matching, Normalisation};

    fn metric(matching: Matching, normalisation: Normalisation) -> ExtractionEvaluator {
        let builder = ExtractionEvaluator::builder().matching(matching);
        builder.normalisation(normalisation).build().unwrap()
    }

    /// The kinds with the texts of both sides.
    fn shown(metric: &ExtractionEvaluator, record: &Record) -> Vec<(PairKind, String)> {
        let answer = AnswerReading::Strict.read(&record.answer);
        let of = |side: Option<(&str, &str)>| side.map_or("-", |(_, text)| text).to_owned();
        let pairs = metric.pairs(record, &answer, 0.5);
        pairs.iter().map(|p| (p.kind, format!("{} {}", of(p.gold), of(p.predicted)))).collect()
    }

    #[test]
    fn pairs_follow_the_matching() {
        let gold: Entities = [("A", "x"), ("P", "Ada")].into_iter().collect();
        let record = Record::new(gold, r#"{"A": ["x", "x"], "P": ["ada"]}"#).text("x x Ada ada");
        let of = |matching, how| {
            let pairs = shown(&metric(matching, how), &record);
            pairs.into_iter().map(|(kind, texts)| format!("{kind:?} {texts}")).collect::<Vec<_>>()
        };
        let all = Normalisation::ALL;
        assert_eq!(of(Matching::Set, all), ["Right x x", "Right Ada ada"]);
        assert_eq!(of(Matching::Multiset, all), ["Right x x", "Right Ada ada", "Spurious - x"]);
        assert_eq!(of(Matching::Grounded, all), ["Right x x", "Near Ada ada", "Spurious - x"]);
        assert_eq!(of(Matching::Set, Normalisation::NONE), ["Right x x", "Near Ada ada"]);
    }

    #[test]
    fn what_equals_no_text_is_alone() {
        let record = Record::new([("A", "1")].into_iter().collect(), "{'A': [1, 2], 'B': ['1']}");
        let expected = [
            (PairKind::OtherType, "1 1".to_owned()),
            (PairKind::NoText, "- 1".to_owned()),
            (PairKind::NoText, "- 2".to_owned()),
        ];
        assert_eq!(shown(&ExtractionEvaluator::new(), &record), expected);
        // Twice in a list is twice in a multiset.
        let record = Record::new(record.gold, "{'A': [1, 2, 1.0]}");
        let multisets = ExtractionEvaluator::builder().matching(Matching::Multiset);
        let no_texts = |metric: &ExtractionEvaluator| {
            let pairs = shown(metric, &record);
            pairs.iter().filter(|(kind, _)| *kind == PairKind::NoText).count()
        };
        assert_eq!(no_texts(&ExtractionEvaluator::new()), 2);
        assert_eq!(no_texts(&multisets.build().unwrap()), 3);
    }

    fn lists() -> impl Strategy<Value = Vec<(&'static str, String)>> {
        let one = (prop::sample::select(vec!["A", "B", "C"]), "[abAB ]{1,3}");
        prop::collection::vec(one, 0..12)
    }

    proptest! {
        #[test]
        fn pairs_add_up_to_the_counts_of_each_type(
            text in prop::option::of("[abAB ]{0,16}"),
            gold in lists(),
            predicted in lists(),
            numbers in prop::collection::vec((prop::sample::select(vec!["A", "D"]), 0..3_u8), 0..4),
        ) {
            let mut answer: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for (name, text) in &predicted {
                answer.entry(name).or_default().push(format!("{text:?}"));
            }
            for (name, number) in &numbers {
                answer.entry(name).or_default().push(number.to_string());
            }
            let lists = answer.iter().map(|(name, list)| format!("{name:?}: [{}]", list.join(", ")));
            let answer = format!("{{{}}}", lists.collect::<Vec<_>>().join(", "));
            let mut record = Record::new(gold.into_iter().collect(), answer);
            record.text = text;
            for (matching, how, reading) in Matching::ALL.into_iter().flat_map(|matching| {
                [Normalisation::NONE, Normalisation::ALL].into_iter().flat_map(move |how| {
                    AnswerReading::ALL.map(|reading| (matching, how, reading))
                })
            }) {
                let metric = metric(matching, how);
                let record = reading.record(&record);
                let answer = reading.read(&record.answer);
                let mut sums: BTreeMap<&str, ChunkCounts> = BTreeMap::new();
                for EntityPair { kind, gold, predicted } in metric.pairs(&record, &answer, 0.5) {
                    if let Some((name, _)) = gold {
                        sums.entry(name).or_default().gold += 1;
                    }
                    if let Some((name, _)) = predicted {
                        let counts = sums.entry(name).or_default();
                        counts.predicted += 1;
                        counts.correct += u64::from(kind == PairKind::Right);
                    }
                    prop_assert!(kind != PairKind::Right || gold.unzip().0 == predicted.unzip().0);
                }
                for (name, counts) in metric.compare(reading, &record, &answer) {
                    let sum = sums.remove(&*name).unwrap_or_default();
                    prop_assert_eq!(sum, counts, "{} {} {} {}", matching, how, reading, name);
                }
                prop_assert!(sums.is_empty());
            }
        }
    }
}
