//! The express-waybill files of PaddleNLP: one record a line, its parts joined by byte 0x02.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use crate::lines::{Columns, Line, Lines, parse_error};
use crate::read::{Tags, reader};
use crate::{Position, Sentence};

const HEADER: &str = "text_a\tlabel";
/// The header of a file without tags.
const BARE_HEADER: &str = "text_a";
const JOINT: char = '\u{2}';

/// Reads waybill files: the header `text_a<TAB>label`, then a record a line, its characters joined
/// by byte 0x02, a tab, its tags joined by byte 0x02. Empty lines are left out.
///
/// ```
/// use chunkeval_data::WaybillReader;
///
/// let text = "text_a\tlabel\n川\u{2}蜀\tA1-B\u{2}A1-I\n";
/// let sentence = WaybillReader::new(text.as_bytes(), "train.txt").next().unwrap()?;
/// assert_eq!(sentence.tokens().iter().collect::<Vec<_>>(), ["川", "蜀"]);
/// assert_eq!(sentence.gold().iter().collect::<Vec<_>>(), ["A1-B", "A1-I"]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct WaybillReader<R> {
    lines: Lines<R>,
    tags: Tags,
    done: bool,
}

impl WaybillReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Io`](chunkeval_core::ErrorKind::Io) if it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

impl<R: BufRead> WaybillReader<R> {
    /// Reads from `source`; errors call it `path`.
    pub fn new(source: R, path: impl Into<PathBuf>) -> Self {
        Self { lines: Lines::new(source, path), tags: Tags::Read, done: false }
    }

    /// Reads tokens alone: there may be tags or not, and the sentences have none. The header is
    /// then `text_a`, with a label or without.
    #[must_use]
    pub fn tokens_only(self) -> Self {
        Self { tags: Tags::LeftOut, ..self }
    }

    fn read(&mut self, out: &mut Sentence) -> Result<bool> {
        let (lines, tags) = (&mut self.lines, self.tags);
        if lines.number() == 0 {
            let header = lines.next()?;
            let is_bare = |text| tags == Tags::LeftOut && text == BARE_HEADER;
            if header.is_none_or(|line| line.text != HEADER && !is_bare(line.text)) {
                let start = Position { line: 1, column: 1 };
                let expected = if tags == Tags::Read { HEADER } else { BARE_HEADER };
                let reason = format!("expected the header {expected:?}");
                return Err(parse_error(lines.path(), start, reason));
            }
        }
        while let Some(line) = lines.next()? {
            if !line.text.is_empty() {
                push(&line, tags, out)?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn push(line: &Line<'_>, reads: Tags, out: &mut Sentence) -> Result<()> {
    let (text, tags) = match (line.text.split_once('\t'), reads) {
        (Some(columns), _) => columns,
        (None, Tags::LeftOut) => (line.text, ""),
        (None, Tags::Read) => {
            return Err(line.error(line.text.len(), "expected 2 columns, found 1"));
        }
    };
    let second = text.len() + 1;
    if let Some(at) = tags.find('\t') {
        let found = line.text.split('\t').count();
        return Err(line.error(second + at, format!("expected 2 columns, found {found}")));
    }
    let (expected, found) = (text.split(JOINT).count(), tags.split(JOINT).count());
    if reads == Tags::Read && expected != found {
        return Err(line.error(second, format!("{found} tags for {expected} tokens")));
    }
    let mut columns = Columns::new(line);
    for (at, token) in pieces(text, 0) {
        if token.is_empty() {
            return Err(line.error(at, "the token is empty"));
        }
        out.push_token(token, Some(columns.at(at)));
    }
    if reads == Tags::LeftOut {
        return Ok(());
    }
    for (at, tag) in pieces(tags, second) {
        if tag.is_empty() {
            return Err(line.error(at, "the tag is empty"));
        }
        out.push_gold(tag, Some(columns.at(at)));
    }
    Ok(())
}

/// The joined pieces, with the byte where each begins.
fn pieces(text: &str, mut at: usize) -> impl Iterator<Item = (usize, &str)> {
    text.split(JOINT).map(move |piece| {
        let start = at;
        at += piece.len() + JOINT.len_utf8();
        (start, piece)
    })
}

reader! {
    impl<R: BufRead> WaybillReader<R> {
        fn path(&self) -> &Path {
            self.lines.path()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Sentence>> {
        WaybillReader::new(text.as_bytes(), "f").collect()
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn records_know_where_their_parts_stand() {
        let all = read("\u{feff}text_a\tlabel\r\n川\u{2} \tA-B\u{2}A-I\r\n\nx\tO").unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].tokens().get(1), Some(" "));
        assert_eq!(all[0].tokens().position(1), Some(Position { line: 2, column: 3 }));
        assert_eq!(all[0].gold().position(0), Some(Position { line: 2, column: 5 }));
        assert_eq!(all[0].gold().position(1), Some(Position { line: 2, column: 9 }));
        assert_eq!(all[1].position(), Some(Position { line: 4, column: 1 }));
    }

    #[test]
    fn tokens_can_be_read_alone() {
        let tokens = |text: &str| -> Result<Vec<usize>> {
            let reader = WaybillReader::new(text.as_bytes(), "f").tokens_only();
            let count = |s: Sentence| {
                assert!(s.gold().is_empty());
                s.tokens().len()
            };
            reader.map(|s| s.map(count)).collect()
        };
        let records = "川\u{2}蜀\n川\tO\n\n川\u{2}蜀\u{2}x\tO\n";
        assert_eq!(tokens(&format!("text_a\n{records}")).unwrap(), [2, 1, 3]);
        assert_eq!(tokens(&format!("text_a\tlabel\n{records}")).unwrap(), [2, 1, 3]);
        let message = |text: &str| tokens(text).unwrap_err().to_string();
        assert_eq!(message("川\n"), "f:1:1: expected the header \"text_a\"");
        assert_eq!(message("text_a\n川\u{2}\n"), "f:2:3: the token is empty");
    }

    #[test]
    fn a_header_must_come_first() {
        assert_eq!(message("川\tO\n"), "f:1:1: expected the header \"text_a\\tlabel\"");
        assert_eq!(message(""), "f:1:1: expected the header \"text_a\\tlabel\"");
        assert!(read("text_a\tlabel\n").unwrap().is_empty());
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        let after = |record: &str| message(&format!("text_a\tlabel\n{record}\n"));
        assert_eq!(after("川\u{2}蜀\tO"), "f:2:5: 1 tags for 2 tokens");
        assert_eq!(after("川"), "f:2:2: expected 2 columns, found 1");
        assert_eq!(after("川\tO\tO"), "f:2:4: expected 2 columns, found 3");
        assert_eq!(after("川\u{2}\tO\u{2}O"), "f:2:3: the token is empty");
        assert_eq!(after("川\u{2}蜀\tO\u{2}"), "f:2:7: the tag is empty");
        assert_eq!(after("\t"), "f:2:1: the token is empty");
    }
}
