//! [`Folded`]: a normalised text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::many::{present, starts, starts_where};
use crate::{Location, Normalisation};

/// A normalised text, and where its characters come from.
pub(super) struct Folded {
    text: String,
    /// Offset of each character in it, and the bytes it stands for.
    origins: Vec<(usize, Range<usize>)>,
    /// A character of the text has become two.
    has_halves: bool,
}

impl Folded {
    pub(super) fn new(text: &str, normalisation: Normalisation) -> Self {
        let (mut folded, mut origins) = (String::with_capacity(text.len()), Vec::new());
        let mut has_halves = false;
        normalisation.each(text, |c, bytes| {
            has_halves |= origins.last().is_some_and(|(_, last)| *last == bytes);
            origins.push((folded.len(), bytes));
            folded.push(c);
        });
        Self { text: folded, origins, has_halves }
    }

    /// Those of some normalised mentions that have a place; they are different, none is empty.
    pub(super) fn present<'m>(&self, needles: Vec<&'m str>) -> HashSet<&'m str> {
        if !self.has_halves {
            return present(&self.text, needles);
        }
        let found = self.places(needles).into_iter().filter(|(_, places)| !places.is_empty());
        found.map(|(needle, _)| needle).collect()
    }

    /// Where each of them comes from, from left to right.
    pub(super) fn places<'m>(&self, needles: Vec<&'m str>) -> HashMap<&'m str, Vec<Location>> {
        let starts = match self.has_halves {
            true => starts_where(&self.text, needles, |bytes| self.origin(bytes).is_some()),
            false => starts(&self.text, needles),
        };
        let places = |needle: &str, starts: Vec<usize>| {
            let ranges = starts.into_iter().map(|start| start..start + needle.len());
            ranges.filter_map(|bytes| self.origin(bytes)).collect()
        };
        starts.into_iter().map(|(needle, starts)| (needle, places(needle, starts))).collect()
    }

    /// Where bytes of the normalised text come from.
    fn origin(&self, bytes: Range<usize>) -> Option<Location> {
        let character = |byte| self.origins.partition_point(|&(at, _)| at <= byte).checked_sub(1);
        let (first, last) = (character(bytes.start)?, character(bytes.end.checked_sub(1)?)?);
        let origin = |at: usize| self.origins.get(at).map(|(_, bytes)| bytes);
        // Some characters become two: İ is i with a dot, and neither of them is all of it.
        let is_cut = first.checked_sub(1).and_then(origin) == origin(first)
            || origin(last + 1) == origin(last);
        let (first, last) = (self.origins.get(first)?, self.origins.get(last)?);
        (!is_cut).then_some(Location { start: first.1.start, end: last.1.end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_the_first_whole_ones_behind_each_other(
            text in "[aiİ\u{307}가\u{301}か\u{3099}]{0,30}",
            needle in "[aiİ\u{307}가\u{301}か\u{3099}]{1,4}",
        ) {
            let (folds, mut behind) = (Normalisation::ALL, 0);
            let (folded, needle) = (Folded::new(&text, folds), folds.apply(&needle).into_owned());
            let mut expected = Vec::new();
            for start in 0..folded.text.len() {
                let bytes = start..start + needle.len();
                let stands = start >= behind && folded.text.get(bytes.clone()) == Some(&needle);
                if let Some(place) = folded.origin(bytes.clone()).filter(|_| stands) {
                    expected.push(place);
                    behind = bytes.end;
                }
            }
            let has = !folded.present(vec![&needle]).is_empty();
            prop_assert_eq!(has, !expected.is_empty());
            prop_assert_eq!(&folded.places(vec![&needle])[&*needle], &expected);
        }
    }
}
