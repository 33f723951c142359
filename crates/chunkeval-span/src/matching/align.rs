//! Pairs of a document, by either rule.

use super::{EmptyGold, Matching, Piece, Threshold, assign, greedy};
use crate::Schema;

/// Which gold span each predicted one is held against.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    /// For each predicted span the place of its gold span.
    pub(crate) partner: Vec<Option<usize>>,
    /// For each gold span whether it has a partner.
    pub(crate) taken: Vec<bool>,
}

/// Whether the pairs are the best there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aligned {
    /// As the rule says.
    ByRule,
    /// So many spans overlap each other that some were paired one after the other.
    OneByOne,
}

impl Alignment {
    pub(super) fn new(gold: usize, predicted: usize) -> Self {
        Self { partner: vec![None; predicted], taken: vec![false; gold] }
    }

    pub(super) fn pair(&mut self, gold: usize, predicted: usize) {
        if let (Some(partner), Some(taken)) =
            (self.partner.get_mut(predicted), self.taken.get_mut(gold))
        {
            *partner = Some(gold);
            *taken = true;
        }
    }

    /// Whether a gold span has no partner.
    pub(super) fn is_free(&self, gold: usize) -> bool {
        self.taken.get(gold) == Some(&false)
    }

    /// The gold spans without a partner.
    pub(super) fn free_gold<'p>(&self, gold: &'p [Piece]) -> Vec<(usize, &'p Piece)> {
        gold.iter().enumerate().filter(|&(at, _)| self.is_free(at)).collect()
    }

    /// The predicted spans without a partner.
    pub(super) fn free_predicted<'p>(&self, predicted: &'p [Piece]) -> Vec<(usize, &'p Piece)> {
        let each = predicted.iter().enumerate().zip(&self.partner);
        each.filter(|(_, partner)| partner.is_none()).map(|(piece, _)| piece).collect()
    }
}

/// Gives the alignment of each schema. For [`Matching::MaximumOverlap`] both sides must be sorted
/// by [`Piece::key`] and free of duplicates.
pub(crate) fn each_schema(
    matching: Matching,
    gold: &[Piece],
    predicted: &[Piece],
    mut each: impl FnMut(Schema, &Alignment),
) -> Result<Aligned, EmptyGold> {
    match matching {
        Matching::Nervaluate { min_overlap_percentage } => {
            for schema in Schema::ALL {
                each(schema, &greedy::align(schema, min_overlap_percentage, gold, predicted)?);
            }
            Ok(Aligned::ByRule)
        }
        Matching::MaximumOverlap(threshold) => {
            let mut equal = Alignment::new(gold.len(), predicted.len());
            pair_equal(gold, predicted, Piece::key, &mut equal);

            let mut by_boundaries = equal.clone();
            let rest = by_overlap(threshold, gold, predicted, &mut by_boundaries);
            for schema in [Schema::Strict, Schema::Exact, Schema::Partial] {
                each(schema, &by_boundaries);
            }

            let mut by_type = equal;
            let same_type = |gold: &Piece, predicted: &Piece| gold.kind == predicted.kind;
            let typed = assign::assign(gold, predicted, threshold, same_type, &mut by_type);
            let others = by_overlap(threshold, gold, predicted, &mut by_type);
            each(Schema::EntType, &by_type);
            Ok(rest.max(typed).max(others))
        }
    }
}

/// Equal offsets first, then the greatest total overlap.
fn by_overlap(
    threshold: Threshold,
    gold: &[Piece],
    predicted: &[Piece],
    alignment: &mut Alignment,
) -> Aligned {
    pair_equal(gold, predicted, |piece| (piece.start, piece.end), alignment);
    assign::assign(gold, predicted, threshold, |_, _| true, alignment)
}

/// Pairs free spans of equal key, in order. Both sides are sorted by it.
fn pair_equal<K: Ord>(
    gold: &[Piece],
    predicted: &[Piece],
    key: impl Fn(&Piece) -> K,
    alignment: &mut Alignment,
) {
    let free_gold = alignment.free_gold(gold);
    let mut left = free_gold.iter().peekable();
    for (at, piece) in alignment.free_predicted(predicted) {
        while left.next_if(|(_, gold)| key(gold) < key(piece)).is_some() {}
        if let Some(&(partner, _)) = left.next_if(|(_, gold)| key(gold) == key(piece)) {
            alignment.pair(partner, at);
        }
    }
}
