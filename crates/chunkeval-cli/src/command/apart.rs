//! Whether gold and predicted entities have no type in common, so that nothing can be right: of all
//! there is to say of such scores the first.

use chunkeval_core::ChunkCounts;
use serde_json::{Value, json};

/// So many types of each side are named.
const NAMED: usize = 5;

/// Types that gold and predicted entities do not share.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Apart<'a> {
    pub(crate) predicted: Vec<&'a str>,
    pub(crate) gold: Vec<&'a str>,
}

impl<'a> Apart<'a> {
    /// Those of counts by type; `None` if a type has entities on both sides, or a side has none.
    pub(crate) fn of(types: impl IntoIterator<Item = (&'a str, ChunkCounts)>) -> Option<Self> {
        let mut apart = Self::default();
        for (name, ChunkCounts { gold, predicted, .. }) in types {
            match (gold > 0, predicted > 0) {
                (true, true) => return None,
                (true, false) => apart.gold.push(name),
                (false, true) => apart.predicted.push(name),
                (false, false) => {}
            }
        }
        (!apart.gold.is_empty() && !apart.predicted.is_empty()).then_some(apart)
    }

    /// `No predicted type (NP, VP) is a gold one (LOC, PER), so nothing can be right`.
    pub(crate) fn words(&self) -> String {
        let (predicted, gold) = (named(&self.predicted), named(&self.gold));
        format!("No predicted type ({predicted}) is a gold one ({gold}), so nothing can be right")
    }

    pub(crate) fn value(&self) -> Value {
        json!({"predicted": self.predicted, "gold": self.gold})
    }
}

fn named(types: &[&str]) -> String {
    let mut text = types.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if let Some(more) = types.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text += &format!(" and {more} more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_apart_if_none_is_on_both_sides() {
        let counts = |gold, predicted| ChunkCounts { gold, predicted, ..ChunkCounts::default() };
        let (only_gold, only_predicted) = (counts(2, 0), counts(0, 1));
        let apart = Apart::of([("PER", only_gold), ("NP", only_predicted)]).unwrap();
        assert_eq!(
            apart.words(),
            "No predicted type (NP) is a gold one (PER), so nothing can be right"
        );
        assert_eq!(Apart::of([("PER", only_gold)]), None);
        assert_eq!(Apart::of([("NP", only_predicted)]), None);
        assert_eq!(
            Apart::of([("PER", only_gold), ("NP", only_predicted), ("X", counts(1, 1))]),
            None
        );
        assert_eq!(named(&["A", "B", "C", "D", "E", "F", "G"]), "A, B, C, D, E and 2 more");
    }
}
