//! One table of scores in a result: how it was made, and of what gold standard.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A table of scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'v> {
    pub(super) scores: &'v Value,
}

/// What a signature says of the data rather than of how it was scored: how sure the detected scheme
/// is. The scheme itself stands in it, too.
const OF_DATA: &str = "detected";

impl<'v> Table<'v> {
    /// How the scores were made: names and values.
    fn signed(self) -> BTreeMap<&'v str, &'v str> {
        let signature = self.scores["signature"].as_str().unwrap_or_default();
        let entries = signature.split('|').filter_map(|entry| entry.split_once(':'));
        entries.filter(|(name, _)| *name != OF_DATA).collect()
    }

    /// Whether the signature has an entry.
    pub(super) fn is_signed(self, key: &str, value: &str) -> bool {
        self.signed().get(key) == Some(&value)
    }

    /// In what another table was made in another way: `mode:IOB2 here, mode:lenient there`.
    pub(super) fn difference(self, other: Self, [here, there]: [&str; 2]) -> Option<String> {
        let (mine, theirs) = (self.signed(), other.signed());
        let names: BTreeSet<&str> = mine.keys().chain(theirs.keys()).copied().collect();
        let differ = names.into_iter().filter(|name| mine.get(name) != theirs.get(name));
        let differ: Vec<&str> = differ.collect();
        let said = |of: &BTreeMap<&str, &str>| {
            let entry = |name: &&str| match of.get(name) {
                Some(value) => format!("{name}:{value}"),
                None => format!("no {name}"),
            };
            differ.iter().map(entry).collect::<Vec<_>>().join(" and ")
        };
        (!differ.is_empty())
            .then(|| format!("{} in {here}, {} in {there}", said(&mine), said(&theirs)))
    }

    /// The first type of which another table has more or fewer gold entities, with both numbers.
    /// Where unreadable answers are skipped, so are their gold entities, and nothing is known.
    pub(super) fn other_support(self, other: Self) -> Option<(&'v str, [u64; 2])> {
        if [self, other].iter().any(|table| table.is_signed("unreadable", "skip")) {
            return None;
        }
        let (mine, theirs) = (self.support(), other.support());
        let types: BTreeSet<&str> = mine.keys().chain(theirs.keys()).copied().collect();
        let of = |support: &BTreeMap<&str, u64>, name| support.get(name).copied().unwrap_or(0);
        let counts = types.into_iter().map(|name| (name, [of(&mine, name), of(&theirs, name)]));
        counts.into_iter().find(|(_, [mine, theirs])| mine != theirs)
    }

    /// How many gold entities of each type there are.
    fn support(self) -> BTreeMap<&'v str, u64> {
        let rows = self.scores["types"].as_array().into_iter().flatten();
        rows.filter_map(|row| Some((row["type"].as_str()?, row["support"].as_u64()?))).collect()
    }
}
