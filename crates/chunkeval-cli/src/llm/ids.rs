//! Ids of records that stand on several lines.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::Hasher as _;

use chunkeval_llm::Record;
use serde::Serialize;

/// How many of them are listed.
const LISTED: usize = 10;

/// The ids of some lines. Of each a hash of 16 bytes and a line are kept.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    first: HashMap<u128, u64>,
    repeated: Repeated,
}

/// Lines with the id of a line before.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Repeated {
    /// Lines with an id.
    pub(crate) ids: u64,
    /// How many of them have one that a line before has.
    pub(crate) lines: u64,
    /// The first of them.
    pub(crate) first: Vec<Again>,
}

/// A line with the id of a line before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Again {
    pub(crate) line: u64,
    pub(crate) id: String,
    /// The first line with that id.
    pub(crate) before: u64,
}

/// The ids of a block.
pub(super) type OfBlock = Vec<(u64, String)>;

/// The ids of records that have one, with their lines.
pub(super) fn of_block(records: &[Record]) -> OfBlock {
    let ids = records.iter().filter_map(|record| Some((record.id.line, record.id.id.clone()?)));
    ids.collect()
}

impl Ids {
    /// Adds those of the next block.
    pub(super) fn add(&mut self, block: OfBlock) {
        for (line, id) in block {
            self.repeated.ids += 1;
            match self.first.entry(hash(&id)) {
                Entry::Vacant(entry) => drop(entry.insert(line)),
                Entry::Occupied(entry) => {
                    self.repeated.lines += 1;
                    if self.repeated.first.len() < LISTED {
                        self.repeated.first.push(Again { line, id, before: *entry.get() });
                    }
                }
            }
        }
    }

    pub(super) fn into_repeated(self) -> Repeated {
        self.repeated
    }
}

/// So many bits that no two ids of any file are taken for one.
fn hash(id: &str) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(seed);
        hasher.write(id.as_bytes());
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_the_id_of_another_are_counted_across_blocks() {
        let mut ids = Ids::default();
        let id = |line, id: &str| (line, id.to_owned());
        ids.add(vec![id(1, "a"), id(2, "b"), id(4, "a")]);
        ids.add((5..30).map(|line| id(line, "b")).collect());
        let Repeated { ids, lines, first } = ids.into_repeated();
        assert_eq!((ids, lines, first.len()), (28, 26, LISTED));
        assert_eq!(first[0], Again { line: 4, id: "a".to_owned(), before: 1 });
        assert_eq!((first[1].line, first[1].before), (5, 2));
    }
}
