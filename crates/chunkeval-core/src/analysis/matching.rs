//! Which predicted chunk stands for which gold chunk of a row.

use std::cmp::Reverse;

use crate::tags::Span;

/// Pairs the chunks of a row, each one at most once: first those of the same span, then those
/// that overlap, the largest overlap first. Of equal ones those of the same type come first, then
/// those that stand further left. What remains has no partner.
///
/// The memory is kept from row to row.
#[derive(Clone, Debug, Default)]
pub(super) struct Matcher {
    /// The gold chunks; fill it, in order of their starts.
    pub(super) gold: Vec<Span>,
    /// The predicted chunks; fill it, in order of their starts.
    pub(super) predicted: Vec<Span>,
    candidates: Vec<Candidate>,
    /// The predicted chunk of each gold one.
    partners: Vec<Option<usize>>,
    taken: Vec<bool>,
}

/// Two chunks that may be a pair. The lesser one is the better one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    other_span: bool,
    overlap: Reverse<usize>,
    other_type: bool,
    gold: usize,
    predicted: usize,
}

impl Matcher {
    /// With the chunks of one row, each side in order of starts.
    pub(super) fn of(gold: Vec<Span>, predicted: Vec<Span>) -> Self {
        Self { gold, predicted, ..Self::default() }
    }

    /// Calls `each` with every pair and every chunk without a partner: gold chunks in order, then
    /// predicted ones that are left.
    pub(super) fn pair(&mut self, mut each: impl FnMut(Option<Span>, Option<Span>)) {
        self.find_candidates();
        self.candidates.sort_unstable();
        self.partners.clear();
        self.partners.resize(self.gold.len(), None);
        self.taken.clear();
        self.taken.resize(self.predicted.len(), false);
        for candidate in &self.candidates {
            let places =
                (self.partners.get_mut(candidate.gold), self.taken.get_mut(candidate.predicted));
            if let (Some(partner @ None), Some(taken @ false)) = places {
                *partner = Some(candidate.predicted);
                *taken = true;
            }
        }
        for (&gold, partner) in self.gold.iter().zip(&self.partners) {
            each(Some(gold), partner.and_then(|p| self.predicted.get(p).copied()));
        }
        for (&predicted, _) in self.predicted.iter().zip(&self.taken).filter(|(_, taken)| !**taken)
        {
            each(None, Some(predicted));
        }
    }

    /// Every two chunks that overlap or are equal. A sweep: where the chunks of a side do not
    /// overlap each other, as in rows of tags, there are fewer candidates than chunks.
    fn find_candidates(&mut self) {
        self.candidates.clear();
        let mut first = 0;
        for (gold, g) in self.gold.iter().enumerate() {
            let behind = |p: &Span| p.end < g.start;
            first += self.predicted.iter().skip(first).take_while(|p| behind(p)).count();
            let near = self.predicted.iter().enumerate().skip(first);
            for (predicted, p) in near.take_while(|(_, p)| p.start <= g.end) {
                let overlap = p.end.min(g.end).saturating_sub(p.start.max(g.start));
                let other_span = (p.start, p.end) != (g.start, g.end);
                if overlap > 0 || !other_span {
                    self.candidates.push(Candidate {
                        other_span,
                        overlap: Reverse(overlap),
                        other_type: p.entity_type != g.entity_type,
                        gold,
                        predicted,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(spans: &[(usize, usize, u32)]) -> Vec<Span> {
        spans.iter().map(|&(start, end, entity_type)| Span { start, end, entity_type }).collect()
    }

    /// Pairs of indices; `None` is no partner.
    fn pairs(gold: Vec<Span>, predicted: Vec<Span>) -> Vec<(Option<Span>, Option<Span>)> {
        let mut matcher = Matcher::of(gold, predicted);
        let mut found = Vec::new();
        matcher.pair(|g, p| found.push((g, p)));
        found
    }

    #[test]
    fn the_same_span_comes_before_a_larger_overlap() {
        // Nested gold chunks: the long prediction overlaps both, and is one of them.
        let gold = spans(&[(0, 5, 1), (1, 3, 2)]);
        let predicted = spans(&[(1, 3, 1)]);
        let found = pairs(gold.clone(), predicted.clone());
        assert_eq!(found, [(Some(gold[0]), None), (Some(gold[1]), Some(predicted[0]))]);
    }

    #[test]
    fn the_largest_overlap_comes_first_then_the_type_then_the_place() {
        let gold = spans(&[(0, 4, 1)]);
        let longer = spans(&[(0, 1, 1), (1, 4, 2)]);
        assert_eq!(pairs(gold.clone(), longer.clone())[0].1, Some(longer[1]));
        let same_type = spans(&[(0, 2, 2), (2, 4, 1)]);
        assert_eq!(pairs(gold.clone(), same_type.clone())[0].1, Some(same_type[1]));
        let left = spans(&[(0, 2, 1), (2, 4, 1)]);
        assert_eq!(pairs(gold, left.clone())[0].1, Some(left[0]));
    }

    fn any_spans() -> impl Strategy<Value = Vec<Span>> {
        let span = (0..12usize, 0..5usize, 0..3u32).prop_map(|(start, length, entity_type)| Span {
            start,
            end: start + length,
            entity_type,
        });
        prop::collection::vec(span, 0..8).prop_map(|mut spans| {
            spans.sort_unstable();
            spans
        })
    }

    proptest! {
        /// Nested, repeated and empty chunks included: each is in one pair, and the rule is kept
        /// by a search of all pairs, one at a time.
        #[test]
        fn equals_a_plain_search(gold in any_spans(), predicted in any_spans()) {
            let mut free: Vec<Option<Span>> = predicted.iter().copied().map(Some).collect();
            let mut partner: Vec<Option<Span>> = vec![None; gold.len()];
            loop {
                let mut best: Option<(bool, Reverse<usize>, bool, usize, usize)> = None;
                for (i, g) in gold.iter().enumerate().filter(|(i, _)| partner[*i].is_none()) {
                    for (j, p) in free.iter().enumerate().filter_map(|(j, p)| Some((j, (*p)?))) {
                        let overlap = (p.start..p.end).filter(|t| (g.start..g.end).contains(t)).count();
                        let other_span = (g.start, g.end) != (p.start, p.end);
                        let key = (other_span, Reverse(overlap), g.entity_type != p.entity_type, i, j);
                        if (overlap > 0 || !other_span) && best.is_none_or(|b| key < b) {
                            best = Some(key);
                        }
                    }
                }
                let Some((.., i, j)) = best else { break };
                partner[i] = free[j].take();
            }
            let mut expected: Vec<_> = gold.iter().copied().map(Some).zip(partner).collect();
            expected.extend(free.into_iter().flatten().map(|p| (None, Some(p))));
            prop_assert_eq!(pairs(gold, predicted), expected);
        }
    }
}
