//! Which types are taken for which.

use std::collections::BTreeMap;

use chunkeval_core::TypePair;
use chunkeval_llm::{EntityPair, PairKind};

/// Pairs of a gold and a predicted type, how often, and how many of them are right; the one or the
/// other is missing where an entity has no partner. Of answers that could be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confusion(BTreeMap<[Option<String>; 2], Met>);

/// How often two types met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    all: u64,
    right: u64,
}

impl Confusion {
    /// Adds the pairs of an answer.
    pub(super) fn count(&mut self, pairs: &[EntityPair<'_>]) {
        for pair in pairs {
            let both = [pair.gold, pair.predicted];
            let types = both.map(|entity| entity.map(|(entity_type, _)| entity_type.to_owned()));
            let met = self.0.entry(types).or_default();
            met.all += 1;
            met.right += u64::from(pair.kind == PairKind::Right);
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (pair, met) in other.0 {
            let mine = self.0.entry(pair).or_default();
            mine.all += met.all;
            mine.right += met.right;
        }
    }

    /// What has no partner comes first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = TypePair<'_>> {
        self.0.iter().map(|([gold, predicted], n)| (gold.as_deref(), predicted.as_deref(), n.all))
    }

    /// How many pairs of each type are right; the others of one type are near.
    pub(crate) fn right(&self) -> impl Iterator<Item = (&str, u64)> {
        let of_gold = self.0.iter().filter_map(|([gold, _], n)| Some((gold.as_deref()?, n.right)));
        of_gold.filter(|(_, right)| *right > 0)
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
