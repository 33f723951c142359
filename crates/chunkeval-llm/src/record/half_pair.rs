//! Half of a surrogate pair: an escape that stands for no character.

use std::ops::Range;

use super::error::{LineErrorKind, ValueError};
use crate::strict::Literal;

/// That the strings of a JSON text have no half of a surrogate pair.
pub(super) fn refuse(json: &str) -> Result<(), ValueError> {
    match halves(json).next() {
        None => Ok(()),
        Some(place) => {
            let at = place.start;
            let escape = json.get(place).unwrap_or_default().to_owned();
            Err(ValueError { kind: LineErrorKind::HalfPair { escape }, at })
        }
    }
}

/// The same of a JSON text in a string of the line: the place in it is not one of the line.
pub(super) fn refuse_inside(json: &str) -> Result<(), ValueError> {
    refuse(json).map_err(|error| ValueError { at: 0, ..error })
}

/// The same of a Python value.
pub(super) fn refuse_in(value: &Literal) -> Result<(), LineErrorKind> {
    match value {
        Literal::Text(text) => match text.surrogate() {
            None => Ok(()),
            Some(code) => Err(LineErrorKind::HalfPair { escape: format!("\\u{code:04x}") }),
        },
        Literal::List(items) | Literal::Tuple(items) | Literal::Set(items) => {
            items.iter().try_for_each(refuse_in)
        }
        Literal::Dict(pairs) => {
            pairs.iter().try_for_each(|(key, value)| refuse_in(key).and_then(|()| refuse_in(value)))
        }
        _ => Ok(()),
    }
}

/// A JSON text with U+FFFD for every half of a surrogate pair, and how many there are.
pub(super) fn replaced(json: &str) -> (String, usize) {
    let (mut replaced, mut from, mut count) = (String::with_capacity(json.len()), 0, 0);
    for half in halves(json) {
        replaced.push_str(json.get(from..half.start).unwrap_or_default());
        replaced.push_str("\\ufffd");
        (from, count) = (half.end, count + 1);
    }
    replaced.push_str(json.get(from..).unwrap_or_default());
    (replaced, count)
}

/// The escapes of half a pair without the other half.
fn halves(json: &str) -> impl Iterator<Item = Range<usize>> {
    let code = |at: usize| match (json.get(at..at + 2), json.get(at + 2..at + 6)) {
        (Some("\\u"), Some(digits)) => u32::from_str_radix(digits, 16).ok(),
        _ => None,
    };
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memchr(b'\\', json.as_bytes().get(from..)?)?;
            from = at + 2;
            match code(at) {
                Some(0xd800..0xdc00) if matches!(code(at + 6), Some(0xdc00..0xe000)) => {
                    from = at + 12;
                }
                Some(0xd800..0xe000) => return Some(at..at + 6),
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_pair_is_found() {
        for (json, place) in [
            (r#""a\ud83d""#, Some(2..8)),
            (r#"["\ud83d\ude00", "\ude00"]"#, Some(18..24)),
            (r#""\ud83d\ud83d\ude00""#, Some(1..7)),
            (r#""\ud83d\n""#, Some(1..7)),
            (r#""\\ud83d""#, None),
            (r#""\ud83d\ude00\uD83D\uDE00\u7f8e""#, None),
            (r#""\u12"#, None),
            ("\"\\", None),
        ] {
            assert_eq!(halves(json).next(), place, "{json}");
        }
    }

    #[test]
    fn halves_are_replaced_and_counted() {
        let (json, count) = replaced(r#""\ud83d\ud83d\ude00\\ud83d\ude00!""#);
        assert_eq!((&*json, count), (r#""\ufffd\ud83d\ude00\\ud83d\ufffd!""#, 2));
        assert_eq!(replaced("[]"), ("[]".to_owned(), 0));
    }
}
