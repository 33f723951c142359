//! A file cut at blank lines into blocks that any thread can scan.

use std::io::Read;
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memrchr};

use crate::input::Input;
use crate::{Error, Result};

/// About how many bytes a block has.
const SIZE: usize = 256 << 10;
/// A sentence of more bytes is none: there is no blank line where there should be some.
const LARGEST: usize = 32 << 20;
/// A line of more bytes is none, as in `chunkeval-data`.
const LONGEST_LINE: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whole sentences of a file; the last line ends with a line end, too.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// The number of its first line, from 1.
    pub(super) line: u64,
}

/// Reads a file block by block.
pub(super) struct Blocks {
    source: Box<dyn Read + Send>,
    path: PathBuf,
    /// The beginning of a sentence that the last block did not hold whole.
    rest: Vec<u8>,
    /// The number of the next line.
    line: u64,
    ended: bool,
}

impl Blocks {
    pub(super) fn new(input: Input) -> Self {
        let Input { source, path, .. } = input;
        Self { source, path, rest: Vec::new(), line: 1, ended: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next block, in the memory of an old one.
    ///
    /// # Errors
    /// The file cannot be read, or has lines or sentences without end.
    pub(super) fn next(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>> {
        bytes.clear();
        bytes.append(&mut self.rest);
        let mut wanted = SIZE;
        while !self.ended {
            self.fill(&mut bytes, wanted)?;
            if self.ended {
                break;
            }
            if let Some(end) = last_boundary(&bytes) {
                self.rest.extend_from_slice(bytes.get(end..).unwrap_or_default());
                bytes.truncate(end);
                break;
            }
            if bytes.len() >= LARGEST {
                return Err(self.endless(&bytes));
            }
            wanted = 2 * bytes.len();
        }
        if bytes.last().is_some_and(|&last| last != b'\n') {
            bytes.push(b'\n');
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let block = Block { line: self.line, bytes };
        self.line += memchr_iter(b'\n', &block.bytes).count() as u64;
        Ok(Some(block))
    }

    /// Reads until there are so many bytes, or the file ends.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<()> {
        let missing = wanted.saturating_sub(bytes.len());
        bytes.reserve(missing + 1); // and a line end
        let read = (&mut self.source).take(missing as u64).read_to_end(bytes);
        self.ended = read.map_err(|e| Error::read(&self.path, e))? < missing;
        if self.line == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(())
    }

    /// The error of a block that has no blank line.
    fn endless(&self, bytes: &[u8]) -> Error {
        let longest = memchr_iter(b'\n', bytes).try_fold((0, self.line), |(start, line), end| {
            // The first line that is too long.
            if end - start > LONGEST_LINE { Err(line) } else { Ok((end + 1, line + 1)) }
        });
        let (line, reason, hint) = match longest {
            Err(line) => (line, too_long(), BINARY),
            Ok((start, line)) if bytes.len() - start > LONGEST_LINE => (line, too_long(), BINARY),
            Ok(_) => {
                let reason = format!("no blank line in {} MiB", LARGEST >> 20);
                (self.line, reason, "sentences are parted by blank lines")
            }
        };
        Error::Place { path: self.path.clone(), line, column: 1, reason, hint: None }
            .with_hint(hint)
    }
}

fn too_long() -> String {
    format!("the line is longer than {} MiB", LONGEST_LINE >> 20)
}

const BINARY: &str = "is it a text file, with a token on each line?";

/// Where the last blank line ends. From there on a sentence begins.
fn last_boundary(bytes: &[u8]) -> Option<usize> {
    let mut end = memrchr(b'\n', bytes)?;
    loop {
        let head = bytes.get(..end)?;
        let start = memrchr(b'\n', head).map_or(0, |at| at + 1);
        if head.get(start..)?.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            return Some(end + 1);
        }
        end = start.checked_sub(1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, repeat};

    fn blocks(source: impl Read + Send + 'static) -> Blocks {
        let (source, path) = (Box::new(source), "f".into());
        Blocks::new(Input { source, path, size: None, read: Default::default() })
    }

    #[test]
    fn blocks_end_at_blank_lines_and_know_their_first_line() {
        let text = "a\tO\tO\nb\tO\tO\n \t\r\n".repeat(100_000);
        let mut blocks = blocks(Cursor::new(text.clone()));
        let (mut all, mut lines) = (Vec::new(), 0);
        while let Some(block) = blocks.next(Vec::new()).unwrap() {
            assert_eq!(block.line, lines + 1);
            assert!(block.bytes.ends_with(b"\n \t\r\n") && block.bytes.len() <= SIZE);
            lines += block.bytes.iter().filter(|&&b| b == b'\n').count() as u64;
            all.extend(block.bytes);
        }
        assert_eq!((all == text.as_bytes(), lines), (true, 300_000));
    }

    #[test]
    fn a_mark_goes_and_a_line_end_comes() {
        let all = |text: &'static str| blocks(text.as_bytes()).next(Vec::new()).unwrap();
        assert_eq!(all("\u{feff}a b c").unwrap().bytes, b"a b c\n");
        assert!(all("").is_none() && all("\u{feff}").is_none());
        assert_eq!(all("\n").unwrap().bytes, b"\n");
    }

    #[test]
    fn what_has_no_end_is_named() {
        let message =
            |source: Box<dyn Read + Send>| blocks(source).next(Vec::new()).unwrap_err().to_string();
        let line = "f:3:1: the line is longer than 16 MiB";
        assert_eq!(message(Box::new(Cursor::new("a\nb\n").chain(repeat(b'x')))), line);
        let lines = "a\tO\tO\n".repeat(LARGEST / 6 + SIZE);
        assert_eq!(message(Box::new(Cursor::new(lines))), "f:1:1: no blank line in 32 MiB");
    }
}
