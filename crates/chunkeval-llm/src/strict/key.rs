//! Equality as keys and members of sets have it: `1`, `1.0`, `True` and `1+0j` are equal.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::literal::Literal;
use super::text::PyText;

/// What equal values have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    None,
    Ellipsis,
    /// Real and imaginary part: whole numbers in decimal digits, others by their bits.
    Number(String, String),
    Text(PyText),
    Bytes(Vec<u8>),
    Tuple(Vec<Key>),
}

impl Literal {
    /// The key; of a value that has none, as lists and sets, what it is.
    pub(crate) fn key(&self) -> Result<Key, &'static str> {
        let whole = |real: String| Key::Number(real, "0".to_owned());
        Ok(match self {
            Self::None => Key::None,
            Self::Ellipsis => Key::Ellipsis,
            Self::Bool(yes) => whole(u8::from(*yes).to_string()),
            Self::Small(value) => whole(value.to_string()),
            Self::Int(digits) => whole(digits.clone()),
            Self::Float(value) => whole(part(*value)),
            Self::Complex(real, imaginary) => Key::Number(part(*real), part(*imaginary)),
            Self::Text(text) => Key::Text(text.clone()),
            Self::Bytes(bytes) => Key::Bytes(bytes.clone()),
            Self::Tuple(items) => {
                Key::Tuple(items.iter().map(Self::key).collect::<Result<_, _>>()?)
            }
            Self::List(_) | Self::Set(_) | Self::Dict(_) => return Err(self.name()),
        })
    }

    /// The set of some values.
    pub(crate) fn set(members: Vec<Self>) -> Result<Self, &'static str> {
        let mut seen = std::collections::HashSet::new();
        let mut distinct = Vec::new();
        for member in members {
            if seen.insert(member.key()?) {
                distinct.push(member);
            }
        }
        Ok(Self::Set(distinct))
    }

    /// The dictionary of some pairs.
    pub(crate) fn dict(pairs: Vec<(Self, Self)>) -> Result<Self, &'static str> {
        let mut places = HashMap::new();
        let mut distinct: Vec<(Self, Self)> = Vec::new();
        for (key, value) in pairs {
            match places.entry(key.key()?) {
                Entry::Vacant(place) => {
                    place.insert(distinct.len());
                    distinct.push((key, value));
                }
                Entry::Occupied(place) => {
                    if let Some(pair) = distinct.get_mut(*place.get()) {
                        pair.1 = value;
                    }
                }
            }
        }
        Ok(Self::Dict(distinct))
    }
}

/// All digits of a whole number, without the sign of a zero; the bits of any other.
fn part(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("bits {}", value.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use crate::strict::literal;

    #[test]
    fn equal_numbers_are_one_key() {
        let members = |text: &str| match literal(text).unwrap() {
            super::Literal::Set(members) => members.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(members("{1, 1.0, True, 1+0j, 0x1, +1}"), 1);
        assert_eq!(members("{0, -0.0, False, 0j, -0}"), 1);
        assert_eq!(members("{10000000000000000000000, 1e22}"), 1);
        assert_eq!(members("{100000000000000000000000, 1e23}"), 2); // 1e23 is no whole power of ten
        assert_eq!(members("{1e999, 2e999, -1e999}"), 2);
        assert_eq!(members("{1, '1', b'1', (1,), (1.0,), 1j}"), 5);
    }
}
