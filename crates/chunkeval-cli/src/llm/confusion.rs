//! Which types are taken for which.

use std::collections::BTreeMap;

use chunkeval_core::TypePair;
use chunkeval_llm::EntityPair;

/// Pairs of a gold and a predicted type, and how often; the one or the other is missing where an
/// entity has no partner. Of answers that could be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confusion(BTreeMap<[Option<String>; 2], u64>);

impl Confusion {
    /// Adds the pairs of an answer.
    pub(super) fn count(&mut self, pairs: &[EntityPair<'_>]) {
        for pair in pairs {
            let both = [pair.gold, pair.predicted];
            let types = both.map(|entity| entity.map(|(entity_type, _)| entity_type.to_owned()));
            *self.0.entry(types).or_default() += 1;
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (pair, count) in other.0 {
            *self.0.entry(pair).or_default() += count;
        }
    }

    /// What has no partner comes first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = TypePair<'_>> {
        self.0.iter().map(|([gold, predicted], n)| (gold.as_deref(), predicted.as_deref(), *n))
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
