//! Many mentions looked for in one text.
//!
//! To search the text for each of them costs text × mentions, which is little where mentions are few
//! or the text is short. Else they are found together, in one pass over the text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::automaton::Automaton;

/// Mentions are looked for one by one while that costs no more than so many looks at each byte of
/// text and mentions: to make an automaton takes about as long.
const PATIENCE: usize = 256;

/// An automaton takes 60 times the memory of its mentions: more than so many bytes get several.
const MOST_BYTES: usize = 1 << 20;

/// Whether so many mentions with so many bytes are too many to be looked for one by one.
pub(super) fn are_many(text: &str, mentions: usize, bytes: usize) -> bool {
    let one_by_one = text.len().saturating_mul(mentions);
    one_by_one > text.len().saturating_add(bytes).saturating_mul(PATIENCE)
}

/// How mentions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    OneByOne,
    Together,
}

impl Way {
    fn of(text: &str, mentions: &[&str]) -> Self {
        let bytes = mentions.iter().map(|mention| mention.len()).sum();
        if are_many(text, mentions.len(), bytes) { Self::Together } else { Self::OneByOne }
    }
}

/// Those of some different mentions that a text has; none of them is empty.
pub(super) fn present<'m>(text: &str, mentions: Vec<&'m str>) -> HashSet<&'m str> {
    present_by(Way::of(text, &mentions), text, mentions)
}

fn present_by<'m>(way: Way, text: &str, mentions: Vec<&'m str>) -> HashSet<&'m str> {
    let mut present = HashSet::new();
    for part in parts(way, mentions) {
        match part.automaton {
            Some(automaton) => automaton.present(text, |number| {
                present.extend(part.mentions.get(number));
            }),
            None => {
                let stands = |m: &&str| memmem::find(text.as_bytes(), m.as_bytes()).is_some();
                present.extend(part.mentions.into_iter().filter(stands));
            }
        }
    }
    present
}

/// Where some different mentions begin in a text, from left to right, without places that overlap
/// the one before; none of the mentions is empty.
pub(super) fn starts<'m>(text: &str, mentions: Vec<&'m str>) -> HashMap<&'m str, Vec<usize>> {
    starts_by(Way::of(text, &mentions), text, mentions, |_| true)
}

/// The same where some places are none: they are not there to be overlapped.
pub(super) fn starts_where<'m>(
    text: &str,
    mentions: Vec<&'m str>,
    is_place: impl Fn(Range<usize>) -> bool,
) -> HashMap<&'m str, Vec<usize>> {
    starts_by(Way::Together, text, mentions, is_place)
}

fn starts_by<'m>(
    way: Way,
    text: &str,
    mentions: Vec<&'m str>,
    is_place: impl Fn(Range<usize>) -> bool,
) -> HashMap<&'m str, Vec<usize>> {
    let mut all = HashMap::new();
    for part in parts(way, mentions) {
        let starts: Vec<Vec<usize>> = match &part.automaton {
            Some(automaton) => {
                let mut starts = vec![Vec::new(); part.mentions.len()];
                automaton.places(text, |number, end| {
                    let of_it = part.mentions.get(number).zip(starts.get_mut(number));
                    let Some((mention, starts)) = of_it else { return };
                    let start = end - mention.len();
                    let behind = starts.last().is_none_or(|last| last + mention.len() <= start);
                    if behind && is_place(start..end) {
                        starts.push(start);
                    }
                });
                starts
            }
            None => {
                let starts = |m: &&str| {
                    let all = memmem::find_iter(text.as_bytes(), m.as_bytes());
                    all.filter(|&start| is_place(start..start + m.len())).collect()
                };
                part.mentions.iter().map(starts).collect()
            }
        };
        all.extend(part.mentions.into_iter().zip(starts));
    }
    all
}

/// Mentions that are looked for in one pass, or one by one.
struct Part<'m> {
    mentions: Vec<&'m str>,
    automaton: Option<Automaton>,
}

/// The parts of mentions: one at a time, so that there is one automaton at a time.
fn parts<'m>(way: Way, mut mentions: Vec<&'m str>) -> impl Iterator<Item = Part<'m>> {
    if way == Way::Together {
        mentions.sort_unstable();
    }
    let mut left = mentions.into_iter().peekable();
    std::iter::from_fn(move || {
        if way == Way::OneByOne {
            let mentions: Vec<&str> = left.by_ref().collect();
            return (!mentions.is_empty()).then_some(Part { mentions, automaton: None });
        }
        let mut mentions = vec![left.next()?];
        let mut bytes: usize = mentions.iter().map(|mention| mention.len()).sum();
        while let Some(mention) = left.next_if(|mention| bytes + mention.len() <= MOST_BYTES) {
            bytes += mention.len();
            mentions.push(mention);
        }
        let automaton = Some(Automaton::new(&mentions));
        Some(Part { mentions, automaton })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_mentions_and_short_texts_need_no_automaton() {
        let numbers: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
        let mentions: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let long = "Ada ".repeat(2000);
        assert_eq!(Way::of(&long, &mentions), Way::Together);
        assert_eq!(Way::of(&long, &mentions[..256]), Way::OneByOne);
        assert_eq!(Way::of("Ada met Bo", &mentions), Way::OneByOne);
        assert_eq!(Way::of("", &mentions), Way::OneByOne);
    }

    #[test]
    fn what_ends_at_one_place_is_found_there() {
        let a = "a".repeat(2 * MOST_BYTES);
        let nested: Vec<&str> = (1..=100).map(|length| &a[..length]).collect();
        let parts = |mentions: Vec<&str>| -> Vec<usize> {
            super::parts(Way::Together, mentions).map(|part| part.mentions.len()).collect()
        };
        assert_eq!(parts(nested.clone()), [100]);
        assert_eq!(parts(vec![&a, "b", &a[1..]]), [1, 1, 1]); // an automaton has no more bytes
        assert_eq!(parts(Vec::new()), [0; 0]);
        // All of them end at nearly every place.
        let (text, many) = (&a[..10_000], nested);
        assert_eq!(present_by(Way::Together, text, many.clone()).len(), 100);
        let starts = starts_by(Way::Together, text, many, |_| true);
        assert_eq!(
            starts.values().map(Vec::len).sum::<usize>(),
            (1..=100).map(|n| 10_000 / n).sum::<usize>()
        );
    }

    proptest! {
        #[test]
        fn all_at_once_is_one_by_one(
            text in "[ab]{0,40}|[abc一丁é]{0,40}",
            mentions in prop::collection::hash_set("[ab]{1,20}|[abc一丁é]{1,4}", 0..40),
        ) {
            let mentions = || mentions.iter().map(String::as_str).collect::<Vec<&str>>();
            let present = |way| present_by(way, &text, mentions());
            prop_assert_eq!(present(Way::Together), present(Way::OneByOne));
            let starts = |way| starts_by(way, &text, mentions(), |_| true);
            prop_assert_eq!(starts(Way::Together), starts(Way::OneByOne));
            let stand = mentions().into_iter().filter(|mention| text.contains(mention));
            prop_assert_eq!(present(Way::OneByOne), stand.collect::<HashSet<_>>());
        }
    }
}
