//! [`Searched`]: a text in which mentions are looked for.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use memchr::memmem;

use super::folded::Folded;
use super::many::{are_many, present, starts};
use crate::{Location, Normalisation};

/// Whether and where a text has a mention: exactly, or but for what the normalisation overlooks.
pub(crate) struct Searched<'t> {
    text: &'t str,
    normalisation: Normalisation,
    /// Made when they are needed first.
    folded: Option<Folded>,
    normalised: Option<Cow<'t, str>>,
    /// What was found of mentions: an answer may repeat one as often as it likes.
    known: HashMap<&'t str, bool>,
}

/// The places of different mentions.
#[derive(Default)]
pub(super) struct Places<'m> {
    /// From left to right, none of which overlaps the one before.
    pub(super) lists: Vec<Vec<Location>>,
    /// The number of a mention's list; mentions with one normalised text may share it.
    pub(super) numbers: HashMap<&'m str, usize>,
}

impl<'t> Searched<'t> {
    pub(crate) fn new(text: &'t str, normalisation: Normalisation) -> Self {
        let known = HashMap::new();
        Self { text, normalisation, folded: None, normalised: None, known }
    }

    /// A text that will be asked for these mentions. If they are many they are looked for now, all at
    /// once.
    pub(crate) fn of<M: Iterator<Item = &'t str>>(
        text: &'t str,
        normalisation: Normalisation,
        mentions: impl Fn() -> M,
    ) -> Self {
        let mut searched = Self::new(text, normalisation);
        let sum = |(count, bytes), mention: &str| (count + 1, bytes + mention.len());
        let (count, bytes) = mentions().fold((0, 0), sum);
        if are_many(text, count, bytes) {
            searched.look_for(mentions().collect());
        }
        searched
    }

    /// Costs a search of the text for each different mention, up to its first place, unless it was
    /// looked for before.
    pub(crate) fn has(&mut self, mention: &'t str) -> bool {
        if let Some(has) = self.known.get(mention) {
            return *has;
        }
        let exactly = || memmem::find(self.text.as_bytes(), mention.as_bytes()).is_some();
        let has = !mention.is_empty() && (exactly() || self.has_folded(mention));
        self.known.insert(mention, has);
        has
    }

    fn has_folded(&mut self, mention: &str) -> bool {
        let Self { text, normalisation, normalised, .. } = self;
        let folded = normalised.get_or_insert_with(|| normalisation.apply(text));
        let needle = normalisation.apply(mention);
        // Where it comes from takes longer to say: it may be the half of a character.
        memmem::find(folded.as_bytes(), needle.as_bytes()).is_some()
            && !needle.is_empty()
            && self.folded().is_some_and(|text| !text.present(vec![&needle]).is_empty())
    }

    /// Looks for all of some mentions at once.
    fn look_for(&mut self, mut mentions: HashSet<&'t str>) {
        self.known.extend(mentions.iter().map(|mention| (*mention, false)));
        mentions.remove("");
        let exactly = present(self.text, mentions.iter().copied().collect());
        mentions.retain(|mention| !exactly.contains(mention));
        self.known.extend(exactly.into_iter().map(|mention| (mention, true)));
        let alike = alike(self.normalisation, mentions.iter().copied());
        let needles = alike.keys().map(String::as_str).collect();
        let found = self.folded().map_or_else(HashSet::new, |text| text.present(needles));
        let found = alike.iter().filter(|(needle, _)| found.contains(&***needle));
        self.known.extend(found.flat_map(|(_, mentions)| mentions).map(|mention| (*mention, true)));
    }

    /// The places of different mentions.
    pub(super) fn places<'m>(&mut self, mentions: impl Iterator<Item = &'m str>) -> Places<'m> {
        let mut places = Places::default();
        let mut elsewhere = Vec::new();
        for (mention, starts) in starts(self.text, mentions.filter(|m| !m.is_empty()).collect()) {
            if starts.is_empty() {
                elsewhere.push(mention);
                continue;
            }
            let place = |start| Location { start, end: start + mention.len() };
            places.numbers.insert(mention, places.lists.len());
            places.lists.push(starts.into_iter().map(place).collect());
        }
        if elsewhere.is_empty() {
            return places;
        }
        let alike = alike(self.normalisation, elsewhere.into_iter());
        let Some(text) = self.folded() else { return places };
        for (needle, found) in text.places(alike.keys().map(String::as_str).collect()) {
            let same = alike.get(needle).into_iter().flatten();
            places.numbers.extend(same.map(|mention| (*mention, places.lists.len())));
            places.lists.push(found);
        }
        places
    }

    /// The normalised text, if there is anything to normalise.
    fn folded(&mut self) -> Option<&Folded> {
        let Self { text, normalisation, folded, .. } = self;
        (*normalisation != Normalisation::NONE)
            .then(|| &*folded.get_or_insert_with(|| Folded::new(text, *normalisation)))
    }
}

/// Mentions by their normalised text, without those of which nothing is left.
fn alike<'m>(
    normalisation: Normalisation,
    mentions: impl Iterator<Item = &'m str>,
) -> BTreeMap<String, Vec<&'m str>> {
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for mention in mentions {
        let needle = normalisation.apply(mention).into_owned();
        if !needle.is_empty() {
            alike.entry(needle).or_default().push(mention);
        }
    }
    alike
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fold;
    use proptest::prelude::*;

    #[test]
    fn a_mention_is_looked_for_once() {
        let text = "Ada ".repeat(100_000);
        let mut searched = Searched::new(&text, Normalisation::ALL);
        for _ in 0..50_000 {
            // Exactly, and where the text is normalised: the first place is enough.
            assert!(searched.has("Ada") && searched.has("ADA") && !searched.has("Bo"));
        }
        assert_eq!(searched.known.len(), 3);
        // Half of a character has many places, none of which is one.
        let text = "İ".repeat(100_000);
        let mut searched = Searched::new(&text, Normalisation::ALL);
        assert!((0..50_000).all(|_| !searched.has("i")) && searched.has("i\u{307}"));
    }

    /// The places of one mention, searched for it alone.
    fn places_of(text: &str, normalisation: Normalisation, mention: &str) -> Vec<Location> {
        let place = |(start, _): (usize, &str)| Location { start, end: start + mention.len() };
        let exact: Vec<Location> = match mention {
            "" => return Vec::new(),
            _ => text.match_indices(mention).map(place).collect(),
        };
        let needle = normalisation.apply(mention);
        match exact.is_empty() && normalisation != Normalisation::NONE && !needle.is_empty() {
            true => {
                let found = Folded::new(text, normalisation).places(vec![&needle]);
                found.into_values().flatten().collect()
            }
            false => exact,
        }
    }

    proptest! {
        #[test]
        fn all_at_once_is_one_by_one(
            text in "[abAＢ \u{3000}áÁ\u{301}İi\u{307}一ｶﾞが]{0,30}",
            mentions in prop::collection::vec("[abAＢ \u{3000}áÁ\u{301}İi\u{307}一ｶﾞが]{0,4}", 0..30),
            bits in 0_usize..16,
        ) {
            let folds = Fold::ALL.into_iter().enumerate();
            let folds = folds.filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, fold)| fold);
            let normalisation = Normalisation::of(folds);
            let mentions = || mentions.iter().map(String::as_str);
            let mut together = Searched::new(&text, normalisation);
            together.look_for(mentions().collect());
            let different: HashSet<&str> = mentions().collect();
            let places = Searched::new(&text, normalisation).places(different.into_iter());
            for mention in mentions() {
                let has = Searched::new(&text, normalisation).has(mention);
                prop_assert_eq!(together.known.get(mention), Some(&has), "{:?}", mention);
                let simple = places_of(&text, normalisation, mention);
                prop_assert_eq!(!simple.is_empty(), has, "{:?}", mention);
                let number = places.numbers.get(mention);
                let found = number.map_or(&[][..], |number| &places.lists[*number]);
                prop_assert_eq!(found, &simple, "{:?}", mention);
            }
        }
    }
}
