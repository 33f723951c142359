//! Which types are taken for which.

use std::collections::BTreeMap;

use chunkeval_core::ConfusionMatrix;
use chunkeval_llm::{Answer, Normalisation, Record};

use super::example::{Example, ExampleKind, right};

/// Pairs of a gold and a predicted type, and how often; the one or the other is missing where an
/// entity has no partner. Of answers that could be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confusion(BTreeMap<[Option<String>; 2], u64>);

impl Confusion {
    /// Adds the entities that an answer has right.
    pub(super) fn add_right(&mut self, record: &Record, answer: &Answer, how: Normalisation) {
        for entity_type in right(record, answer, how) {
            let entity_type = || Some(entity_type.to_owned());
            *self.0.entry([entity_type(), entity_type()]).or_default() += 1;
        }
    }

    /// Adds those that it has wrong.
    pub(super) fn add_wrong(&mut self, example: &Example) {
        if example.kind != ExampleKind::Unreadable {
            let both = [&example.gold, &example.predicted];
            let pair = both.map(|mention| mention.as_ref().map(|m| m.entity_type.clone()));
            *self.0.entry(pair).or_default() += 1;
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (pair, count) in other.0 {
            *self.0.entry(pair).or_default() += count;
        }
    }

    /// Gold type, predicted type, and how often; what has no partner comes first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Option<&str>, Option<&str>, u64)> {
        self.0.iter().map(|([gold, predicted], n)| (gold.as_deref(), predicted.as_deref(), *n))
    }

    /// The pairs as a matrix; `None` of none.
    pub(crate) fn matrix(&self) -> Option<ConfusionMatrix> {
        (!self.0.is_empty()).then(|| ConfusionMatrix::of_pairs(self.pairs()))
    }
}
