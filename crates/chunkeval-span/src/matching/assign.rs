//! Pairs of overlapping spans with the greatest total overlap.

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

use super::Piece;
use super::align::{Aligned, Alignment};
use super::overlap::Rank;
use crate::Threshold;

/// The steps an assignment may take; beyond, spans are paired one after the other. 2^24 steps are
/// 256 spans on each side that all hang together, and less than a tenth of a second.
const STEPS: u128 = 1 << 24;

/// Pairs the free spans that overlap enough and are `eligible`, with the greatest total overlap.
///
/// Spans that do not hang together by overlaps are assigned apart, since those groups are tiny.
pub(super) fn assign(
    gold: &[Piece],
    predicted: &[Piece],
    threshold: Threshold,
    eligible: impl Fn(&Piece, &Piece) -> bool,
    alignment: &mut Alignment,
) -> Aligned {
    let free_gold = alignment.free_gold(gold);
    let free_predicted = alignment.free_predicted(predicted);
    let (mut left, mut right) = (&free_gold[..], &free_predicted[..]);
    let mut aligned = Aligned::ByRule;
    while let (Some(first_gold), Some(first_predicted)) = (left.first(), right.first()) {
        let mut reach = i128::from(first_gold.1.start.min(first_predicted.1.start)) + 1;
        let (mut golds, mut predictions) = (0, 0);
        loop {
            let more_gold = grow(left, &mut golds, &mut reach);
            let more_predicted = grow(right, &mut predictions, &mut reach);
            if !more_gold && !more_predicted {
                break;
            }
        }
        let (gold_group, gold_rest) = left.split_at(golds);
        let (predicted_group, predicted_rest) = right.split_at(predictions);
        let group = Group { gold: gold_group, predicted: predicted_group };
        let rank = |gold: &Piece, predicted: &Piece| {
            eligible(gold, predicted).then(|| threshold.rank(gold, predicted)).flatten()
        };
        aligned = aligned.max(group.pair(rank, alignment));
        (left, right) = (gold_rest, predicted_rest);
    }
    aligned
}

/// Takes spans that start before `reach` into a group, and moves `reach` to their ends.
fn grow(spans: &[(usize, &Piece)], taken: &mut usize, reach: &mut i128) -> bool {
    let before = *taken;
    let starts_within = |piece: &Piece, reach| i128::from(piece.start) < reach;
    while let Some((_, piece)) = spans.get(*taken).filter(|(_, p)| starts_within(p, *reach)) {
        *reach = i128::from(piece.end).max(*reach);
        *taken += 1;
    }
    *taken > before
}

/// Spans of both sides that hang together, with their places in the document.
struct Group<'g> {
    gold: &'g [(usize, &'g Piece)],
    predicted: &'g [(usize, &'g Piece)],
}

impl Group<'_> {
    fn pair(
        &self,
        rank: impl Fn(&Piece, &Piece) -> Option<Rank>,
        alignment: &mut Alignment,
    ) -> Aligned {
        let (few, many) = match self.gold.len() <= self.predicted.len() {
            true => (self.gold.len() as u128, self.predicted.len() as u128),
            false => (self.predicted.len() as u128, self.gold.len() as u128),
        };
        if few == 0 {
            return Aligned::ByRule;
        }
        let steps = few.saturating_mul(few).saturating_mul(many);
        match self.scale().filter(|_| steps <= STEPS) {
            Some(scale) => {
                self.pair_best(rank, &scale, alignment);
                Aligned::ByRule
            }
            None => {
                self.pair_one_by_one(rank, alignment);
                Aligned::OneByOne
            }
        }
    }

    /// The assignment of greatest weight, by the Hungarian method.
    fn pair_best(
        &self,
        rank: impl Fn(&Piece, &Piece) -> Option<Rank>,
        scale: &Scale,
        alignment: &mut Alignment,
    ) {
        // Each row gets a column, so there must not be more rows than columns.
        let upright = self.gold.len() <= self.predicted.len();
        let places = |row: usize, column: usize| match upright {
            true => (row, column),
            false => (column, row),
        };
        let weight = |(row, column)| {
            let (g, p) = places(row, column);
            let pair = self.gold.get(g).zip(self.predicted.get(p));
            let rank = pair.and_then(|((_, gold), (_, predicted))| rank(gold, predicted));
            rank.map_or(0, |rank| scale.weight(rank, g + p))
        };
        let (rows, columns) = match upright {
            true => (self.gold.len(), self.predicted.len()),
            false => (self.predicted.len(), self.gold.len()),
        };
        let weights = Matrix::from_fn(rows, columns, weight);
        let (_, chosen) = kuhn_munkres(&weights);
        for (row, column) in chosen.into_iter().enumerate() {
            let (g, p) = places(row, column);
            if weights.get((row, column)).is_some_and(|&weight| weight > 0)
                && let (Some(&(gold, _)), Some(&(predicted, _))) =
                    (self.gold.get(g), self.predicted.get(p))
            {
                alignment.pair(gold, predicted);
            }
        }
    }

    /// Each predicted span, by position, takes the best gold span that is left.
    fn pair_one_by_one(
        &self,
        rank: impl Fn(&Piece, &Piece) -> Option<Rank>,
        alignment: &mut Alignment,
    ) {
        for &(at, predicted) in self.predicted {
            let mut best: Option<(Rank, usize)> = None;
            for &(partner, gold) in self.gold {
                let free = alignment.is_free(partner);
                let Some(rank) = rank(gold, predicted).filter(|_| free) else { continue };
                if best.is_none_or(|(so_far, _)| rank > so_far) {
                    best = Some((rank, partner));
                }
            }
            if let Some((_, partner)) = best {
                alignment.pair(partner, at);
            }
        }
    }

    /// The units of weight for this group; `None` if its spans are too long for 127 bits.
    fn scale(&self) -> Option<Scale> {
        let longest = |spans: &[(usize, &Piece)]| spans.iter().map(|(_, piece)| piece.len()).max();
        let (gold, predicted) = (longest(self.gold)?, longest(self.predicted)?);
        let positions = (self.gold.len() + self.predicted.len()) as i128;
        let pairs = self.gold.len().min(self.predicted.len()) as i128; // at most
        // Each unit exceeds all that the lesser ones can add up to.
        let closer = pairs.checked_mul(positions)?.checked_add(1)?;
        // The boundaries of spans that overlap are no farther apart than both are long.
        let far = i128::from(gold) + i128::from(predicted);
        let same_type = pairs.checked_mul(far.checked_add(1)?)?.checked_mul(closer)?;
        let overlap = pairs.checked_add(1)?.checked_mul(same_type)?;
        // The method adds and subtracts weights; this leaves room for it.
        let common = i128::from(gold.min(predicted)) + 1;
        overlap.checked_mul(common)?.checked_mul(pairs)?.checked_mul(8)?;
        Some(Scale { positions, closer, far, same_type, overlap })
    }
}

/// What one position in common, one pair of equal type and one position less of distance weigh.
struct Scale {
    positions: i128,
    closer: i128,
    far: i128,
    same_type: i128,
    overlap: i128,
}

impl Scale {
    /// One number that orders sums of pairs by overlap, then by pairs of equal type, then by
    /// closeness of the boundaries, then by position.
    fn weight(&self, rank: Rank, place: usize) -> i128 {
        let common = i128::from(rank.overlap) * self.overlap;
        let typed = if rank.same_type { self.same_type } else { 0 };
        let distance = i128::try_from(rank.distance.0).unwrap_or(self.far).min(self.far);
        common + typed + (self.far - distance) * self.closer + self.positions - place as i128
    }
}
