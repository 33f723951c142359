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

    /// Compares each entity with each: there are few.
    pub(super) fn compare(&mut self, line: &str, gold: &Listed, answer: &Listed) {
        for number in self.named.drain(..) {
            if let Some(of_type) = self.types.get_mut(number as usize) {
                *of_type = OfType::default();
            }
        }
        gold.types.iter().for_each(|&number| self.name(number, |of| of.in_gold = true));
        answer.types.iter().for_each(|&number| self.name(number, |of| of.in_answer = true));

        (self.repeated_gold, self.repeated) = (0, 0);
        let [again_in_gold, again_in_answer] = [gold, answer].map(|side| repeats(side, line));
        for (at, entity) in gold.entities.iter().enumerate() {
            let again = again_in_gold && stands_before(gold, at, entity, line);
            let found = answer.entities.iter().fold(false, |found, predicted| {
                found | equal((entity, gold), (predicted, answer), line)
            });
            self.repeated_gold += u64::from(again);
            self.of_type(entity, |of_type| {
                of_type.listed_gold += 1;
                of_type.counts.gold += u64::from(!again);
                of_type.counts.correct += u64::from(found && !again);
            });
        }
        for (at, entity) in answer.entities.iter().enumerate() {
            let again = again_in_answer && stands_before(answer, at, entity, line);
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

/// Whether some entity stands in a list twice.
#[inline(always)]
fn repeats(side: &Listed, line: &str) -> bool {
    side.entities.iter().enumerate().fold(false, |twice, (at, entity)| {
        let before = side.entities.iter().take(at);
        before.fold(twice, |twice, other| twice | equal((entity, side), (other, side), line))
    })
}

/// Whether an entity stands in a list before this place.
fn stands_before(side: &Listed, at: usize, entity: &Entity, line: &str) -> bool {
    side.entities.iter().take(at).any(|other| equal((entity, side), (other, side), line))
}

/// Whether two entities are equal. Without a branch for most of them, which could not be foreseen.
#[inline(always)]
fn equal(a: (&Entity, &Listed), b: (&Entity, &Listed), line: &str) -> bool {
    let ((a, of_a), (b, of_b)) = (a, b);
    let alike = (a.text.head[0] == b.text.head[0])
        & (a.text.head[1] == b.text.head[1])
        & (a.entity_type == b.entity_type)
        & (a.text.len() == b.text.len());
    alike && (a.text.is_short() || of_a.bytes(a, line) == of_b.bytes(b, line))
}
