//! Lines of a text file, one at a time, with the place of every fault.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, ErrorKind, Result};

use crate::Position;

/// A line may hold this many bytes. Without a limit a binary file, which need not have any line
/// ends, would be read into memory whole.
const LONGEST_LINE: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads lines into one buffer. Takes off a byte order mark and `\n` or `\r\n`.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    path: PathBuf,
    number: u64,
    line: String,
}

/// One line, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// Line number, from 1.
    pub(crate) number: u64,
    pub(crate) path: &'a Path,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R, path: impl Into<PathBuf>) -> Self {
        Self { source, path: path.into(), number: 0, line: String::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many lines were read.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The line that was read last.
    pub(crate) fn line(&self) -> Line<'_> {
        Line { text: &self.line, number: self.number, path: &self.path }
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>> {
        Ok(self.advance()?.then(|| self.line()))
    }

    /// Goes to the next line; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        let limit = LONGEST_LINE as u64 + 1;
        let read = Read::take(&mut self.source, limit).read_until(b'\n', &mut bytes);
        if read.map_err(|e| Error::io(&self.path, e))? == 0 {
            return Ok(false);
        }
        self.number += 1;
        let ended = bytes.pop_if(|byte| *byte == b'\n').is_some();
        let too_long = bytes.len() > LONGEST_LINE && !ended;
        bytes.pop_if(|byte| *byte == b'\r');
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        let mut valid = true;
        self.line = String::from_utf8(bytes).unwrap_or_else(|e| {
            valid = false;
            let good = e.utf8_error().valid_up_to();
            let mut bytes = e.into_bytes();
            bytes.truncate(good);
            String::from_utf8(bytes).unwrap_or_default()
        });
        let line = self.line();
        if too_long {
            return Err(line.error(0, format!("the line is longer than {LONGEST_LINE} bytes")));
        }
        if let Some(at) = line.text.find(['\0', '\r']) {
            let nul = line.text.as_bytes().get(at) == Some(&0);
            let what = if nul { "NUL byte" } else { "carriage return" };
            return Err(line.error(at, format!("a {what} inside the line")));
        }
        if !valid {
            return Err(line.error(line.text.len(), "invalid UTF-8"));
        }
        Ok(true)
    }
}

impl Line<'_> {
    /// The position of a byte of the line.
    pub(crate) fn position(&self, byte: usize) -> Position {
        let before = self.text.get(..byte).unwrap_or(self.text);
        Position { line: self.number, column: 1 + before.chars().count() as u64 }
    }

    /// An error at a byte of the line.
    pub(crate) fn error(&self, byte: usize, reason: impl Into<String>) -> Error {
        parse_error(self.path, self.position(byte), reason)
    }

    /// Nothing but spaces and tabs.
    pub(crate) fn is_blank(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// The text without spaces and tabs at its ends.
    pub(crate) fn trimmed(&self) -> &str {
        self.text.trim_matches([' ', '\t'])
    }
}

/// An error at a place of a file.
pub(crate) fn parse_error(
    path: impl Into<PathBuf>,
    at: Position,
    reason: impl Into<String>,
) -> Error {
    let Position { line, column } = at;
    ErrorKind::Parse { path: path.into(), line, column, reason: reason.into() }.into()
}

/// The pieces between spaces and tabs, with the byte where each begins.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split([' ', '\t']).filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// Counts characters up to bytes that only grow, so that a long line is walked once.
pub(crate) struct Columns<'a> {
    text: &'a str,
    line: u64,
    byte: usize,
    column: u64,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(line: &Line<'a>) -> Self {
        Self { text: line.text, line: line.number, byte: 0, column: 1 }
    }

    /// The position of a byte, which must not lie before that of the last call.
    pub(crate) fn at(&mut self, byte: usize) -> Position {
        self.column += self.text.get(self.byte..byte).map_or(0, |t| t.chars().count()) as u64;
        self.byte = byte;
        Position { line: self.line, column: self.column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<(String, u64)>> {
        let mut lines = Lines::new(bytes, "f");
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push((line.text.to_owned(), line.number));
        }
        Ok(all)
    }

    fn texts(bytes: &[u8]) -> Vec<String> {
        read(bytes).unwrap().into_iter().map(|(text, _)| text).collect()
    }

    fn message(bytes: &[u8]) -> String {
        read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn line_ends_and_the_byte_order_mark_go() {
        assert_eq!(texts(b"\xEF\xBB\xBFa\r\nb\nc"), ["a", "b", "c"]);
        assert_eq!(texts(b""), [""; 0]);
        assert_eq!(texts(b"\n\r\n"), ["", ""]);
        assert_eq!(texts(b"a\r"), ["a"]);
        // Only the first of a file is a mark; a later one is text.
        assert_eq!(texts("\u{feff}\u{feff}a\n\u{feff}b".as_bytes()), ["\u{feff}a", "\u{feff}b"]);
    }

    #[test]
    fn what_is_not_text_is_named_with_its_column() {
        assert_eq!(
            message("ab\n省\u{e9}".as_bytes().strip_suffix(b"\xA9").unwrap()),
            "f:2:2: invalid UTF-8"
        );
        assert_eq!(message(b"a\0b"), "f:1:2: a NUL byte inside the line");
        assert_eq!(message(b"a\rb\n"), "f:1:2: a carriage return inside the line");
        assert_eq!(message(b"\xFF\xFEa\0"), "f:1:1: invalid UTF-8");
        // The first fault of the line is the one that is named.
        assert_eq!(message(b"a\0\xFF"), "f:1:2: a NUL byte inside the line");
    }

    #[test]
    fn a_file_without_line_ends_is_not_swallowed_whole() {
        let mut lines = Lines::new(std::io::BufReader::new(std::io::repeat(b'x')), "f");
        let error = lines.next().unwrap_err().to_string();
        assert_eq!(error, "f:1:1: the line is longer than 16777216 bytes");

        let mut longest = vec![b'x'; LONGEST_LINE];
        longest.push(b'\n');
        assert_eq!(texts(&longest)[0].len(), LONGEST_LINE);
    }

    #[test]
    fn words_know_where_they_begin() {
        let all: Vec<_> = words(" a\t\tbc  d ").collect();
        assert_eq!(all, [(1, "a"), (4, "bc"), (8, "d")]);
        assert_eq!(words(" \t").count(), 0);
    }
}
