//! Where mentions stand in the text they were taken from.

mod automaton;
mod covered;
mod folded;
mod many;
mod searched;

use std::collections::BTreeMap;
use std::rc::Rc;

use covered::Covered;

use crate::Normalisation;
pub(crate) use searched::Searched;

/// Where a mention stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Location {
    /// Offset of its first byte. `TextOffsets` of chunkeval-span makes characters of bytes.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

/// What became of a mention when it was looked for in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grounding {
    /// It stands there, and not more often than it was listed.
    Located(Location),
    /// It stands there more often than it was listed, so which place was meant is not known; this
    /// is the one that was taken.
    Ambiguous(Location),
    /// It was listed more often than it stands there.
    Repeated,
    /// It does not stand there.
    Invented,
}

impl Grounding {
    /// The place, if there is one.
    #[must_use]
    pub fn location(self) -> Option<Location> {
        match self {
            Self::Located(location) | Self::Ambiguous(location) => Some(location),
            Self::Repeated | Self::Invented => None,
        }
    }
}

/// Looks for lists of mentions in one text. Give all lists of a text at once, such as the gold and
/// predicted mentions of each type: what is equal in two lists is then found in the same place.
///
/// 1. A mention stands where the text has it exactly, or else, where the text has it but for what
///    the normalisation overlooks.
/// 2. Longer mentions come first. Places within a longer mention are the last ones a mention takes:
///    beside `北京大学`, `北京` is looked for elsewhere first.
/// 3. A mention that a list has n times takes the first n of its places.
///
/// The result does not depend on the order of lists and mentions, but for which one of equal
/// mentions takes which place. The time is linear in text, mentions and places of mentions.
///
/// ```
/// use chunkeval_llm::{Grounding, Normalisation, ground};
///
/// let text = "北京大学在北京，Peking University。";
/// let lists = [vec!["北京", "peking university"], vec!["北京大学", "南京"]];
/// let found = ground(text, &lists, Normalisation::ALL);
/// let place = |found: Grounding| found.location().map(|l| &text[l.start..l.end]);
///
/// assert_eq!(found[0][0].location().unwrap().start, "北京大学在".len());
/// assert_eq!(place(found[0][1]), Some("Peking University"));
/// assert_eq!(place(found[1][0]), Some("北京大学"));
/// assert_eq!(found[1][1], Grounding::Invented);
/// ```
#[must_use]
pub fn ground<S: AsRef<str>>(
    text: &str,
    lists: &[Vec<S>],
    normalisation: Normalisation,
) -> Vec<Vec<Grounding>> {
    // The most times that one list has it, of each mention.
    let mut mentions: BTreeMap<&str, usize> = BTreeMap::new();
    for list in lists {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        list.iter().for_each(|mention| *times.entry(mention.as_ref()).or_default() += 1);
        for (mention, times) in times {
            let most = mentions.entry(mention).or_default();
            *most = times.max(*most);
        }
    }
    let places = places(Searched::new(text, normalisation), mentions);
    let of_list = |list: &Vec<S>| {
        let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
        list.iter().for_each(|mention| *listed.entry(mention.as_ref()).or_default() += 1);
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        let each = list.iter().map(|mention| {
            let mention = mention.as_ref();
            let (places, turn) = (places.get(mention), taken.entry(mention).or_default());
            let place = places.and_then(|places| places.get(*turn)).copied();
            *turn += 1;
            let many =
                places.map_or(0, |places| places.len()) > listed.get(mention).copied().unwrap_or(0);
            match place {
                Some(place) if many => Grounding::Ambiguous(place),
                Some(place) => Grounding::Located(place),
                None if places.is_none_or(|places| places.is_empty()) => Grounding::Invented,
                None => Grounding::Repeated,
            }
        });
        each.collect()
    };
    lists.iter().map(of_list).collect()
}

/// The places of each mention in the order in which they are taken.
fn places<'m>(
    mut text: Searched<'_>,
    mentions: BTreeMap<&'m str, usize>,
) -> BTreeMap<&'m str, Rc<[Location]>> {
    let found = text.places(mentions.keys().copied());
    let mut longest_first: Vec<(&str, usize)> = mentions.into_iter().collect();
    longest_first.sort_by_key(|&(mention, _)| std::cmp::Reverse(mention.len()));
    let mut covered = Covered::default();
    let mut places = BTreeMap::new();
    let lengths = longest_first.chunk_by(|a, b| a.0.len() == b.0.len());
    for equally_long in lengths {
        let mut more = Vec::new();
        // Mentions that share their places take them in the same order.
        let mut orders: BTreeMap<usize, Rc<[Location]>> = BTreeMap::new();
        for &(mention, times) in equally_long {
            let Some(&number) = found.numbers.get(mention) else { continue };
            let order = orders.entry(number).or_insert_with(|| {
                let all = found.lists.get(number).into_iter().flatten().copied();
                let (inside, mut order): (Vec<Location>, Vec<Location>) =
                    all.partition(|&place| covered.touches(place));
                order.extend(inside);
                order.into()
            });
            more.extend(order.iter().take(times).copied());
            places.insert(mention, Rc::clone(order));
        }
        more.into_iter().for_each(|place| covered.add(place));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fold;
    use proptest::prelude::*;

    fn starts(text: &str, lists: &[Vec<&str>]) -> Vec<Vec<Option<usize>>> {
        let found = ground(text, lists, Normalisation::ALL);
        let start = |g: &Grounding| g.location().map(|l| l.start);
        found.iter().map(|list| list.iter().map(start).collect()).collect()
    }

    #[test]
    fn the_nth_mention_takes_the_nth_place() {
        let found = ground("a b a c", &[vec!["a", "a", "a"], vec!["a"]], Normalisation::NONE);
        let at = |start| Location { start, end: start + 1 };
        assert_eq!(
            found[0],
            [Grounding::Located(at(0)), Grounding::Located(at(4)), Grounding::Repeated]
        );
        assert_eq!(found[1], [Grounding::Ambiguous(at(0))]);
    }

    #[test]
    fn longer_mentions_come_first() {
        assert_eq!(starts("ABAB A", &[vec!["A"], vec!["ABAB"]]), [[Some(5)], [Some(0)]]);
        // Where there is no other place, one within a longer mention is as good.
        assert_eq!(starts("ABAB", &[vec!["A", "ABAB"]]), [[Some(0), Some(0)]]);
        // Beside equally long ones nobody gives way.
        assert_eq!(
            starts("ab", &[vec!["a", "b"], vec!["a"]]),
            [vec![Some(0), Some(1)], vec![Some(0)]]
        );
    }

    #[test]
    fn exact_places_go_before_normalised_ones() {
        assert_eq!(starts("Paris paris", &[vec!["paris"]]), [[Some(6)]]);
        assert_eq!(starts("Paris", &[vec!["ＰＡＲＩＳ"]]), [[Some(0)]]);
        let found = ground("im Ｂüro  B", &[vec!["BÜRO b"]], Normalisation::ALL);
        let place = found[0][0].location().unwrap();
        assert_eq!((place.start, place.end), (3, "im Ｂüro  B".len()));
    }

    #[test]
    fn half_of_a_character_is_no_place() {
        assert_eq!(starts("İstanbul", &[vec!["i"], vec!["İ", "i\u{307}"]])[0], [None]);
        assert_eq!(starts("İstanbul", &[vec!["İ", "i\u{307}s"]]), [[Some(0), Some(0)]]);
        // Nor does it hide one that overlaps it.
        let text = "가\u{301}가\u{301}가";
        assert_eq!(starts(text, &[vec!["\u{1100}\u{1161}\u{301}가"]]), [[Some(5)]]);
        let mut text = Searched::new("İx", Normalisation::ALL);
        assert!(text.has("i\u{307}X") && !text.has("i") && !text.has("\u{307}x"));
    }

    #[test]
    fn composed_characters_are_found_where_they_stand() {
        let text = "Cafe\u{301} in Zu\u{308}rich, Café";
        let found =
            ground(text, &[vec!["Café"], vec!["zürich", "Cafe\u{301}"]], Normalisation::ALL);
        let place = |found: Grounding| found.location().map(|l| &text[l.start..l.end]);
        assert_eq!(place(found[0][0]), Some("Café")); // exactly, if there is such a place
        assert_eq!(place(found[1][0]), Some("Zu\u{308}rich"));
        assert_eq!(place(found[1][1]), Some("Cafe\u{301}"));
        let found = ground("Zu\u{308}rich", &[vec!["Zürich"]], Normalisation::ALL);
        assert_eq!(found[0][0], Grounding::Located(Location { start: 0, end: 8 }));
        // Without its mark a letter is another one, unless it stands there exactly.
        let found = ground("ZU\u{308}RICH", &[vec!["zu"]], Normalisation::ALL);
        assert_eq!(found[0], [Grounding::Invented]);
    }

    #[test]
    fn nothing_is_found_nowhere() {
        for mention in ["", " ", "x"] {
            let found = ground("a b", &[vec![mention]], Normalisation::ALL);
            let invented = mention == "x" || mention.is_empty();
            assert_eq!(found[0][0] == Grounding::Invented, invented, "{mention:?}");
        }
        assert_eq!(ground("", &[vec!["x"], vec![]], Normalisation::ALL)[0], [Grounding::Invented]);
    }

    #[test]
    fn stray_letters_of_hangul_take_nothing_away() {
        let place = |text, mention: &str| {
            ground(text, &[vec![mention]], Normalisation::ALL)[0][0]
                .location()
                .map(|l| l.start..l.end)
        };
        assert_eq!(place("ADA\u{1161}", "Ada"), Some(0..3));
        assert_eq!(place("\u{11a8}\u{11a8} Ada", "ADA"), Some(7..10));
        assert_eq!(place("\u{1100}\u{1161}\u{1161}", "가"), Some(0..6));
        assert_eq!(place("\u{1100}\u{1161}\u{11a8}", "가"), None);
    }

    proptest! {
        #[test]
        fn a_part_of_the_text_is_found_however_it_is_composed(
            before in "[a \u{1100}\u{1161}\u{11a8}가か\u{3099}é\u{301}\u{9c7}\u{9be}]{0,4}",
            // What begins these goes with nothing before it.
            part in "[a\u{1100}가か][a\u{1100}\u{1161}\u{11a8}가か\u{3099}é\u{301}\u{9c7}\u{9be}]{0,3}",
            behind in "([a \u{1100}가か][a\u{1161}\u{11a8}\u{3099}\u{301}\u{9be}]{0,3})?",
        ) {
            use unicode_normalization::UnicodeNormalization as _;
            let nfc = |text: &str| text.nfc().collect::<String>();
            let text = [&*before, &*part, &*behind].concat();
            prop_assert_eq!(nfc(&text), [nfc(&before), nfc(&part), nfc(&behind)].concat());
            for mention in [nfc(&part), part.nfd().collect()] {
                let found = ground(&text, &[vec![mention]], Normalisation::of([Fold::Unicode]));
                let place = found[0][0].location().map(|l| nfc(&text[l.start..l.end]));
                prop_assert_eq!(place, Some(nfc(&part)));
            }
        }

        #[test]
        fn equal_mentions_are_found_in_the_same_places_whatever_the_order(
            text in "[abAB áÁ\u{301}]{0,12}",
            mut one in prop::collection::vec("[abAB áÁ\u{301}]{0,3}", 0..5),
            mut two in prop::collection::vec("[abAB áÁ\u{301}]{0,3}", 0..5),
        ) {
            let found = |one: &[String], two: &[String]| {
                let found = ground(&text, &[one.to_vec(), two.to_vec()], Normalisation::ALL);
                let sorted = |list: &[String], found: &[Grounding]| {
                    let places = found.iter().map(|g| g.location());
                    let mut all: Vec<_> = list.iter().cloned().zip(places).collect();
                    all.sort();
                    all
                };
                (sorted(one, &found[0]), sorted(two, &found[1]))
            };
            let forward = found(&one, &two);
            for (mention, place) in forward.0.iter().chain(&forward.1) {
                if let Some(Location { start, end }) = *place {
                    let there = &text[start..end];
                    let all = Normalisation::ALL;
                    prop_assert!(all.apply(there) == all.apply(mention), "{there:?} {mention:?}");
                }
            }
            let (f, b) = (forward.clone(), found(&two, &one));
            prop_assert_eq!((f.0, f.1), (b.1, b.0));
            one.reverse();
            two.reverse();
            prop_assert_eq!(forward, found(&one, &two));
        }
    }
}
