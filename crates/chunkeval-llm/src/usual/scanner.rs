//! A place in a line of JSON, and the steps from one to the next.
//!
//! Lines with control characters are not scanned, so none is looked for here.

use serde::de::IgnoredAny;

use super::Unusual;
use super::wide::{Head, WIDE, Wide};

/// A line and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'l> {
    text: &'l str,
    at: usize,
}

impl<'l> Scanner<'l> {
    #[inline(always)]
    pub(super) fn new(text: &'l str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte at which it stands.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What stands between two bytes; nothing if one of them is within a character.
    #[inline(always)]
    pub(super) fn between(&self, start: usize, end: usize) -> &'l str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// What has not been read.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'l [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The byte at a place.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The byte behind the next one.
    #[inline(always)]
    pub(super) fn peek_second(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at + 1).copied()
    }

    #[inline(always)]
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads this byte if it is the next.
    #[inline(always)]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        if self.peek() != Some(byte) {
            return false;
        }
        self.at += 1;
        true
    }

    #[inline(always)]
    pub(super) fn skip_spaces(&mut self) {
        while self.take(b' ') {}
    }

    /// Reads these bytes if they are the next.
    #[inline(always)]
    pub(super) fn take_all(&mut self, bytes: &'static [u8]) -> bool {
        let found = self.rest().starts_with(bytes);
        self.at += if found { bytes.len() } else { 0 };
        found
    }

    /// The same of a text.
    #[inline(always)]
    pub(super) fn take_text(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Goes to the next of some bytes, or to the end.
    #[inline(always)]
    pub(super) fn find<const N: usize>(&mut self, signs: [u8; N]) -> Option<u8> {
        loop {
            let rest = self.rest();
            let bytes = Wide::of(rest);
            let found = bytes.find(signs);
            if found < WIDE {
                self.at += found;
                return self.peek();
            }
            if rest.len() <= WIDE {
                self.at = self.text.len();
                return None;
            }
            self.at += WIDE;
        }
    }

    /// The same for a text that begins here; its first bytes, too.
    #[inline(always)]
    pub(super) fn find_end<const N: usize>(&mut self, signs: [u8; N]) -> (Option<u8>, Head) {
        let bytes = Wide::of(self.rest());
        let length = bytes.find(signs);
        if length < WIDE {
            self.at += length;
            return (self.peek(), bytes.head(length));
        }
        let start = self.at;
        let found = self.find(signs);
        (found, bytes.head(self.at - start))
    }

    /// Reads a JSON string, which begins here.
    pub(super) fn skip_string(&mut self) -> Result<(), Unusual> {
        self.at += 1;
        while let Some(sign) = self.find([b'"', b'\\']) {
            self.at += 1;
            if sign == b'"' {
                return Ok(());
            }
            match self.rest() {
                [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 1,
                [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|d| d.is_ascii_hexdigit()) => {
                    self.at += 5;
                }
                _ => return Err(Unusual),
            }
        }
        Err(Unusual)
    }

    /// Reads a JSON value of any kind.
    pub(super) fn skip_value(&mut self) -> Result<(), Unusual> {
        if self.peek() == Some(b'"') {
            return self.skip_string();
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let ends = matches!(rest.as_bytes().get(digits), Some(b',' | b'}' | b' '));
        if ends && (digits == 1 || digits > 1 && !rest.starts_with('0')) {
            self.at += digits;
            return Ok(());
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => self.at += values.byte_offset(),
            _ => return Err(Unusual),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skipped(text: &str) -> Option<usize> {
        let mut scanner = Scanner::new(text);
        scanner.skip_value().ok().map(|()| scanner.at())
    }

    #[test]
    fn values_end_where_json_says() {
        for (text, end) in [
            (r#""a\"b\\" x"#, 8),
            (r#""\u00e9\ud83d","#, 14),
            ("12}", 2),
            ("0,", 1),
            ("-1.5e3 ", 6),
            ("null}", 4),
            (r#"{"a": [1, "}"]}, "#, 15),
        ] {
            assert_eq!(skipped(text), Some(end), "{text}");
        }
        for text in [r#""a"#, r#""\x""#, r#""\u00g0""#, "01}", "nul", "[1", "", "}"] {
            assert_eq!(skipped(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_first_of_the_signs_is_found(text in "[a-dé\u{80}\u{100}]{0,40}") {
            let mut scanner = Scanner::new(&text);
            let found = scanner.find(*b"ab");
            let at = text.find(['a', 'b']);
            prop_assert_eq!(scanner.at(), at.unwrap_or(text.len()));
            prop_assert_eq!(found, at.map(|at| text.as_bytes()[at]));

            let mut again = Scanner::new(&text);
            let (found_again, head) = again.find_end(*b"ab");
            prop_assert_eq!((found_again, again.at()), (found, scanner.at()));
            let expected: Vec<u8> = text.bytes().take(scanner.at()).chain([0; 16]).take(16).collect();
            prop_assert_eq!(head.to_le_bytes().to_vec(), expected);
        }
    }
}
