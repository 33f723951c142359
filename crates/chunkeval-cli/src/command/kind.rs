//! What kind of file it is.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use crate::input::Input;
use crate::{Error, Result};

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tags,
    /// A JSON object on each line.
    Answers,
}

impl Kind {
    /// The kind of a file, by its first line that is not blank; `None` of an empty one.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>> {
        let Input { source, path, .. } = Input::open(path)?;
        let mut source = BufReader::new(source);
        loop {
            let bytes = source.fill_buf().map_err(|e| Error::read(&path, e))?;
            let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
            if bytes.is_empty() {
                return Ok(None);
            }
            if !text.is_empty() {
                return Ok(Some(if is_object(text) { Self::Answers } else { Self::Tags }));
            }
            let blank = bytes.len();
            source.consume(blank);
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Tags => "tagged text",
            Self::Answers => "JSON Lines",
        }
    }
}

/// Whether a text begins like a JSON object. A brace is a token, too.
fn is_object(text: &[u8]) -> bool {
    text.strip_prefix(b"{")
        .is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_told_from_tokens() {
        assert!(is_object(b"{\"a\": 1}") && is_object(b"{ }") && is_object(b"{\t\"a\""));
        assert!(!is_object(b"{\tO\tO") && !is_object(b"{ B-X B-X") && !is_object(b"[1]"));
        assert!(!is_object(b""));
    }
}
