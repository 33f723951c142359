//! The parts of a row that errors can be in.

use std::ops::Range;

use crate::TagSet;
use crate::tags::Position;

/// Cuts rows to where their sides differ, at each `O` that stands on both.
///
/// What lies between has the same chunks on both sides. No chunk crosses an `O`, with one
/// exception: odd letters (seqeval's reading of labels only) can end a chunk that did not start,
/// which then begins wherever the last one did. With such labels rows are not cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows<'a> {
    tags: &'a TagSet,
    cuts: bool,
}

impl<'a> Windows<'a> {
    pub(super) fn of(tags: &'a TagSet) -> Self {
        let plain = |(position, entity_type)| match position {
            Position::Dot | Position::Other => false,
            Position::Outside => (position, entity_type) == TagSet::OUTSIDE,
            Position::Begin | Position::Inside | Position::End | Position::Single => true,
        };
        Self { tags, cuts: tags.positions().all(plain) }
    }

    /// The next tokens to look at, from a position on that is 0 or the end of a window.
    pub(super) fn next(self, gold: &[i32], predicted: &[i32], from: usize) -> Option<Range<usize>> {
        if from == 0 && gold == predicted {
            return None;
        }
        if !self.cuts {
            return (from == 0).then_some(0..gold.len());
        }
        let pairs = || gold.iter().zip(predicted);
        let outside = |id: &i32| self.tags.tag(*id) == TagSet::OUTSIDE;
        let first = from + pairs().skip(from).position(|(g, p)| g != p)?;
        let before = gold.iter().take(first).skip(from).rposition(outside);
        let start = before.map_or(from, |before| from + before + 1);
        let behind = pairs().skip(first + 1).position(|(g, p)| outside(g) && outside(p));
        Some(start..behind.map_or(gold.len(), |behind| first + 1 + behind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelReading;

    #[test]
    fn rows_are_cut_at_an_outside_of_both_sides() {
        let windows = |labels: &str, gold: &[i32], predicted: &[i32]| {
            let labels = labels.split(' ').map(str::to_owned);
            let tags = TagSet::builder(labels).reading(LabelReading::Reference).build().unwrap();
            let windows = Windows::of(&tags);
            let next = |from| windows.next(gold, predicted, from);
            let all = std::iter::successors(next(0), |w| next(w.end));
            all.map(|w| (w.start, w.end)).collect::<Vec<_>>()
        };
        let plain = "O B-X I-X";
        assert_eq!(windows(plain, &[1, 2, 0], &[1, 2, 0]), []);
        assert_eq!(windows(plain, &[1, 0, 1, 2, 0, 1], &[1, 0, 1, 0, 0, 1]), [(2, 4)]);
        assert_eq!(windows(plain, &[1, 2, 1, 2], &[1, 2, 2, 2]), [(0, 4)]);
        assert_eq!(windows(plain, &[0, 0, 0], &[0, 1, 0]), [(1, 2)]);
        assert_eq!(windows(plain, &[0, 1, 0, 1], &[0, 9, 0, 2]), [(1, 2), (3, 4)]);
        assert_eq!(windows(plain, &[1, 0, 2, 0, 1], &[2, 1, 0, 0, 2]), [(0, 3), (4, 5)]);
        for odd in ["O B-X M-X", "O B-X .", "O B-X O-X"] {
            assert_eq!(windows(odd, &[0, 0, 0, 1], &[0, 1, 0, 2]), [(0, 4)], "{odd}");
        }
    }
}
