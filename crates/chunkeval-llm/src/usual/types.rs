//! Numbers for the names of types.

use std::collections::HashMap;

use super::quoted::{Head, Text};

/// So many names are looked for one after the other, which is faster than a table.
const FEW: usize = 12;

/// The names of types that were seen, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    names: Vec<Name>,
    /// The numbers of those beyond the first few.
    numbers: HashMap<String, u32>,
}

#[derive(Clone, Debug)]
struct Name {
    /// As that of a [`Text`].
    head: Head,
    name: String,
}

impl Types {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The names, in the order of their numbers.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &*name.name)
    }

    /// The name that has a number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| &name.name)
    }

    /// The number of a name, which may be new.
    #[inline(always)]
    pub(super) fn number(&mut self, text: Text, name: &str) -> u32 {
        let length = text.len();
        let is_it = |known: &Name| {
            known.head == text.head
                && known.name.len() == length
                && (text.is_short() || known.name == name)
        };
        match self.names.iter().take(FEW).position(is_it) {
            Some(at) => at as u32,
            None => self.number_of(name),
        }
    }

    /// The same of any text.
    pub(super) fn number_of(&mut self, name: &str) -> u32 {
        if let Some(at) = self.names.iter().take(FEW).position(|known| known.name == name) {
            return at as u32;
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        let half = |from: usize| {
            let bytes = name.bytes().skip(from).take(8);
            bytes.zip(0..).fold(0, |half, (byte, at)| half | u64::from(byte) << (8 * at))
        };
        let head = [half(0), half(8)];
        self.names.push(Name { head, name: name.to_owned() });
        if self.names.len() > FEW {
            self.numbers.insert(name.to_owned(), number);
        }
        number
    }
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
        let text = Text { start: 0, end: 2, head: [u64::from(u16::from_le_bytes(*b"T7")), 0] };
        assert_eq!(types.number(text, "T7"), 7);
    }
}
