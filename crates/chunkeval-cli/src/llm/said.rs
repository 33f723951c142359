//! [`Said`]: what two files of answers must both say to be compared.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::num::NonZeroU64;

use chunkeval_llm::Record;

/// Whether the texts of both files must be the same, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    Same,
    Any,
}

/// Hashes of what a record says besides its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// The same for gold entities in any order.
    gold: u64,
    /// Of a text that must be the same, if there is one.
    text: Option<NonZeroU64>,
}

impl Said {
    pub(super) fn of(record: &Record, texts: Texts) -> Self {
        let lists = record.gold.iter();
        let pairs = lists.flat_map(|(name, list)| list.iter().map(move |entity| (name, entity)));
        let gold = pairs.map(|pair| hash(&pair)).fold(0, u64::wrapping_add);
        let text = record.text.as_ref().filter(|_| texts == Texts::Same);
        Self { gold, text: text.map(|text| NonZeroU64::MIN | hash(text)) }
    }

    /// Whether two records say the same; a text that one of them lacks is no other one.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let texts = self.text.zip(other.text);
        self.gold == other.gold && texts.is_none_or(|(one, other)| one == other)
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pairs: &[(&str, &str)], text: Option<&str>, texts: Texts) -> Said {
        let record = Record::new(pairs.iter().copied().collect(), "");
        Said::of(&text.into_iter().fold(record, Record::text), texts)
    }

    #[test]
    fn order_is_nothing_and_repeats_are_something() {
        let of = |pairs: &[(&str, &str)]| said(pairs, Some("t"), Texts::Same);
        let two = of(&[("PER", "Ada"), ("LOC", "Rome")]);
        assert_eq!(two, of(&[("LOC", "Rome"), ("PER", "Ada")]));
        for other in [
            &[("PER", "Ada")][..],
            &[("PER", "Ada"), ("LOC", "Rome"), ("LOC", "Rome")],
            &[("PER", "Rome"), ("LOC", "Ada")],
            &[("PERA", "da"), ("LOC", "Rome")],
        ] {
            assert!(!two.is_same(&of(other)), "{other:?}");
        }
    }

    #[test]
    fn texts_are_the_same_if_both_have_one_and_they_must() {
        let of = |text, texts| said(&[], text, texts);
        let a = of(Some("a"), Texts::Same);
        assert!(!a.is_same(&of(Some("b"), Texts::Same)) && a.is_same(&of(None, Texts::Same)));
        assert!(of(Some("a"), Texts::Any).is_same(&of(Some("b"), Texts::Any)));
    }
}
