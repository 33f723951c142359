//! A place in a line of JSON, and the steps from one to the next.
//!
//! Lines with control characters are not scanned, so none is looked for here.

use serde::de::IgnoredAny;

use super::Unusual;
use super::quoted::Head;

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
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
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
        let mut rest = self.rest();
        while let Some((eight, behind)) = rest.split_first_chunk::<8>() {
            let word = u64::from_le_bytes(*eight);
            let found = ends(word, signs);
            if found != 0 {
                self.at = self.text.len() - rest.len() + found.trailing_zeros() as usize / 8;
                return self.peek();
            }
            rest = behind;
        }
        let at = rest.iter().position(|byte| signs.contains(byte));
        self.at = self.text.len() - rest.len() + at.unwrap_or(rest.len());
        self.peek()
    }

    /// The same for a text that begins here; its first bytes, too.
    #[inline(always)]
    pub(super) fn find_end<const N: usize>(&mut self, signs: [u8; N]) -> (Option<u8>, Head) {
        // Most texts are this short, and the next ones are not far.
        if let Some(bytes) = self.rest().first_chunk::<24>() {
            let [a, b, c] = words(bytes);
            let (start, found) = match (ends(a, signs), ends(b, signs), ends(c, signs)) {
                (0, 0, 0) => (0, 0),
                (0, 0, found) => (16, found),
                (0, found, _) => (8, found),
                (found, ..) => (0, found),
            };
            if found != 0 {
                let length = start + found.trailing_zeros() as usize / 8;
                self.at += length;
                return (self.peek(), head(a, b, length));
            }
        }
        let start = self.at;
        let found = self.find(signs);
        let rest = self.text.as_bytes().get(start..self.at).unwrap_or_default();
        let mut first = [0; 16];
        first.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        let whole = u128::from_le_bytes(first);
        (found, [whole as u64, (whole >> 64) as u64])
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

#[inline(always)]
fn words(bytes: &[u8; 24]) -> [u64; 3] {
    let word = |at: usize| {
        let eight = bytes.get(at..).and_then(|bytes| bytes.first_chunk::<8>());
        eight.map_or(0, |eight| u64::from_le_bytes(*eight))
    };
    [word(0), word(8), word(16)]
}

/// The first bytes of a text of so many bytes, given eight and eight of them.
#[inline(always)]
fn head(a: u64, b: u64, length: usize) -> Head {
    let first = |word: u64, bytes: usize| match 64_usize.saturating_sub(8 * bytes) {
        64 => 0,
        beyond => word << beyond >> beyond,
    };
    [first(a, length), first(b, length.saturating_sub(8))]
}

/// The highest bit of every byte that is one of these; see [`zeros`].
#[inline(always)]
fn ends<const N: usize>(word: u64, signs: [u8; N]) -> u64 {
    let patterns = signs.map(|sign| u64::from_ne_bytes([sign; 8]));
    patterns.iter().fold(0, |found, pattern| found | zeros(word ^ pattern))
}

/// The highest bit of every byte that is zero. Bytes above the lowest such byte may have theirs
/// set, too: only the lowest one can be relied on.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    word.wrapping_sub(ONES) & !word & HIGH
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
            prop_assert_eq!(head.map(u64::to_le_bytes).concat(), expected);
        }
    }
}
