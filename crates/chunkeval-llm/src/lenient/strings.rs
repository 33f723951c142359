//! Point 5: strings, and words without quotes.

use std::borrow::Cow;

use super::quotes::{Quote, Quotes, is_twice};
use super::repairs::Repairs;
use super::signs::{
    Bracket, begins_comment, closer, closes, is_colon, is_quote, is_separator, is_space, opener,
};
use crate::RepairKind;
use crate::cursor::Cursor;
use crate::escape::Escape;

/// Whether a string begins at the cursor, and how many letters of Python stand before its quote.
pub(crate) fn string_prefix(cursor: &Cursor<'_>) -> Option<usize> {
    let rest = cursor.rest();
    let letter = |b: &u8| matches!(b.to_ascii_lowercase(), b'u' | b'b' | b'r' | b'f');
    let letters = rest.bytes().take(2).take_while(|b| letter(b)).count();
    let next = rest.get(letters..)?.chars().next()?;
    (is_quote(next)).then_some(letters)
}

/// The string at the cursor, after the letters before its quote; `None` if it does not end.
pub(crate) fn string<'t>(
    cursor: &mut Cursor<'t>,
    letters: usize,
    repairs: &mut Repairs,
) -> Option<Cow<'t, str>> {
    let start = cursor.offset();
    let prefix = cursor.rest().get(..letters).unwrap_or_default();
    let raw = prefix.contains(['r', 'R']);
    cursor.advance(letters);
    let opening = cursor.bump()?;
    if letters > 0 || opening != '"' {
        repairs.note(RepairKind::Quotes, start);
    }
    // What is decoded, up to the byte from which the text is taken as it stands.
    let mut decoded = String::new();
    let mut plain_from = cursor.offset();
    let mut quotes = Quotes::new(opening);
    loop {
        let (at, here) = (cursor.offset(), cursor.rest());
        let c = cursor.bump()?;
        if c == '\\' {
            if raw {
                cursor.bump()?;
                continue;
            }
            decoded.push_str(cursor.between(plain_from, at));
            escaped(cursor, at, &mut decoded, repairs);
            plain_from = cursor.offset();
        } else if c == opening || closes(opening, c) {
            let plain = match quotes.next(cursor.between(plain_from, at), here) {
                Quote::Within => {
                    if closes(opening, c) {
                        repairs.note(RepairKind::Unescaped, at);
                    }
                    continue;
                }
                Quote::Last(plain) => {
                    if is_twice(opening, cursor.rest()) {
                        repairs.note(RepairKind::Unescaped, cursor.offset());
                        cursor.bump();
                    }
                    plain
                }
                Quote::OfKey(plain) => {
                    repairs.note(RepairKind::Quotes, at);
                    cursor.back_to(plain_from + plain.len());
                    plain
                }
            };
            return Some(match decoded.is_empty() {
                true => Cow::Borrowed(plain),
                false => Cow::Owned(decoded + plain),
            });
        } else if c < ' ' {
            repairs.note(RepairKind::Unescaped, at);
        }
    }
}

/// A text behind space and escaped line breaks and tabs.
pub(crate) fn without_escaped_space(mut text: &str) -> &str {
    while let Some(len) = escaped_space(text) {
        text = text.get(len..).unwrap_or_default().trim_start_matches(is_space);
    }
    text
}

/// The bytes of an escaped line break or tab that begins the text, where it is no part of a word.
pub(crate) fn escaped_space(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('\\')?.strip_prefix(['n', 'r', 't'])?;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    (!behind.starts_with(word)).then_some(2)
}

/// What follows a backslash. Unknown sequences keep it; half of a surrogate pair becomes U+FFFD.
pub(crate) fn escaped(
    cursor: &mut Cursor<'_>,
    at: usize,
    decoded: &mut String,
    repairs: &mut Repairs,
) {
    let rest = cursor.rest();
    if rest.starts_with('\n') || rest.starts_with("\r\n") {
        // Python's joined lines.
        cursor.skip_while(|c| c == '\r');
        cursor.bump();
        repairs.note(RepairKind::Escape, at);
        return;
    }
    match rest.chars().next() {
        Some('/') => {
            cursor.bump();
            decoded.push('/');
            return;
        }
        Some(quote) if is_quote(quote) => {
            cursor.bump();
            decoded.push(quote);
            if quote != '"' {
                repairs.note(RepairKind::Escape, at);
            }
            return;
        }
        _ => {}
    }
    let Escape::Code(code, len) = Escape::of(rest) else {
        decoded.push('\\');
        repairs.note(RepairKind::Escape, at);
        return;
    };
    cursor.advance(len);
    if !rest.starts_with(['\\', 'b', 'f', 'n', 'r', 't', 'u']) {
        repairs.note(RepairKind::Escape, at);
    }
    let (code, len) = joined(code, cursor.rest());
    cursor.advance(len);
    decoded.push(char::from_u32(code).unwrap_or_else(|| {
        repairs.note(RepairKind::Escape, at);
        char::REPLACEMENT_CHARACTER
    }));
}

/// The first half of a surrogate pair with the second that follows it, and the bytes of that.
fn joined(high: u32, rest: &str) -> (u32, usize) {
    let low = rest.strip_prefix('\\').filter(|_| (0xd800..0xdc00).contains(&high));
    match low.map(Escape::of) {
        Some(Escape::Code(low, len)) if (0xdc00..0xe000).contains(&low) => {
            (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), len + 1)
        }
        _ => (high, 0),
    }
}

/// The word without quotes at the cursor: to the next sign or line. Space in it is part of it, and
/// so are brackets `()` that it opens itself. `None` if it runs to the end of the text, where it may
/// have been cut.
pub(crate) fn bare_word<'t>(cursor: &mut Cursor<'t>, repairs: &mut Repairs) -> Option<&'t str> {
    let start = cursor.offset();
    let mut before = ' ';
    let mut open = 0;
    loop {
        let rest = cursor.rest();
        let c = rest.chars().next()?;
        let ends = match (opener(c), closer(c)) {
            (Some(Bracket::Round), _) => {
                open += 1;
                cursor.offset() == start
            }
            (None, Some(Bracket::Round)) if open > 0 => {
                open -= 1;
                false
            }
            (None, None) => {
                is_separator(c)
                    || is_colon(c) && !is_inside_a_word(before, rest)
                    || matches!(c, '\n' | '\r')
                    || is_space(before) && (is_quote(c) || begins_comment(rest))
            }
            _ => true,
        };
        if ends {
            break;
        }
        before = c;
        cursor.bump();
    }
    let word = cursor.between(start, cursor.offset()).trim_end_matches(is_space);
    // `LOC": […]`: the first quote is missing.
    Some(match word.strip_suffix(['"', '”', '＂']) {
        Some(shorter) if !shorter.contains(is_quote) => {
            repairs.note(RepairKind::Quotes, start);
            shorter
        }
        _ => word,
    })
}

/// Whether a colon is that of `12:30` or `https://`.
fn is_inside_a_word(before: char, rest: &str) -> bool {
    let digit = |b: &u8| b.is_ascii_digit();
    rest.starts_with("://") || before.is_ascii_digit() && rest.as_bytes().get(1).is_some_and(digit)
}
