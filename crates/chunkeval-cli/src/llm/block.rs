//! A file cut at line ends into blocks that any thread can read.

use std::io::Read;
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memrchr};

use crate::input::Input;
use crate::{Error, Result};

/// About how many bytes a block has.
const SIZE: usize = 256 << 10;
/// A line of more bytes is none.
const LONGEST_LINE: usize = 256 << 20;

/// Whole lines of a file.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// How many lines stand before it.
    pub(super) lines_before: u64,
}

/// Reads a file block by block.
pub(super) struct Blocks {
    source: Box<dyn Read + Send>,
    path: PathBuf,
    /// The beginning of a line that the last block did not hold whole.
    rest: Vec<u8>,
    lines: u64,
    ended: bool,
}

impl Blocks {
    pub(super) fn new(input: Input) -> Self {
        let Input { source, path, .. } = input;
        Self { source, path, rest: Vec::new(), lines: 0, ended: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next block.
    ///
    /// # Errors
    /// The file cannot be read, or has a line without end.
    pub(super) fn next(&mut self) -> Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut wanted = SIZE;
        while !self.ended {
            let missing = wanted.saturating_sub(bytes.len());
            let read = (&mut self.source).take(missing as u64).read_to_end(&mut bytes);
            self.ended = read.map_err(|e| Error::read(&self.path, e))? < missing;
            if self.ended {
                break;
            }
            if let Some(end) = memrchr(b'\n', &bytes) {
                self.rest = bytes.split_off(end + 1);
                break;
            }
            if bytes.len() > LONGEST_LINE {
                let (path, line) = (self.path.clone(), self.lines + 1);
                let reason = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
                let hint = Some("is it JSON Lines, with an object on each line?".to_owned());
                return Err(Error::Place { path, line, column: 1, reason, hint });
            }
            wanted = 2 * bytes.len();
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let block = Block { lines_before: self.lines, bytes };
        self.lines += memchr_iter(b'\n', &block.bytes).count() as u64;
        Ok(Some(block))
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
    fn blocks_end_at_line_ends_and_know_the_lines_before() {
        let text = ["x".repeat(999), "y".repeat(3 * SIZE), "z".to_owned()].join("\n").repeat(9);
        let mut blocks = blocks(Cursor::new(text.clone()));
        let (mut all, mut lines, mut count) = (Vec::new(), 0, 0);
        while let Some(block) = blocks.next().unwrap() {
            assert_eq!(block.lines_before, lines);
            lines += block.bytes.iter().filter(|&&b| b == b'\n').count() as u64;
            count += 1;
            all.extend(block.bytes);
        }
        assert!(all == text.as_bytes() && lines == 18 && count > 5);
    }

    #[test]
    fn a_line_without_end_is_named() {
        let mut blocks = blocks(Cursor::new("a\nb\n").chain(repeat(b'x')));
        assert_eq!(blocks.next().unwrap().unwrap().bytes, b"a\nb\n");
        let error = blocks.next().unwrap_err().to_string();
        assert_eq!(error, "f:3:1: the line is longer than 256 MiB");
    }
}
