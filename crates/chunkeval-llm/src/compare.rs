//! One record: the gold entities against those of an answer, type by type.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use chunkeval_core::ChunkCounts;

use crate::grounding::Searched;
use crate::{
    Answer, Entities, Grounding, Location, Matching, MentionCounts, Normalisation, Record, ground,
    overlap,
};

/// How entities are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) matching: Matching,
    pub(crate) normalisation: Normalisation,
}

/// Calls `each` with every type that the record or the answer names, and its counts; of an answer
/// that was not read, only the record's types are there, and nothing is predicted.
pub(crate) fn compare(
    rule: Rule,
    record: &Record,
    answer: &Answer,
    mentions: &mut MentionCounts,
    mut each: impl FnMut(&str, ChunkCounts),
) {
    let unmatchable = unmatchable(rule.matching, answer);
    let mut each = |name: &str, mut counts: ChunkCounts| {
        counts.predicted += unmatchable.get(name).copied().unwrap_or_default();
        each(name, counts);
    };
    let again: u64 = answer.unmatchable.iter().map(|prediction| prediction.repeats).sum();
    mentions.repeated += again;
    mentions.listed += answer.unmatchable.len() as u64 + again;
    mentions.listed += answer.entities.len() as u64;
    match (rule.matching, &record.text) {
        (Matching::Grounded, Some(text)) => {
            grounded(rule.normalisation, text, record, answer, mentions, &mut each);
        }
        (_, text) => {
            if let Some(text) = text {
                let lists = || answer.entities.iter().flat_map(|(_, list)| list);
                let listed = || lists().map(String::as_str);
                let mut text = Searched::of(text, Normalisation::ALL, listed);
                mentions.invented += listed().filter(|mention| !text.has(mention)).count() as u64;
            }
            let repeated = answer.entities.iter().map(|(_, list)| overlap::repeats(list));
            mentions.repeated += repeated.sum::<usize>() as u64;
            for (name, gold, predicted) in types(&record.gold, &answer.entities) {
                each(name, by_text(rule, gold, predicted));
            }
        }
    }
    for name in unmatchable.keys() {
        if !record.gold.has_type(name) && !answer.entities.has_type(name) {
            each(name, ChunkCounts::default());
        }
    }
}

/// Each type that either side names, with its entities on both.
fn types<'r>(gold: &'r Entities, predicted: &'r Entities) -> impl Iterator<Item = OfType<'r>> {
    let both = gold.iter().map(|(name, list)| (name, list, predicted.get(name)));
    let others = predicted.iter().filter(|(name, _)| !gold.has_type(name));
    both.chain(others.map(|(name, list)| (name, &[][..], list)))
}

/// How many predictions of each type equal no text; in a set each is another one.
fn unmatchable(matching: Matching, answer: &Answer) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for prediction in &answer.unmatchable {
        let counted = prediction.predictions(matching);
        *counts.entry(&*prediction.entity_type).or_default() += counted;
    }
    counts
}

fn by_text(rule: Rule, gold: &[String], predicted: &[String]) -> ChunkCounts {
    if rule.normalisation == Normalisation::NONE {
        return match rule.matching {
            Matching::Multiset => overlap::of_multisets(gold, predicted),
            Matching::Set | Matching::Grounded => overlap::of_sets(gold, predicted),
        };
    }
    let normalised = |list: &[String]| -> Vec<Cow<'_, str>> {
        list.iter().map(|text| Cow::Owned(rule.normalisation.apply(text).into_owned())).collect()
    };
    let (gold, predicted) = (normalised(gold), normalised(predicted));
    match rule.matching {
        Matching::Multiset => overlap::of_multisets(&gold, &predicted),
        Matching::Set | Matching::Grounded => overlap::of_sets(&gold, &predicted),
    }
}

/// What an entity is told by: its place, or its normalised text if it has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Place(Location),
    Text(String),
}

impl Key {
    /// That of a mention that was looked for; `None` if it is not counted.
    fn of(normalisation: Normalisation, mention: &str, found: Grounding) -> Option<Self> {
        match found {
            Grounding::Located(place) | Grounding::Ambiguous(place) => Some(Self::Place(place)),
            Grounding::Repeated => None,
            Grounding::Invented => Some(Self::of_text(normalisation, mention)),
        }
    }

    fn of_text(normalisation: Normalisation, mention: &str) -> Self {
        Self::Text(normalisation.apply(mention).into_owned())
    }
}

/// The entities of one type.
type OfType<'r> = (&'r str, &'r [String], &'r [String]);

/// Where the entities of each type stand: the gold ones, then those of the answer.
fn located(normalisation: Normalisation, text: &str, types: &[OfType<'_>]) -> Vec<Vec<Grounding>> {
    let lists = types.iter().flat_map(|&(_, gold, predicted)| [gold, predicted]);
    let lists: Vec<Vec<&str>> =
        lists.map(|list| list.iter().map(String::as_str).collect()).collect();
    ground(text, &lists, normalisation)
}

/// Type, text and key of all entities that [`compare`] counts, as the record and the answer have
/// them: equal ones of a type are one, but for multisets.
pub(crate) fn keyed<'r>(
    rule: Rule,
    record: &'r Record,
    answer: &'r Answer,
) -> [Vec<(&'r str, &'r str, Key)>; 2] {
    let Rule { matching, normalisation } = rule;
    let types: Vec<OfType<'r>> = types(&record.gold, &answer.entities).collect();
    let found = match (matching, &record.text) {
        (Matching::Grounded, Some(text)) => Some(located(normalisation, text, &types)),
        _ => None,
    };
    let mut sides = [Vec::new(), Vec::new()];
    for (number, &(name, gold, predicted)) in types.iter().enumerate() {
        for ((side, list), offset) in sides.iter_mut().zip([gold, predicted]).zip(0..) {
            let mut seen = BTreeSet::new();
            let found = found.as_ref().and_then(|found| found.get(2 * number + offset));
            for (at, text) in list.iter().enumerate() {
                let key = match found.and_then(|found| found.get(at)) {
                    Some(found) => Key::of(normalisation, text, *found),
                    None => Some(Key::of_text(normalisation, text)),
                };
                let counts = |key: &Key| matching == Matching::Multiset || seen.insert(key.clone());
                side.extend(key.filter(counts).map(|key| (name, text.as_str(), key)));
            }
        }
    }
    sides
}

fn grounded(
    normalisation: Normalisation,
    text: &str,
    record: &Record,
    answer: &Answer,
    mentions: &mut MentionCounts,
    each: &mut impl FnMut(&str, ChunkCounts),
) {
    let types: Vec<OfType<'_>> = types(&record.gold, &answer.entities).collect();
    let found = located(normalisation, text, &types);
    let keys = |side: usize, list: &[String]| -> Vec<Key> {
        let both = list.iter().zip(found.get(side).into_iter().flatten());
        both.filter_map(|(mention, found)| Key::of(normalisation, mention, *found)).collect()
    };
    for (number, &(name, gold, predicted)) in types.iter().enumerate() {
        let (gold, predicted) = (keys(2 * number, gold), keys(2 * number + 1, predicted));
        for of_mention in found.get(2 * number + 1).into_iter().flatten() {
            match of_mention {
                Grounding::Located(_) => mentions.grounded += 1,
                Grounding::Ambiguous(_) => mentions.ambiguous += 1,
                Grounding::Repeated => mentions.repeated += 1,
                Grounding::Invented => mentions.invented += 1,
            }
        }
        mentions.repeated += overlap::repeats(&predicted) as u64;
        each(name, overlap::of_sets(&gold, &predicted));
    }
}
