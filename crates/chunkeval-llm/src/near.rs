//! [`near_matches`]: predictions that are almost right.

use std::collections::{BTreeSet, HashSet};

use crate::{Answer, Record};

/// Texts of more characters are not compared.
const LONGEST: usize = 200;
/// Of a type with more pairs of missed and wrong entities none is compared.
const MOST_PAIRS: usize = 10_000;

/// A gold entity that was missed and a prediction of the same type that is near it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearMatch<'r> {
    /// The entity type.
    pub entity_type: &'r str,
    /// The gold entity.
    pub gold: &'r str,
    /// The prediction.
    pub predicted: &'r str,
    /// How many characters must be put in, taken out or replaced to make one of the other.
    pub distance: usize,
}

/// The gold entities of a record that an answer missed but has something near to: each with the
/// nearest prediction of its type that is no gold entity, at most one for each prediction.
///
/// Near means that at most `share` of the characters of the longer text differ (Levenshtein). This
/// is for looking at errors; it enters no score. Texts of more than 200 characters are not compared,
/// nor types with more than 10,000 pairs in one record. Gold entities are compared as they stand:
/// [`AnswerReading::record`](crate::AnswerReading::record) has them as a reading takes them.
///
/// ```
/// use chunkeval_llm::{AnswerReading, Entities, Record, near_matches};
///
/// let gold: Entities = [("LOC", "玉峰"), ("PER", "释迦")].into_iter().collect();
/// let record = Record::new(gold, r#"{"LOC": ["玉峰山"], "PER": ["太子"]}"#);
/// let answer = AnswerReading::Lenient.read(&record.answer);
/// let near = near_matches(&record, &answer, 0.5);
/// assert_eq!(near.len(), 1);
/// assert_eq!((near[0].gold, near[0].predicted, near[0].distance), ("玉峰", "玉峰山", 1));
/// ```
#[must_use]
pub fn near_matches<'r>(record: &'r Record, answer: &'r Answer, share: f64) -> Vec<NearMatch<'r>> {
    let mut matches = Vec::new();
    for (entity_type, gold) in record.gold.iter() {
        let predicted = answer.entities.get(entity_type);
        let missed = only(gold, predicted);
        let wrong = only(predicted, gold);
        for (gold, of_answer, distance) in nearest(&missed, &wrong, share) {
            if let (Some(&gold), Some(&predicted)) = (missed.get(gold), wrong.get(of_answer)) {
                matches.push(NearMatch { entity_type, gold, predicted, distance });
            }
        }
    }
    matches
}

/// Pairs of a missed and a wrong entity of one type that are near each other, by their indices, and
/// how far apart they are: the nearest first, each entity in at most one.
pub(crate) fn nearest(missed: &[&str], wrong: &[&str], share: f64) -> Vec<(usize, usize, usize)> {
    let [missed, wrong] = [missed, wrong].map(|texts| {
        let texts = texts.iter().map(|text| (*text, text.chars().count())).enumerate();
        texts.filter(|(_, (_, length))| *length <= LONGEST).collect::<Vec<_>>()
    });
    if missed.len().saturating_mul(wrong.len()) > MOST_PAIRS {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for &(gold_at, (gold, gold_length)) in &missed {
        for &(at, (predicted, length)) in &wrong {
            let most = share * gold_length.max(length) as f64;
            if gold_length.abs_diff(length) as f64 > most {
                continue;
            }
            let distance = strsim::levenshtein(gold, predicted);
            if distance as f64 <= most {
                pairs.push((distance, gold_at, at));
            }
        }
    }
    pairs.sort_unstable();
    let (mut of_gold, mut of_answer) = (BTreeSet::new(), BTreeSet::new());
    pairs.retain(|(_, gold, predicted)| {
        let free = !of_gold.contains(gold) && !of_answer.contains(predicted);
        free && of_gold.insert(*gold) && of_answer.insert(*predicted)
    });
    pairs.into_iter().map(|(distance, gold, predicted)| (gold, predicted, distance)).collect()
}

/// The texts of one list that the other has not, each once.
fn only<'r>(list: &'r [String], other: &[String]) -> Vec<&'r str> {
    let mut known: HashSet<&str> = other.iter().map(String::as_str).collect();
    list.iter().map(String::as_str).filter(|text| known.insert(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnswerReading, Entities};

    fn near(gold: &[&str], answer: &str, share: f64) -> Vec<(String, String, usize)> {
        let gold: Entities = gold.iter().map(|text| ("X", *text)).collect();
        let record = Record::new(gold, answer);
        let answer = AnswerReading::Lenient.read(&record.answer);
        let near = near_matches(&record, &answer, share);
        near.iter().map(|n| (n.gold.to_owned(), n.predicted.to_owned(), n.distance)).collect()
    }

    #[test]
    fn the_nearest_pair_comes_first_and_each_text_is_in_one() {
        let found = near(&["abcd", "abce"], r#"{"X": ["abcf", "abcdx"]}"#, 0.5);
        let of = |gold: &str, predicted: &str, distance| {
            (gold.to_owned(), predicted.to_owned(), distance)
        };
        assert_eq!(found, [of("abcd", "abcf", 1), of("abce", "abcdx", 2)]);
    }

    #[test]
    fn what_is_right_or_of_another_type_is_not_near() {
        assert_eq!(near(&["abc"], r#"{"X": ["abc", "abd"]}"#, 1.0), []);
        assert_eq!(near(&["abc"], r#"{"Y": ["abd"]}"#, 1.0), []);
        assert_eq!(near(&["abc"], r#"{"X": ["xyz"]}"#, 0.9), []);
        assert_eq!(near(&["abc"], r#"{"X": ["xyz"]}"#, 1.0).len(), 1);
    }
}
