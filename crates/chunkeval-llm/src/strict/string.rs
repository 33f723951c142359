//! Python's strings and bytes, and their implicit joining.

use super::lines::{skip_space, take_newline};
use super::literal::Literal;
use super::text::PyText;
use crate::cursor::Cursor;
use crate::escape::Escape;
use crate::{Fault, FaultKind};

/// What the letters before a quote say.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    len: usize,
    bytes: bool,
    raw: bool,
}

/// Whether a string begins at the cursor.
fn prefix(cursor: &Cursor<'_>) -> Option<Prefix> {
    let rest = cursor.rest();
    let quote = |byte: &u8| matches!(byte, b'\'' | b'"');
    let len = rest.as_bytes().iter().take(3).position(quote)?;
    let letters = rest.get(..len)?.to_ascii_lowercase();
    let (bytes, raw) = match letters.as_str() {
        "" | "u" => (false, false),
        "r" => (false, true),
        "b" => (true, false),
        "br" | "rb" => (true, true),
        _ => return None,
    };
    Some(Prefix { len, bytes, raw })
}

/// The strings at the cursor, joined; `None` if none begins here.
pub(crate) fn strings(
    cursor: &mut Cursor<'_>,
    in_brackets: bool,
) -> Result<Option<Literal>, Fault> {
    let Some(first) = prefix(cursor) else { return Ok(None) };
    let mut text = PyText::new();
    let mut next = Some(first);
    while let Some(prefix) = next {
        if prefix.bytes != first.bytes {
            let kind = FaultKind::Syntax("a string and bytes side by side");
            return Err(Fault::new(kind, cursor.offset()));
        }
        cursor.advance(prefix.len);
        string(cursor, prefix, &mut text)?;
        skip_space(cursor, in_brackets)?;
        next = self::prefix(cursor);
    }
    Ok(Some(if first.bytes {
        // No code is larger: 255 is the largest escape.
        Literal::Bytes(text.codes().into_iter().map(|code| code as u8).collect())
    } else {
        Literal::Text(text)
    }))
}

/// One string from its first quote to its last.
fn string(cursor: &mut Cursor<'_>, prefix: Prefix, text: &mut PyText) -> Result<(), Fault> {
    let start = cursor.offset();
    let fault = |what, offset| Fault::new(FaultKind::Syntax(what), offset);
    let open = || fault("a string that is not closed", start);
    let three = if cursor.peek() == Some('"') { "\"\"\"" } else { "'''" };
    let triple = cursor.rest().starts_with(three);
    let quote = cursor.bump().ok_or_else(open)?;
    if triple {
        cursor.advance(2);
    }
    loop {
        let at = cursor.offset();
        if triple && cursor.rest().starts_with(three) {
            cursor.advance(3);
            return Ok(());
        }
        if take_newline(cursor) {
            if !triple {
                return Err(open());
            }
            text.push(u32::from('\n'));
            continue;
        }
        match cursor.bump().ok_or_else(open)? {
            c if c == quote && !triple => return Ok(()),
            '\\' if prefix.raw => {
                text.push(u32::from('\\'));
                if take_newline(cursor) {
                    text.push(u32::from('\n'));
                } else {
                    let c = cursor.bump().ok_or_else(open)?;
                    plain(c, prefix, at, text)?;
                }
            }
            '\\' => escaped(cursor, prefix, text)?,
            c => plain(c, prefix, at, text)?,
        }
    }
}

fn plain(c: char, prefix: Prefix, at: usize, text: &mut PyText) -> Result<(), Fault> {
    if prefix.bytes && !c.is_ascii() {
        return Err(Fault::new(FaultKind::Syntax("a character beyond ASCII in bytes"), at));
    }
    text.push(u32::from(c));
    Ok(())
}

/// What follows a backslash.
fn escaped(cursor: &mut Cursor<'_>, prefix: Prefix, text: &mut PyText) -> Result<(), Fault> {
    if take_newline(cursor) {
        return Ok(());
    }
    let at = cursor.offset();
    let rest = cursor.rest();
    let only_in_strings = rest.starts_with(['u', 'U', 'N']);
    match Escape::of(rest) {
        _ if prefix.bytes && only_in_strings => text.push(u32::from('\\')),
        _ if rest.starts_with('N') => return Err(Fault::new(FaultKind::NamedCharacter, at)),
        Escape::Code(code, len) => {
            text.push(if prefix.bytes { code & 0xff } else { code });
            cursor.advance(len);
        }
        Escape::Broken => {
            return Err(Fault::new(FaultKind::Syntax("an escape that is not whole"), at));
        }
        Escape::Unknown => text.push(u32::from('\\')),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::strict::literal;

    #[test]
    fn strings_are_pythons() {
        for (text, expected) in [
            ("'a' \"b\"", "ab"),
            ("u'a'", "a"),
            (r"r'\n\''", r"\n\'"),
            (r"'\n\x41\101\u7f8e\d'", "\nAA美\\d"),
            ("'''a\r\n'b'''", "a\n'b"),
            ("'a\\\nb'", "ab"),
            ("('a'\n'b')", "ab"),
            ("''", ""),
            ("''''''", ""),
            ("'\\777'", "\u{1ff}"),
        ] {
            assert_eq!(literal(text).unwrap().text(), Some(expected), "{text}");
        }
        for text in [
            "'a",
            "'a\nb'",
            "'a\"",
            "'''a''",
            "ur'a'",
            "'a' b'b'",
            "b'é'",
            r"'\x4'",
            r"'\u12'",
            "f'a'",
            r"'\U00110000'",
            "'a'\n'b'",
            r"r'\'",
        ] {
            assert!(literal(text).is_err(), "{text}");
        }
        assert_eq!(literal(r"b'\777\u1\xfe'").unwrap().to_string(), r"b'\xff\\u1\xfe'");
        assert_eq!(literal(r"'\ud83d' '\ude00'").unwrap().to_string(), r"'\ud83d\ude00'");
    }
}
