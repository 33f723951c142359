//! From label ids to codes, and what happens between two of them.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::engine::Portable;
use crate::tags::{Counting, Position, Rules};

/// What happens between two neighbouring tags: a bit each.
pub(super) const START: u8 = 1;
/// See [`START`].
pub(super) const END: u8 = 2;
/// See [`START`].
pub(super) const INSIDE: u8 = 4;

/// The bits of a code that hold its class; the slot of its entity type stands above them.
pub(super) const CLASS_BITS: u32 = 3;
const CLASSES: usize = 1 << CLASS_BITS;

/// The class before and after a row. It behaves like an `O`, and is the code 0.
const BOUNDARY: usize = 0;

/// A label list as the kernel sees it.
pub(crate) struct Alphabet {
    pub(super) counting: Counting,
    pub(super) engine: AnyEngine,
}

/// The engine for a label list on this machine.
pub(super) enum AnyEngine {
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<Avx2>),
    /// Codes of one byte: up to 31 entity types, and the empty one.
    Narrow(Portable<u8>),
    /// Codes of four bytes: any number.
    Wide(Portable<u32>),
}

/// The codes of a label list, and the rules between them.
pub(super) struct Codes<C> {
    /// By label id; the last entry is for ids outside the list.
    pub(super) of_id: Vec<C>,
    pub(super) steps: Steps,
}

/// What happens between two classes, as sets of previous classes: bit `p` of an entry says that it
/// happens when class `p` stands before the entry's class.
#[derive(Clone, Default)]
pub(super) struct Steps {
    pub(super) start_same: [u8; CLASSES],
    pub(super) start_other: [u8; CLASSES],
    pub(super) end_same: [u8; CLASSES],
    pub(super) end_other: [u8; CLASSES],
    /// For equal types.
    pub(super) inside: [u8; CLASSES],
}

/// A code: the class of a tag in its low bits, the slot of its entity type above.
pub(super) trait Code: Copy + Default {
    fn class(self) -> usize;
    fn slot(self) -> usize;
}

impl Code for u8 {
    #[inline(always)]
    fn class(self) -> usize {
        usize::from(self) & (CLASSES - 1)
    }

    #[inline(always)]
    fn slot(self) -> usize {
        usize::from(self) >> CLASS_BITS
    }
}

impl Code for u32 {
    #[inline(always)]
    fn class(self) -> usize {
        self as usize & (CLASSES - 1)
    }

    #[inline(always)]
    fn slot(self) -> usize {
        self as usize >> CLASS_BITS
    }
}

impl Alphabet {
    /// The alphabet of a label list given as position and type slot of each label. Slot 0 is that
    /// of labels without a type, and of `O`.
    pub(crate) fn new(rules: &Rules, labels: &[(Position, u32)]) -> Self {
        Self::with(rules, labels, AnyEngine::fastest)
    }

    /// The same, with the portable engine wherever this runs.
    #[cfg(test)]
    pub(super) fn portable(rules: &Rules, labels: &[(Position, u32)]) -> Self {
        Self::with(rules, labels, |codes| AnyEngine::Narrow(Portable::new(codes)))
    }

    fn with(
        rules: &Rules,
        labels: &[(Position, u32)],
        narrow: impl FnOnce(Codes<u8>) -> AnyEngine,
    ) -> Self {
        let codes = Codes::new(rules, labels);
        let engine = match codes.narrow() {
            Some(codes) => narrow(codes),
            None => AnyEngine::Wide(Portable::new(codes)),
        };
        Self { counting: rules.counting, engine }
    }
}

impl AnyEngine {
    fn fastest(codes: Codes<u8>) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(engine) = Avx2::new(&codes) {
            return Self::Avx2(Box::new(engine));
        }
        Self::Narrow(Portable::new(codes))
    }
}

impl Codes<u32> {
    pub(super) fn new(rules: &Rules, labels: &[(Position, u32)]) -> Self {
        let outside = (Position::Outside, 0);
        let code =
            |&(position, slot): &(Position, u32)| slot << CLASS_BITS | class(position) as u32;
        let of_id = labels.iter().chain([&outside]).map(code).collect();
        Self { of_id, steps: Steps::new(rules) }
    }

    /// The same in one byte each, if they fit.
    pub(super) fn narrow(&self) -> Option<Codes<u8>> {
        let of_id: Result<_, _> = self.of_id.iter().map(|&code| u8::try_from(code)).collect();
        Some(Codes { of_id: of_id.ok()?, steps: self.steps.clone() })
    }
}

/// The class of a position; 0 is kept for the boundary.
fn class(position: Position) -> usize {
    position as usize + 1
}

impl Steps {
    fn new(rules: &Rules) -> Self {
        let mut steps = Self::default();
        let boundary = (BOUNDARY, Position::Outside);
        let all = || Position::ALL.iter().map(|&p| (class(p), p)).chain([boundary]);
        for (current, c) in all() {
            for (previous, p) in all() {
                let (same, other) = (rules.step(p, c, true), rules.step(p, c, false));
                let bit = |happens: bool| u8::from(happens) << previous;
                steps.start_same[current] |= bit(same.start);
                steps.start_other[current] |= bit(other.start);
                steps.end_same[current] |= bit(same.end);
                steps.end_other[current] |= bit(other.end);
                steps.inside[current] |= bit(same.inside);
            }
        }
        steps
    }
}
