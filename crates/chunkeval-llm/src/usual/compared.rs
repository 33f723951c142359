//! One record: its gold entities against those of its answer, as sets of each type.

use chunkeval_core::ChunkCounts;

use super::listed::{Entity, Listed};

/// What a record adds to the counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Compared {
    /// The numbers of the types that either side names.
    named: Vec<u32>,
    /// By the number of the type; as new where none is named.
    types: Vec<OfType>,
    /// Gold entities that stand in their list a second time.
    pub(super) repeated_gold: u64,
    /// The same of the answer.
    pub(super) repeated: u64,
}

/// A type in a record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfType {
    pub(super) in_gold: bool,
    pub(super) in_answer: bool,
    pub(super) counts: ChunkCounts,
    /// Gold entities as they are listed.
    pub(super) listed_gold: u64,
    /// The same of the answer.
    pub(super) listed: u64,
}

impl Compared {
    /// The types that either side names, with their numbers.
    pub(super) fn types(&self) -> impl Iterator<Item = (u32, &OfType)> {
        self.named.iter().filter_map(|&number| Some((number, self.types.get(number as usize)?)))
    }

    /// Whether the answer names a type.
    pub(super) fn is_in_answer(&self, number: u32) -> bool {
        self.types.get(number as usize).is_some_and(|of_type| of_type.in_answer)
    }

    /// Compares each entity with those that have its key: hardly others than it is equal to.
    pub(super) fn compare(&mut self, line: &str, gold: &Listed, answer: &Listed) {
        for number in self.named.drain(..) {
            if let Some(of_type) = self.types.get_mut(number as usize) {
                *of_type = OfType::default();
            }
        }
        gold.types.iter().for_each(|&number| self.name(number, |of| of.in_gold = true));
        answer.types.iter().for_each(|&number| self.name(number, |of| of.in_answer = true));

        (self.repeated_gold, self.repeated) = (0, 0);
        for (at, entity) in gold.entities.iter().enumerate() {
            let key = entity.key();
            let again = stands((entity, gold), gold, gold.with_key(key) & before(at), line);
            let found = stands((entity, gold), answer, answer.with_key(key), line);
            self.repeated_gold += u64::from(again);
            self.of_type(entity, |of_type| {
                of_type.listed_gold += 1;
                of_type.counts.gold += u64::from(!again);
                of_type.counts.correct += u64::from(found & !again);
            });
        }
        for (at, entity) in answer.entities.iter().enumerate() {
            let alike = answer.with_key(entity.key()) & before(at);
            let again = stands((entity, answer), answer, alike, line);
            self.repeated += u64::from(again);
            self.of_type(entity, |of_type| {
                of_type.listed += 1;
                of_type.counts.predicted += u64::from(!again);
            });
        }
    }

    fn name(&mut self, number: u32, count: impl FnOnce(&mut OfType)) {
        let at = number as usize;
        if self.types.len() <= at {
            self.types.resize(at + 1, OfType::default());
        }
        if let Some(of_type) = self.types.get_mut(at) {
            if !of_type.in_gold && !of_type.in_answer {
                self.named.push(number);
            }
            count(of_type);
        }
    }

    /// Counts for the type of an entity, which is named.
    #[inline(always)]
    fn of_type(&mut self, entity: &Entity, count: impl FnOnce(&mut OfType)) {
        if let Some(of_type) = self.types.get_mut(entity.entity_type as usize) {
            count(of_type);
        }
    }
}

/// A bit for each place before this one.
#[inline(always)]
fn before(at: usize) -> u64 {
    !(u64::MAX << at)
}

/// Whether one of some entities of a side, a bit for each, is equal to this one.
#[inline(always)]
fn stands(one: (&Entity, &Listed), side: &Listed, mut some: u64, line: &str) -> bool {
    while some != 0 {
        let other = side.entities.get(some.trailing_zeros() as usize);
        if other.is_some_and(|other| equal(one, (other, side), line)) {
            return true;
        }
        some &= some - 1;
    }
    false
}

/// Whether two entities are equal.
#[inline(always)]
fn equal(a: (&Entity, &Listed), b: (&Entity, &Listed), line: &str) -> bool {
    let ((a, of_a), (b, of_b)) = (a, b);
    let alike = (a.text.head == b.text.head)
        & (a.entity_type == b.entity_type)
        & (a.text.len() == b.text.len());
    alike && (a.text.is_short() || of_a.bytes(a, line) == of_b.bytes(b, line))
}
