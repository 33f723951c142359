//! [`JsonLines`]: the lines of a file, one at a time, whatever stands in them.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, ErrorKind, Result};

use super::error::{LineError, LineErrorKind};

/// The longest line that is read, unless said otherwise. Without a limit a file without line ends
/// would be read into memory whole.
const LONGEST: usize = 256 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of a JSON Lines file, without byte order mark, line ends and blank lines.
///
/// A line that cannot be read is an error with its number, after which the next line can be read.
///
/// ```
/// use chunkeval_llm::JsonLines;
///
/// let mut lines = JsonLines::new("\u{feff}{\"id\":1}\r\n  \r\n{\"id\":2}".as_bytes(), "answers.jsonl");
/// let mut read = Vec::new();
/// while let Some(line) = lines.next_line()? {
///     read.push((line.number, line.text.to_owned()));
/// }
/// assert_eq!(read, [(1, r#"{"id":1}"#.to_owned()), (3, r#"{"id":2}"#.to_owned())]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLines<R> {
    source: R,
    path: PathBuf,
    longest: usize,
    number: u64,
    /// So many bytes of the source's buffer were given out as the last line.
    read: usize,
    /// The last line, if the buffer did not hold it whole.
    bytes: Vec<u8>,
    mended: Mended,
}

/// A line that is no UTF-8, with U+FFFD for every part that is none.
#[derive(Debug, Default)]
struct Mended {
    text: String,
    /// The bytes of `text` where they stand.
    places: Vec<usize>,
}

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JsonLine<'a> {
    /// Line number, from 1; blank lines count.
    pub number: u64,
    /// The line.
    pub text: &'a str,
    /// The file, or the name given to the stream.
    pub path: &'a Path,
    /// Where U+FFFD stands for what is no UTF-8.
    pub(crate) mended: &'a [usize],
}

impl<R: BufRead> JsonLines<R> {
    /// The lines of `source`; errors call it `path`.
    pub fn new(source: R, path: impl Into<PathBuf>) -> Self {
        let (path, bytes, mended) = (path.into(), Vec::new(), Mended::default());
        Self { source, path, longest: LONGEST, number: 0, read: 0, bytes, mended }
    }

    /// Refuses lines of more bytes than this; 256 MiB if not said.
    #[must_use]
    pub fn longest(self, longest: usize) -> Self {
        Self { longest, ..self }
    }

    /// Counts so many lines that stand before the first one of `source`, which is a part of a file.
    #[must_use]
    pub fn starting_behind(self, lines: u64) -> Self {
        Self { number: lines, ..self }
    }

    /// The file, or the name given to the stream.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next line that is not blank.
    ///
    /// # Errors
    /// The line is longer than allowed or no UTF-8, or the file cannot be read.
    pub fn next_line(&mut self) -> Result<Option<JsonLine<'_>>> {
        match self.next_line_lossy()? {
            Some(line) => match line.mended.first() {
                Some(&first) => Err(line.error(first, None, LineErrorKind::NotUtf8).into()),
                None => Ok(Some(line)),
            },
            None => Ok(None),
        }
    }

    /// The next line that is not blank, with U+FFFD for what is no UTF-8, for a
    /// [`RecordParser`](crate::RecordParser) or [`LineEvaluator`](crate::LineEvaluator): they take it
    /// for [what it is](crate::Record::not_utf8) in an answer, and for an error elsewhere.
    ///
    /// # Errors
    /// The line is longer than allowed, or the file cannot be read.
    pub fn next_line_lossy(&mut self) -> Result<Option<JsonLine<'_>>> {
        let end = loop {
            self.source.consume(std::mem::take(&mut self.read));
            let end = self.buffered_end()?;
            match end {
                Some(end) => self.read = end + 1,
                None if self.copy_line()? => {}
                None => return Ok(None),
            }
            self.number += 1;
            if end.unwrap_or(self.bytes.len()) > self.longest {
                if end.is_none() {
                    self.skip_line()?;
                }
                let reason = format!("the line is longer than {} bytes", self.longest);
                return Err(parse_error(&self.path, self.number, 1, reason));
            }
            let line = line(&mut self.source, &self.bytes, end, self.number);
            if !line.map_err(|e| Error::io(&self.path, e))?.is_empty() {
                break end;
            }
        };
        let line = line(&mut self.source, &self.bytes, end, self.number);
        let line = line.map_err(|e| Error::io(&self.path, e))?;
        let (number, path) = (self.number, &*self.path);
        Ok(Some(match simdutf8::basic::from_utf8(line) {
            Ok(text) => JsonLine { number, text, path, mended: &[] },
            Err(_) => {
                self.mended.mend(line);
                let Mended { text, places } = &self.mended;
                JsonLine { number, text, path, mended: places }
            }
        }))
    }

    /// Where the next line ends in what the source has read already, which is not copied.
    fn buffered_end(&mut self) -> Result<Option<usize>> {
        loop {
            match self.source.fill_buf() {
                Ok(buffer) => return Ok(memchr::memchr(b'\n', buffer)),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io(&self.path, e)),
            }
        }
    }

    /// Reads a line that the source reads in parts, up to the limit; says whether there is one.
    fn copy_line(&mut self) -> Result<bool> {
        self.bytes.clear();
        let limit = (self.longest as u64).saturating_add(1);
        let read = (&mut self.source).take(limit).read_until(b'\n', &mut self.bytes);
        let read = read.map_err(|e| Error::io(&self.path, e))?;
        self.bytes.pop_if(|byte| *byte == b'\n');
        Ok(read > 0)
    }

    /// Reads what is left of a line, and forgets it.
    fn skip_line(&mut self) -> Result<()> {
        loop {
            let buffer = self.source.fill_buf().map_err(|e| Error::io(&self.path, e))?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = memchr::memchr(b'\n', buffer);
            let read = end.map_or(buffer.len(), |at| at + 1);
            self.source.consume(read);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

/// A line without byte order mark and space behind it: the beginning of the buffer, or what was
/// copied; nothing of a blank line.
fn line<'a>(
    source: &'a mut impl BufRead,
    copied: &'a [u8],
    end: Option<usize>,
    number: u64,
) -> io::Result<&'a [u8]> {
    let line = match end {
        Some(end) => source.fill_buf()?.get(..end).unwrap_or_default(),
        None => copied,
    };
    let mark = if number == 1 { BYTE_ORDER_MARK } else { b"" };
    Ok(line.strip_prefix(mark).unwrap_or(line).trim_ascii_end())
}

impl Mended {
    fn mend(&mut self, line: &[u8]) {
        self.text.clear();
        self.places.clear();
        for chunk in line.utf8_chunks() {
            self.text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                self.places.push(self.text.len());
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }
}

impl JsonLine<'_> {
    /// An error at a byte of the line, in a field if it is named.
    pub(crate) fn error(
        &self,
        byte: usize,
        field: Option<String>,
        kind: impl Into<LineErrorKind>,
    ) -> LineError {
        LineError::new((self.path, self.number, self.column(byte)), field, kind.into())
    }

    /// The column of a byte, in characters from 1.
    pub(crate) fn column(&self, byte: usize) -> u64 {
        1 + self.text.get(..byte).unwrap_or(self.text).chars().count() as u64
    }

    /// The same value in a line of the same length.
    pub(super) fn written<'w>(&self, value: &str, line: JsonLine<'w>) -> &'w str {
        let start = self.offset_of(value);
        line.text.get(start..start + value.len()).unwrap_or_default()
    }

    /// The byte at which a value of the line begins.
    pub(crate) fn offset_of(&self, value: &str) -> usize {
        let address = |text: &str| text.as_ptr() as usize;
        address(value).saturating_sub(address(self.text))
    }
}

fn parse_error(path: &Path, line: u64, column: u64, reason: String) -> Error {
    ErrorKind::Parse { path: path.to_owned(), line, column, reason }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], longest: usize) -> Vec<Result<(u64, String), String>> {
        // A buffer of two bytes: lines are longer than what is read at once.
        let source = std::io::BufReader::with_capacity(2, bytes);
        let mut lines = JsonLines::new(source, "f").longest(longest);
        let mut all = Vec::new();
        loop {
            match lines.next_line() {
                Ok(None) => return all,
                Ok(Some(line)) => all.push(Ok((line.number, line.text.to_owned()))),
                Err(e) => all.push(Err(e.to_string())),
            }
        }
    }

    fn line(number: u64, text: &str) -> Result<(u64, String), String> {
        Ok((number, text.to_owned()))
    }

    #[test]
    fn a_bad_line_is_named_and_the_next_one_is_read() {
        let long = "f:1:1: the line is longer than 4 bytes".to_owned();
        assert_eq!(
            read(b"12345678\nab\n1234\n", 4),
            [Err(long.clone()), line(2, "ab"), line(3, "1234")]
        );
        assert_eq!(read(b"12345", 4), [Err(long)]);
        let text = "é\u{e9}".as_bytes();
        let broken = [text, b"\xFF\nok"].concat();
        assert_eq!(read(&broken, 99), [Err("f:1:3: invalid UTF-8".to_owned()), line(2, "ok")]);
    }

    #[test]
    fn a_line_that_is_no_text_is_mended_where_that_is_wanted() {
        let mut lines = JsonLines::new(&b"a\xE7\x9C\xFF\xFFb\xE7\nok"[..], "f");
        let line = lines.next_line_lossy().unwrap().unwrap();
        assert_eq!(
            (line.text, line.mended),
            ("a\u{fffd}\u{fffd}\u{fffd}b\u{fffd}", &[1, 4, 7, 11][..])
        );
        let line = lines.next_line_lossy().unwrap().unwrap();
        assert_eq!((line.number, line.text, line.mended), (2, "ok", &[][..]));
    }

    #[test]
    fn blank_lines_and_marks_go() {
        assert_eq!(read(b"", 9), []);
        assert_eq!(read(b"\n \t\r\n", 9), []);
        assert_eq!(read(b"\xEF\xBB\xBF", 9), []);
        assert_eq!(read(b"\xEF\xBB\xBFa\r\n\nb", 9), [line(1, "a"), line(3, "b")]);
        // Only the first of a file is a mark.
        let mut later = JsonLines::new("\u{feff}a".as_bytes(), "f").starting_behind(7);
        assert!(matches!(
            later.next_line(),
            Ok(Some(JsonLine { number: 8, text: "\u{feff}a", .. }))
        ));
        assert_eq!(read(b"a\n\xEF\xBB\xBFb", 9)[1], line(2, "\u{feff}b"));
    }
}
