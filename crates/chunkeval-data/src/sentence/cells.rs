//! [`Cells`]: texts behind each other in one string.

use std::fmt;
use std::path::Path;

use chunkeval_core::Error;

use super::Position;
use crate::lines::parse_error;

/// Texts behind each other in one string.
#[derive(Clone, Default)]
pub(super) struct Texts {
    text: String,
    cells: Vec<Cell>,
}

/// Where a text ends in the string, and where it came from.
#[derive(Clone, Copy)]
struct Cell {
    end: usize,
    at: Option<Position>,
}

/// The tokens of a sentence, or its tags: texts in order, each with its place in the file.
///
/// ```
/// use chunkeval_data::{Conll, ConllReader, Position};
///
/// let text = "Ada\tB-PER\nsleeps\tO\n";
/// let mut reader = ConllReader::new(text.as_bytes(), "f", &Conll::two_columns())?;
/// let sentence = reader.next().unwrap()?;
/// let tags = sentence.gold();
/// assert_eq!((tags.len(), tags.get(1)), (2, Some("O")));
/// assert_eq!(tags.position(1), Some(Position { line: 2, column: 8 }));
/// let error = tags.error(1, "f".as_ref(), "a tag that is not known here");
/// assert_eq!(error.to_string(), "f:2:8: a tag that is not known here");
/// # Ok::<(), chunkeval_data::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Cells<'a>(pub(super) &'a Texts);

impl Texts {
    pub(super) fn push(&mut self, text: &str, at: Option<Position>) {
        self.text.push_str(text);
        self.cells.push(Cell { end: self.text.len(), at });
    }

    /// Takes the texts of another in place of its own, in the memory that it has.
    pub(super) fn copy(&mut self, other: &Self) {
        self.text.clone_from(&other.text);
        self.cells.clone_from(&other.cells);
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
    }
}

impl<'a> Cells<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.cells.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.cells.is_empty()
    }

    /// The text at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a str> {
        let end = self.0.cells.get(index)?.end;
        let before = index.checked_sub(1).and_then(|i| self.0.cells.get(i));
        self.0.text.get(before.map_or(0, |cell| cell.end)..end)
    }

    /// Where the text at an index stands in its file; `None` if it was not read from one.
    #[must_use]
    pub fn position(&self, index: usize) -> Option<Position> {
        self.0.cells.get(index).and_then(|cell| cell.at)
    }

    /// The texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + use<'a> {
        let cells = *self;
        (0..cells.len()).map(move |index| cells.get(index).unwrap_or_default())
    }

    /// An error about the text at an index: at its place in the file `path` where it has one, else
    /// about the text itself.
    #[must_use]
    pub fn error(&self, index: usize, path: &Path, reason: impl Into<String>) -> Error {
        let reason = reason.into();
        match self.position(index) {
            Some(at) => parse_error(path, at, reason),
            None => {
                let text = self.get(index).unwrap_or_default();
                Error::config("sentence", format!("{text:?}, token {index}: {reason}"))
            }
        }
    }
}

impl PartialEq for Cells<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Cells<'_> {}

impl fmt::Debug for Cells<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sentence;

    #[test]
    fn an_error_about_a_text_that_no_file_holds_names_the_text() {
        let mut s = Sentence::new();
        s.push("a", "B-X");
        let error = s.gold().error(0, Path::new("f"), "unknown tag");
        assert_eq!(error.to_string(), "sentence: \"B-X\", token 0: unknown tag");
    }
}
