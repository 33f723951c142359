//! A place in a text.

use std::ops::Range;

/// A text and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, offset: 0 }
    }

    /// At the beginning of a part of a text, and seeing nothing after it.
    pub(crate) fn within(text: &'t str, part: &Range<usize>) -> Self {
        Self { text: text.get(..part.end).unwrap_or(text), offset: part.start }
    }

    /// At the same place, and seeing no more than so many bytes.
    pub(crate) fn limited(&self, bytes: usize) -> Self {
        let end = self.text.floor_char_boundary(self.offset.saturating_add(bytes));
        Self::within(self.text, &(self.offset..end))
    }

    /// The byte at which it stands.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// What stands between two bytes at which a cursor stood.
    pub(crate) fn between(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads a character.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    /// Reads so many bytes, which end between two characters.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.offset += bytes;
    }

    /// Goes back to a byte that it has read.
    pub(crate) fn back_to(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Reads this character if it is the next.
    pub(crate) fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.offset += c.len_utf8();
        }
        found
    }

    /// Reads to before the first character that is not like this.
    pub(crate) fn skip_while(&mut self, like: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.offset += rest.find(|c| !like(c)).unwrap_or(rest.len());
    }
}
