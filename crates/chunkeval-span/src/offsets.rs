//! Offsets in characters, bytes and UTF-16 units of one text.

use std::fmt;
use std::ops::Range;

use crate::{End, SpanError};

/// What offsets into a text count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Unicode code points, as Python counts.
    Characters,
    /// Bytes of UTF-8, as Rust counts.
    Bytes,
    /// UTF-16 code units, as JavaScript, Java and most annotation tools count.
    Utf16,
}

/// A text's offsets in every [`Unit`], for checking and converting spans.
///
/// Made once for a text in one pass; each offset then costs a binary search, or nothing if the text
/// is ASCII.
///
/// ```
/// use chunkeval_span::{End, SpanError, TextOffsets, Unit};
///
/// let text = TextOffsets::new("🙂 Rui lives in Faro");
/// let faro = text.convert(18..22, Unit::Bytes, Unit::Characters)?;
/// assert_eq!(faro, 15..19);
/// assert_eq!(text.convert(faro, Unit::Characters, Unit::Utf16)?, 16..20);
///
/// // As an annotation tool gives it: UTF-16, with the last unit itself.
/// assert_eq!(text.read(16, 19, Unit::Utf16, End::Inclusive)?, 15..19);
///
/// let inside = SpanError::InsideCharacter { offset: 1, unit: Unit::Utf16 };
/// assert_eq!(text.read(1, 2, Unit::Utf16, End::Exclusive), Err(inside));
/// let beyond = SpanError::BeyondEnd { offset: 20, length: 19, unit: Unit::Characters };
/// assert_eq!(text.read(15, 20, Unit::Characters, End::Exclusive), Err(beyond));
/// # Ok::<(), SpanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextOffsets {
    /// In characters.
    length: usize,
    /// Where each character starts, and where the text ends; none for ASCII, where all units agree.
    wide: Option<Wide>,
}

#[derive(Clone, Debug)]
struct Wide {
    bytes: Vec<usize>,
    utf16: Vec<usize>,
}

impl TextOffsets {
    /// The offsets of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self { length: text.len(), wide: None };
        }
        let mut wide = Wide { bytes: vec![0], utf16: vec![0] };
        let (mut bytes, mut utf16) = (0, 0);
        for character in text.chars() {
            bytes += character.len_utf8();
            utf16 += character.len_utf16();
            wide.bytes.push(bytes);
            wide.utf16.push(utf16);
        }
        Self { length: wide.bytes.len() - 1, wide: Some(wide) }
    }

    /// The length of the text.
    #[must_use]
    pub fn len(&self, unit: Unit) -> usize {
        self.table(unit).and_then(|table| table.last().copied()).unwrap_or(self.length)
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Offsets as they stand in the data as a range of characters.
    ///
    /// # Errors
    /// The end lies before the start or beyond the text, or an offset lies inside a character.
    pub fn read(
        &self,
        start: usize,
        end: usize,
        unit: Unit,
        ends: End,
    ) -> Result<Range<usize>, SpanError> {
        let range = ends.half_open(start, end)?;
        Ok(self.character(range.start, unit)?..self.character(range.end, unit)?)
    }

    /// A half-open range of one unit in another.
    ///
    /// # Errors
    /// As for [`read`](TextOffsets::read).
    pub fn convert(
        &self,
        range: Range<usize>,
        from: Unit,
        to: Unit,
    ) -> Result<Range<usize>, SpanError> {
        let characters = self.read(range.start, range.end, from, End::Exclusive)?;
        let of = |character: usize| {
            self.table(to).and_then(|table| table.get(character).copied()).unwrap_or(character)
        };
        Ok(of(characters.start)..of(characters.end))
    }

    /// The number of the character that starts at an offset.
    fn character(&self, offset: usize, unit: Unit) -> Result<usize, SpanError> {
        let length = self.len(unit);
        if offset > length {
            return Err(SpanError::BeyondEnd { offset, length, unit });
        }
        match self.table(unit) {
            Some(table) => table
                .binary_search(&offset)
                .map_err(|_| SpanError::InsideCharacter { offset, unit }),
            None => Ok(offset),
        }
    }

    /// The offset of each character and of the end; none where it is the character's number.
    fn table(&self, unit: Unit) -> Option<&[usize]> {
        let wide = self.wide.as_ref()?;
        match unit {
            Unit::Characters => None,
            Unit::Bytes => Some(&wide.bytes),
            Unit::Utf16 => Some(&wide.utf16),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Characters => "characters",
            Unit::Bytes => "bytes",
            Unit::Utf16 => "UTF-16 units",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_of_a_mixed_text_goes_there_and_back() {
        let text = "a中🙂é\u{301}z";
        let offsets = TextOffsets::new(text);
        let starts: Vec<usize> =
            text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for (character, &byte) in starts.iter().enumerate() {
            let utf16 = text[..byte].encode_utf16().count();
            let all = [(Unit::Characters, character), (Unit::Bytes, byte), (Unit::Utf16, utf16)];
            for (from, given) in all {
                for (to, expected) in all {
                    let found = offsets.convert(given..given, from, to).unwrap();
                    assert_eq!(found, expected..expected, "{from} to {to}");
                }
            }
        }
        let inside = (0..text.len()).filter(|&at| !text.is_char_boundary(at));
        for offset in inside {
            let expected = SpanError::InsideCharacter { offset, unit: Unit::Bytes };
            assert_eq!(offsets.read(0, offset, Unit::Bytes, End::Exclusive), Err(expected));
        }
        assert_eq!(offsets.len(Unit::Bytes), text.len());
    }

    #[test]
    fn ascii_and_empty_texts_are_checked_too() {
        let ascii = TextOffsets::new("abc");
        assert_eq!(ascii.read(1, 2, Unit::Utf16, End::Inclusive), Ok(1..3));
        assert!(ascii.read(1, 3, Unit::Utf16, End::Inclusive).is_err());
        assert!(ascii.read(2, 1, Unit::Bytes, End::Exclusive).is_err());
        let empty = TextOffsets::new("");
        assert!(empty.is_empty());
        assert_eq!(empty.read(0, 0, Unit::Bytes, End::Exclusive), Ok(0..0));
        assert!(empty.read(0, usize::MAX, Unit::Bytes, End::Inclusive).is_err());
    }
}
