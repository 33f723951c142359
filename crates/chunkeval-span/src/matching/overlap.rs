//! What two spans have in common.

use crate::Threshold;

/// A span on its way through the matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Offsets, half-open.
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// The entity type, by its place in the sorted list of types.
    pub(crate) kind: u32,
    /// The index to report.
    pub(crate) index: usize,
}

impl Piece {
    pub(crate) fn covers_the_same(&self, other: &Self) -> bool {
        self.start == other.start && self.end == other.end
    }

    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.covers_the_same(other) && self.kind == other.kind
    }

    /// What spans are sorted by, so that the order in which they were given cannot matter.
    pub(crate) fn key(&self) -> (i64, i64, u32) {
        (self.start, self.end, self.kind)
    }

    pub(super) fn overlap(&self, other: &Self) -> u64 {
        length(self.start.max(other.start), self.end.min(other.end))
    }

    pub(super) fn len(&self) -> u64 {
        length(self.start, self.end)
    }
}

fn length(start: i64, end: i64) -> u64 {
    if end > start { end.abs_diff(start) } else { 0 }
}

/// How good a pair is; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Positions in common.
    pub(super) overlap: u64,
    pub(super) same_type: bool,
    /// How far the boundaries are from each other.
    pub(super) distance: std::cmp::Reverse<u128>,
}

impl Threshold {
    /// How good a pair is, if it has enough in common.
    pub(super) fn rank(self, gold: &Piece, predicted: &Piece) -> Option<Rank> {
        let overlap = gold.overlap(predicted);
        let (of_gold, of_predicted) = (gold.len(), predicted.len());
        let share = |of: u128| overlap as f64 / of as f64;
        let enough = overlap > 0
            && match self {
                Threshold::Any => true,
                Threshold::Gold(least) => share(of_gold.into()) >= least,
                Threshold::Predicted(least) => share(of_predicted.into()) >= least,
                Threshold::Union(least) => {
                    let both = u128::from(of_gold) + u128::from(of_predicted);
                    share(both - u128::from(overlap)) >= least
                }
            };
        let distance = u128::from(gold.start.abs_diff(predicted.start))
            + u128::from(gold.end.abs_diff(predicted.end));
        let same_type = gold.kind == predicted.kind;
        enough.then_some(Rank { overlap, same_type, distance: std::cmp::Reverse(distance) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(start: i64, end: i64) -> Piece {
        Piece { start, end, kind: 0, index: 0 }
    }

    #[test]
    fn each_threshold_has_its_own_share() {
        let (gold, predicted) = (piece(0, 10), piece(5, 9)); // 4 in common, of 10, of 4, of 10
        let meets = |threshold: Threshold| threshold.rank(&gold, &predicted).is_some();
        assert!(meets(Threshold::Any));
        assert!(meets(Threshold::Gold(0.4)) && !meets(Threshold::Gold(0.41)));
        assert!(meets(Threshold::Predicted(1.0)));
        let gold = piece(0, 7); // 2 in common, of 9
        let meets = |threshold: Threshold| threshold.rank(&gold, &predicted).is_some();
        assert!(meets(Threshold::Union(2.0 / 9.0)) && !meets(Threshold::Union(0.23)));
    }

    #[test]
    fn touching_and_empty_spans_have_nothing_in_common() {
        assert_eq!(Threshold::Any.rank(&piece(0, 2), &piece(2, 4)), None);
        assert_eq!(Threshold::Any.rank(&piece(0, 4), &piece(2, 2)), None);
        let (least, most) = (piece(i64::MIN, i64::MAX), piece(i64::MIN, i64::MAX));
        assert_eq!(least.overlap(&most), u64::MAX);
    }
}
