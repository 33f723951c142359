//! Chinese express waybills, made by chance: who, phone number and address as people type them.
//!
//! The entity types are those of the waybill data that PaddleNLP trains on: `P` name, `T` phone,
//! `A1` province, `A2` city, `A3` county or district, `A4` street; tags are in suffix style
//! (`P-B`, `P-I`). Fields come in any order, some are missing or said twice, provinces and cities
//! lose their ending, and what belongs to no field (`O`) stands between them. Dev and test have
//! places, streets, surnames and characters of names that the training set never shows.
//!
//! | file | what it makes |
//! |---|---|
//! | `waybill` | a whole record |
//! | `person` | names and phone numbers |
//! | `street` | streets, estates, villages |
//! | `place` | provinces, cities, counties |
//! | `tables` | the words all of them draw from |
//! | `draw` | seeded chance |

mod draw;
mod person;
mod place;
mod street;
mod tables;
mod waybill;

use chunkeval::data::Sentence;

use self::draw::Draw;
use self::waybill::Writer;

/// A part of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the model learns from.
    Train,
    /// What tells how far it is.
    Dev,
    /// What is looked at once, at the end.
    Test,
}

/// The first `count` waybills of a part, one character a token.
///
/// ```
/// use training_loop::generate::{Part, sentences};
///
/// let two = sentences(1, Part::Dev, 2);
/// assert_eq!(two[..1], sentences(1, Part::Dev, 1));
/// assert_ne!(two[..1], sentences(2, Part::Dev, 1));
/// assert!(two[0].gold().iter().any(|tag| tag == "A4-B"));
/// ```
pub fn sentences(seed: u64, part: Part, count: usize) -> Vec<Sentence> {
    let mut writer = Writer::new(Draw::new(seed, part));
    (0..count).map(|_| writer.sentence()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chunkeval::{TagSet, TagStyle};

    use super::*;

    const LABELS: [&str; 13] = [
        "O", "P-B", "P-I", "T-B", "T-I", "A1-B", "A1-I", "A2-B", "A2-I", "A3-B", "A3-I", "A4-B",
        "A4-I",
    ];

    /// The texts of one entity type.
    fn chunks(part: Part, entity_type: &str) -> BTreeSet<String> {
        let tags = TagSet::new(LABELS, TagStyle::Suffix).unwrap();
        let mut found = BTreeSet::new();
        for sentence in sentences(7, part, 400) {
            let ids: Vec<i32> = sentence.gold().iter().map(|t| tags.id(t).unwrap()).collect();
            for chunk in tags.entities(&ids).iter().filter(|c| c.entity_type == entity_type) {
                let tokens = sentence.tokens().iter();
                found.insert(tokens.skip(chunk.start).take(chunk.end - chunk.start).collect());
            }
        }
        found
    }

    #[test]
    fn dev_and_test_have_places_and_names_of_their_own() {
        for entity_type in ["A2", "A3", "A4", "P"] {
            let [train, dev, test] =
                [Part::Train, Part::Dev, Part::Test].map(|part| chunks(part, entity_type));
            assert!(dev.difference(&train).count() > 10, "{entity_type}");
            assert!(test.difference(&train).count() > 10, "{entity_type}");
            assert!(dev != test);
        }
        let train = chunks(Part::Train, "A2");
        assert!(chunks(Part::Dev, "A2").intersection(&train).count() > 10, "known ones as well");
    }

    #[test]
    fn fields_begin_with_b_and_some_tokens_are_outside() {
        let mut outside = 0;
        for sentence in sentences(3, Part::Train, 500) {
            let mut before = "O";
            for tag in sentence.gold().iter() {
                outside += usize::from(tag == "O");
                if let Some(kind) = tag.strip_suffix("-I") {
                    assert_eq!(before.rsplit_once('-').map(|(kind, _)| kind), Some(kind));
                }
                before = tag;
            }
            assert!(sentence.len() < 160, "{sentence:?}");
        }
        assert!(outside > 500);
    }
}
