//! Numbers for the names of types.

use std::collections::HashMap;

use super::quoted::Text;
use super::wide::Head;

/// So many of the names that were met last are at hand.
const AT_HAND: usize = 32;

/// The names of types that were seen, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Short names with their numbers, each where its head says.
    at_hand: [AtHand; AT_HAND],
}

/// A name that its head tells whole: no name has a zero.
#[derive(Clone, Copy, Debug, Default)]
struct AtHand {
    /// Zero if there is none: no name is empty.
    head: Head,
    number: u32,
}

impl Types {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The names, in the order of their numbers.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The name that has a number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// The number of a name, which may be new.
    #[inline(always)]
    pub(super) fn number<'l>(&mut self, text: Text, name: impl FnOnce() -> &'l str) -> u32 {
        let place = place(text.head);
        match self.at_hand.get(place) {
            Some(known) if known.head == text.head && text.is_short() => known.number,
            _ => self.add_at_hand(place, text, name()),
        }
    }

    #[cold]
    fn add_at_hand(&mut self, place: usize, text: Text, name: &str) -> u32 {
        let number = self.number_of(name);
        if let Some(at_hand) = self.at_hand.get_mut(place).filter(|_| text.is_short()) {
            *at_hand = AtHand { head: text.head, number };
        }
        number
    }

    /// The same of any text.
    pub(super) fn number_of(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Where a name is at hand.
#[inline(always)]
fn place(head: Head) -> usize {
    let mixed = (head as u64 ^ (head >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (u64::BITS - AT_HAND.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut types = Types::default();
        for _ in 0..2 {
            for n in 0..40 {
                assert_eq!(types.number_of(&format!("T{n}")), n);
            }
        }
        assert_eq!(types.len(), 40);
        assert_eq!(types.name(39), "T39");
        let text = Text { start: 0, end: 2, head: u16::from_le_bytes(*b"T7").into() };
        for _ in 0..2 {
            assert_eq!(types.number(text, || "T7"), 7);
        }
    }

    #[test]
    fn names_that_begin_alike_are_told_apart() {
        let mut types = Types::default();
        for _ in 0..2 {
            for (number, end) in (0..).zip(["", "a", "b"]) {
                let name = "x".repeat(16) + end;
                let head = u128::from_ne_bytes([b'x'; 16]);
                let text = Text { start: 0, end: name.len(), head };
                assert_eq!(types.number(text, || &name), number);
            }
        }
    }
}
