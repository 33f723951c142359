//! A place in a text.

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

    /// The byte at which it stands.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or_default()
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
