//! [`Covered`]: the places that longer mentions have taken.

use std::collections::BTreeMap;

use crate::Location;

/// Parts of a text that are taken; none overlaps another.
#[derive(Default)]
pub(super) struct Covered {
    /// From start to end.
    parts: BTreeMap<usize, usize>,
}

impl Covered {
    pub(super) fn touches(&self, place: Location) -> bool {
        let before = self.parts.range(..place.end).next_back();
        before.is_some_and(|(_, &end)| end > place.start)
    }

    pub(super) fn add(&mut self, place: Location) {
        let (mut start, mut end) = (place.start, place.end);
        while let Some((&at, &to)) = self.parts.range(..end).next_back().filter(|p| *p.1 > start) {
            self.parts.remove(&at);
            (start, end) = (start.min(at), end.max(to));
        }
        self.parts.insert(start, end);
    }
}
