//! One record: the gold entities against those of an answer, type by type.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
    let unmatchable = unmatchable(answer);
    let mut each = |name: &str, mut counts: ChunkCounts| {
        counts.predicted += unmatchable.get(name).copied().unwrap_or_default();
        each(name, counts);
    };
    mentions.listed += answer.unmatchable.len() as u64;
    mentions.listed += answer.entities.len() as u64;
    match (rule.matching, &record.text) {
        (Matching::Grounded, Some(text)) => {
            grounded(rule.normalisation, text, record, answer, mentions, &mut each);
        }
        (_, text) => {
            if let Some(text) = text {
                let mut text = Searched::new(text, Normalisation::ALL);
                let lists = answer.entities.iter().flat_map(|(_, list)| list);
                mentions.invented += lists.filter(|mention| !text.has(mention)).count() as u64;
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
fn types<'r>(
    gold: &'r Entities,
    predicted: &'r Entities,
) -> impl Iterator<Item = (&'r str, &'r [String], &'r [String])> {
    let both = gold.iter().map(|(name, list)| (name, list, predicted.get(name)));
    let others = predicted.iter().filter(|(name, _)| !gold.has_type(name));
    both.chain(others.map(|(name, list)| (name, &[][..], list)))
}

/// How many predictions of each type equal no text; each is another one.
fn unmatchable(answer: &Answer) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for prediction in &answer.unmatchable {
        *counts.entry(&*prediction.entity_type).or_default() += 1;
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
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Place(Location),
    Text(String),
}

fn grounded(
    normalisation: Normalisation,
    text: &str,
    record: &Record,
    answer: &Answer,
    mentions: &mut MentionCounts,
    each: &mut impl FnMut(&str, ChunkCounts),
) {
    let types: Vec<_> = types(&record.gold, &answer.entities).collect();
    let lists: Vec<Vec<&str>> = types
        .iter()
        .flat_map(|&(_, gold, predicted)| [gold, predicted])
        .map(|list| list.iter().map(String::as_str).collect())
        .collect();
    let found = ground(text, &lists, normalisation);
    let keys = |side: usize| -> Option<Vec<Key>> {
        let (mentions, found) = (lists.get(side)?, found.get(side)?);
        let key = |(mention, found): (&&str, &Grounding)| match found {
            Grounding::Located(place) | Grounding::Ambiguous(place) => Some(Key::Place(*place)),
            Grounding::Repeated => None,
            Grounding::Invented => Some(Key::Text(normalisation.apply(mention).into_owned())),
        };
        Some(mentions.iter().zip(found).filter_map(key).collect())
    };
    for (number, &(name, _, _)) in types.iter().enumerate() {
        let gold = keys(2 * number).unwrap_or_default();
        let predicted = keys(2 * number + 1).unwrap_or_default();
        for of_mention in found.get(2 * number + 1).into_iter().flatten() {
            match of_mention {
                Grounding::Located(_) => {}
                Grounding::Ambiguous(_) => mentions.ambiguous += 1,
                Grounding::Repeated => mentions.repeated += 1,
                Grounding::Invented => mentions.invented += 1,
            }
        }
        mentions.repeated += overlap::repeats(&predicted) as u64;
        each(name, overlap::of_sets(&gold, &predicted));
    }
}
