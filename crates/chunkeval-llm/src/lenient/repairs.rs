//! Counting repairs.

use crate::{Repair, RepairKind};

/// How often each kind was needed and where first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repairs {
    kinds: [(usize, usize); RepairKind::ALL.len()],
}

impl Repairs {
    pub(crate) fn note(&mut self, kind: RepairKind, offset: usize) {
        self.add(kind, 1, offset);
    }

    fn add(&mut self, kind: RepairKind, count: usize, offset: usize) {
        if let Some(place) = self.kinds.get_mut(kind as usize) {
            place.1 = if place.0 == 0 { offset } else { place.1.min(offset) };
            place.0 += count;
        }
    }

    /// Adds those of another part of the text, whose offsets are translated.
    pub(crate) fn merge(&mut self, other: &Self, place: impl Fn(usize) -> usize) {
        for repair in other.list() {
            self.add(repair.kind, repair.count, place(repair.offset));
        }
    }

    /// Those that were needed, in the order of [`RepairKind::ALL`].
    pub(crate) fn list(&self) -> Vec<Repair> {
        let kinds = RepairKind::ALL.into_iter().zip(self.kinds);
        let needed = kinds.filter(|(_, (count, _))| *count > 0);
        needed.map(|(kind, (count, offset))| Repair { kind, count, offset }).collect()
    }
}
