//! From label ids to codes, and from pairs of codes to what happens between them.

use std::collections::HashMap;

use crate::tags::{Position, Rules};

/// A chunk starts at the current tag.
pub(super) const START: u8 = 1;
/// A chunk ends before the current tag.
pub(super) const END: u8 = 2;
/// The current tag is the first of its row.
pub(super) const FIRST: u8 = 4;

/// The code between rows. It behaves like an `O`.
pub(super) const BOUNDARY: usize = 0;
/// The code of `O`, and of predicted ids outside the label list.
const OUTSIDE: usize = 1;

/// A label list as the kernel sees it: labels that behave alike share a code.
pub(crate) enum Alphabet {
    /// Up to 256 codes: what happens between two of them is one look-up.
    Narrow(Narrow),
    /// Any number of codes.
    Wide(Wide),
}

pub(crate) struct Narrow {
    codes: Codes<u8>,
    /// By previous code (high byte) and current code (low byte).
    pairs: Box<[u8; 1 << 16]>,
}

pub(crate) struct Wide {
    codes: Codes<u32>,
    tags: Vec<(Position, u32)>,
    rules: &'static Rules,
}

/// What ids and codes stand for.
pub(super) struct Codes<C> {
    /// By label id; the last entry is for ids outside the list.
    pub(super) of_id: Vec<C>,
    /// The type index of each code.
    pub(super) types: Vec<u32>,
}

/// One of the two forms of an alphabet.
pub(super) trait Pairs {
    type Code: Copy + Default + PartialEq;
    fn codes(&self) -> &Codes<Self::Code>;
    fn index(code: Self::Code) -> usize;
    /// `START`, `END` and `FIRST` between two neighbouring codes.
    fn bits(&self, previous: Self::Code, current: Self::Code) -> u8;
}

impl Alphabet {
    /// The alphabet of a label list given as position and type of each label.
    pub(crate) fn new(rules: &'static Rules, labels: &[(Position, u32)], no_type: u32) -> Self {
        let outside = (Position::Outside, no_type);
        let mut tags = vec![outside; 2];
        let mut known = HashMap::from([(outside, OUTSIDE)]);
        let mut of_id: Vec<usize> = Vec::with_capacity(labels.len() + 1);
        for &label in labels {
            of_id.push(*known.entry(label).or_insert_with(|| {
                tags.push(label);
                tags.len() - 1
            }));
        }
        of_id.push(OUTSIDE);

        let types = tags.iter().map(|&(_, t)| t).collect();
        if tags.len() > 256 {
            let of_id = of_id.iter().map(|&code| code as u32).collect();
            return Self::Wide(Wide { codes: Codes { of_id, types }, tags, rules });
        }
        let mut pairs = Box::new([0; 1 << 16]);
        for previous in 0..tags.len() {
            for current in 0..tags.len() {
                pairs[previous << 8 | current] = bits(rules, &tags, previous, current);
            }
        }
        let of_id = of_id.iter().map(|&code| code as u8).collect();
        Self::Narrow(Narrow { codes: Codes { of_id, types }, pairs })
    }

    /// The type index of each code.
    pub(crate) fn types(&self) -> &[u32] {
        match self {
            Self::Narrow(a) => &a.codes.types,
            Self::Wide(a) => &a.codes.types,
        }
    }
}

fn bits(rules: &Rules, tags: &[(Position, u32)], previous: usize, current: usize) -> u8 {
    let (p, c) = (tags[previous], tags[current]);
    let step = rules.step(p.0, c.0, p.1 == c.1);
    let first = if previous == BOUNDARY { FIRST } else { 0 };
    (u8::from(step.start) * START) | (u8::from(step.end) * END) | first
}

impl Pairs for Narrow {
    type Code = u8;

    fn codes(&self) -> &Codes<u8> {
        &self.codes
    }

    #[inline(always)]
    fn index(code: u8) -> usize {
        usize::from(code)
    }

    #[inline(always)]
    fn bits(&self, previous: u8, current: u8) -> u8 {
        self.pairs[usize::from(previous) << 8 | usize::from(current)]
    }
}

impl Pairs for Wide {
    type Code = u32;

    fn codes(&self) -> &Codes<u32> {
        &self.codes
    }

    #[inline(always)]
    fn index(code: u32) -> usize {
        code as usize
    }

    #[inline(always)]
    fn bits(&self, previous: u32, current: u32) -> u8 {
        bits(self.rules, &self.tags, previous as usize, current as usize)
    }
}
