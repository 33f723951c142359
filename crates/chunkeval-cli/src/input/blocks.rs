//! A file cut at line ends or blank lines into blocks that any thread can read.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use memchr::{memchr_iter, memrchr};

use super::Input;
use super::open::Flag;
use crate::{Error, Result, interrupt};

/// About how many bytes a block has.
const SIZE: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where a file may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// Behind every line, each of which is a JSON object.
    Line,
    /// Behind every blank line, which parts sentences of a token on each line.
    BlankLine,
}

impl Boundary {
    /// A line of more bytes is none. It stands in memory whole, which is to be bounded: an answer is
    /// much shorter, and `chunkeval-data` has the same limit for columns.
    const fn longest_line(self) -> usize {
        match self {
            Self::Line => 64 << 20,
            Self::BlankLine => 16 << 20,
        }
    }

    /// So many bytes must have a boundary.
    const fn largest(self) -> usize {
        match self {
            Self::Line => self.longest_line() + 1, // and a line end
            Self::BlankLine => 32 << 20,
        }
    }

    /// What to ask of a file with lines without end.
    const fn hint(self) -> &'static str {
        match self {
            Self::Line => "is it JSON Lines, with an object on each line?",
            Self::BlankLine => "is it a text file, with a token on each line?",
        }
    }

    /// Where the last boundary is. What stands behind it may go on in the next block.
    fn last(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Line => memrchr(b'\n', bytes).map(|end| end + 1),
            Self::BlankLine => last_blank_line(bytes),
        }
    }
}

/// Whole lines of a file, or whole sentences; the last line ends with a line end, too.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The number of its first line, from 1.
    pub(crate) line: u64,
}

/// Whether there is as much as was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filled {
    Whole,
    InPart,
}

/// Reads a file block by block.
pub(crate) struct Blocks {
    source: Box<dyn Read + Send>,
    path: PathBuf,
    boundary: Boundary,
    /// The beginning of a line or sentence that the last block did not hold whole.
    rest: Vec<u8>,
    /// The number of the next line.
    line: u64,
    ended: bool,
    stop: Flag,
}

impl Blocks {
    pub(crate) fn new(input: Input, boundary: Boundary) -> Self {
        let Input { source, path, stop, eager, .. } = input;
        eager.store(true, Ordering::Relaxed);
        Self { source, path, boundary, rest: Vec::new(), line: 1, ended: false, stop }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The next block, in the memory of an old one. If Ctrl-C ends reading in the middle of it, what
    /// is whole of it.
    ///
    /// # Errors
    /// The file cannot be read, or has lines or sentences without end.
    pub(crate) fn next(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>> {
        bytes.clear();
        bytes.append(&mut self.rest);
        let mut wanted = SIZE;
        while !self.ended {
            let filled = self.fill(&mut bytes, wanted)?;
            if self.ended {
                break;
            }
            if let Some(end) = self.boundary.last(&bytes) {
                self.rest.extend_from_slice(bytes.get(end..).unwrap_or_default());
                bytes.truncate(end);
                break;
            }
            if bytes.len() >= self.boundary.largest() {
                return Err(self.endless(&bytes));
            }
            if filled == Filled::Whole {
                wanted = (2 * bytes.len()).min(self.boundary.largest());
            }
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

    /// Reads until there are so many bytes, the file ends, or the other side says nothing for a while:
    /// what is there is looked at then, and need not wait for what may come.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<Filled> {
        let missing = wanted.saturating_sub(bytes.len());
        bytes.reserve_exact(missing + 1); // and a line end
        let mut filled = Filled::Whole;
        match (&mut self.source).take(missing as u64).read_to_end(bytes) {
            Ok(read) => self.ended = read < missing,
            Err(error) if error.kind() == ErrorKind::WouldBlock => filled = Filled::InPart,
            Err(_) if interrupt::asked() || self.stop.load(Ordering::Relaxed) => {
                self.ended = true;
                bytes.truncate(self.boundary.last(bytes).unwrap_or(0));
            }
            Err(error) => return Err(Error::read(&self.path, error)),
        }
        if self.line == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(filled)
    }

    /// The error of a block that has no boundary.
    fn endless(&self, bytes: &[u8]) -> Error {
        let most = self.boundary.longest_line();
        let ends = memchr_iter(b'\n', bytes).chain([bytes.len()]);
        let lengths = ends.scan(0, |start, end| Some(end - std::mem::replace(start, end + 1)));
        let (line, reason, hint) = match (self.line..).zip(lengths).find(|(_, len)| *len > most) {
            Some((line, _)) => {
                let reason = format!("the line is longer than {} MiB", most >> 20);
                (line, reason, self.boundary.hint())
            }
            None => {
                let reason = format!("no blank line in {} MiB", self.boundary.largest() >> 20);
                (self.line, reason, "sentences are separated by blank lines")
            }
        };
        Error::Place { path: self.path.clone(), line, column: 1, reason, hint: None }
            .with_hint(hint)
    }
}

/// Where the last blank line ends.
fn last_blank_line(bytes: &[u8]) -> Option<usize> {
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
    use super::Boundary::{BlankLine, Line};
    use super::*;
    use std::io::{Cursor, repeat};

    fn blocks(source: impl Read + Send + 'static, boundary: Boundary) -> Blocks {
        let (source, path) = (Box::new(source), "f".into());
        let (read, stop, eager) = Default::default();
        Blocks::new(Input { source, path, size: None, read, stop, eager }, boundary)
    }

    /// Reads a text to its end; `check` sees each block.
    fn read(text: &str, boundary: Boundary, check: impl Fn(&Block)) -> (usize, u64) {
        let mut blocks = blocks(Cursor::new(text.to_owned()), boundary);
        let (mut all, mut lines, mut count) = (Vec::new(), 0, 0);
        while let Some(block) = blocks.next(Vec::new()).unwrap() {
            assert_eq!(block.line, lines + 1);
            check(&block);
            lines += block.bytes.iter().filter(|&&b| b == b'\n').count() as u64;
            count += 1;
            all.extend(block.bytes);
        }
        assert!(all == text.as_bytes());
        (count, lines)
    }

    #[test]
    fn blocks_end_at_blank_lines_and_know_their_first_line() {
        let text = "a\tO\tO\nb\tO\tO\n \t\r\n".repeat(100_000);
        let (_, lines) = read(&text, BlankLine, |block| {
            assert!(block.bytes.ends_with(b"\n \t\r\n") && block.bytes.len() <= SIZE);
        });
        assert_eq!(lines, 300_000);
    }

    #[test]
    fn blocks_end_at_line_ends_and_know_their_first_line() {
        let lines = ["x".repeat(999), "y".repeat(3 * SIZE), "z\n".to_owned()];
        let (count, lines) = read(&lines.join("\n").repeat(9), Line, |block| {
            assert!(block.bytes.ends_with(b"\n"));
        });
        assert!(count > 5 && lines == 27, "{count} {lines}");
    }

    #[test]
    fn a_mark_goes_and_a_line_end_comes() {
        for boundary in [Line, BlankLine] {
            let all =
                |text: &'static str| blocks(text.as_bytes(), boundary).next(Vec::new()).unwrap();
            assert_eq!(all("\u{feff}a b c").unwrap().bytes, b"a b c\n");
            assert!(all("").is_none() && all("\u{feff}").is_none());
            assert_eq!(all("\n").unwrap().bytes, b"\n");
        }
    }

    #[test]
    fn what_has_no_end_is_named() {
        let message = |source: Box<dyn Read + Send>, boundary| {
            blocks(source, boundary).next(Vec::new()).unwrap_err().to_string()
        };
        let endless = || Box::new(Cursor::new("a\nb\n").chain(repeat(b'x')));
        let line = "f:3:1: the line is longer than 16 MiB";
        assert_eq!(message(endless(), BlankLine), line);
        let lines = "a\tO\tO\n".repeat(BlankLine.largest() / 6 + SIZE);
        let blank = "f:1:1: no blank line in 32 MiB";
        assert_eq!(message(Box::new(Cursor::new(lines)), BlankLine), blank);

        let mut blocks = blocks(endless(), Line);
        assert_eq!(blocks.next(Vec::new()).unwrap().unwrap().bytes, b"a\nb\n");
        let error = blocks.next(Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "f:3:1: the line is longer than 64 MiB");
    }

    #[test]
    fn no_more_is_read_than_a_line_may_have() {
        struct Endless(std::sync::Arc<std::sync::atomic::AtomicUsize>);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                self.0.fetch_add(buffer.len(), Ordering::Relaxed);
                buffer.fill(b'x');
                Ok(buffer.len())
            }
        }
        let read = std::sync::Arc::default();
        let error = blocks(Endless(std::sync::Arc::clone(&read)), Line).next(Vec::new());
        assert!(error.is_err());
        assert_eq!(read.load(Ordering::Relaxed), Line.largest());
    }
}
