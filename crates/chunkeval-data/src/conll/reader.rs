//! The reader of CoNLL columns.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use super::{Column, Comments, Conll, Delimiter, DocStart, LOSES_TOKENS};
use crate::lines::{Line, Lines};
use crate::read::{ReadSentences, guarded, next};
use crate::{Sentence, lines};

/// Reads [`Conll`] columns, one sentence at a time.
#[derive(Debug)]
pub struct ConllReader<R> {
    lines: Lines<R>,
    splitter: Splitter,
    done: bool,
}

/// Takes the columns out of token lines.
#[derive(Debug)]
struct Splitter {
    layout: Conll,
    /// Number of columns, and the line that set it.
    columns: Option<(usize, u64)>,
    /// Byte ranges of the columns of the current line; kept for its memory.
    ranges: Vec<(usize, usize)>,
}

impl ConllReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Io`](chunkeval_core::ErrorKind::Io) if it cannot be opened, and as [`new`](Self::new).
    pub fn open(path: impl AsRef<Path>, layout: &Conll) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Self::new(BufReader::new(file), path, layout)
    }
}

impl<R: BufRead> ConllReader<R> {
    /// Reads from `source`; errors call it `path`.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) if the layout names a column twice or
    /// column 0, or would take tokens for comments.
    pub fn new(source: R, path: impl Into<PathBuf>, layout: &Conll) -> Result<Self> {
        layout.check()?;
        let splitter = Splitter { layout: layout.clone(), columns: None, ranges: Vec::new() };
        Ok(Self { lines: Lines::new(source, path), splitter, done: false })
    }

    fn read(lines: &mut Lines<R>, splitter: &mut Splitter, out: &mut Sentence) -> Result<bool> {
        while let Some(line) = lines.next()? {
            if line.is_blank() || splitter.is_boundary(&line) {
                if !out.is_empty() {
                    return Ok(true);
                }
            } else if !splitter.is_left_out(&line, out.is_empty()) {
                splitter.push(&line, out)?;
            }
        }
        Ok(!out.is_empty())
    }
}

impl<R: BufRead> ReadSentences for ConllReader<R> {
    fn read_into(&mut self, sentence: &mut Sentence) -> Result<bool> {
        let Self { lines, splitter, done } = self;
        guarded(done, sentence, |out| Self::read(lines, splitter, out))
    }

    fn path(&self) -> &Path {
        self.lines.path()
    }
}

impl<R: BufRead> Iterator for ConllReader<R> {
    type Item = Result<Sentence>;

    fn next(&mut self) -> Option<Self::Item> {
        next(self)
    }
}

impl Splitter {
    fn is_boundary(&self, line: &Line<'_>) -> bool {
        self.layout.docstart == DocStart::Boundary && self.is_docstart(line)
    }

    /// Whether the line is neither a token nor a boundary.
    fn is_left_out(&self, line: &Line<'_>, before_sentence: bool) -> bool {
        let comment = match self.layout.comments {
            Comments::None => false,
            Comments::Hash => line.text.starts_with('#'),
            Comments::Between => {
                let hash = line.text == "#" || line.text.starts_with("# ");
                before_sentence && hash && !self.is_tabbed(line)
            }
        };
        comment || self.layout.docstart == DocStart::Skip && self.is_docstart(line)
    }

    /// Whether the line has columns parted by tabs, as token lines of such a layout do.
    fn is_tabbed(&self, line: &Line<'_>) -> bool {
        self.layout.delimiter == Delimiter::Tab && line.text.contains('\t')
    }

    /// Also where the line is otherwise delimited, or has fewer columns, than token lines.
    fn is_docstart(&self, line: &Line<'_>) -> bool {
        let first = if self.is_tabbed(line) {
            line.text.split('\t').next()
        } else {
            lines::words(line.text).next().map(|(_, word)| word)
        };
        first == Some("-DOCSTART-")
    }

    fn push(&mut self, line: &Line<'_>, out: &mut Sentence) -> Result<()> {
        self.split(line.text);
        self.check_count(line)?;
        let token = self.cell(line, self.layout.token, "token")?;
        let gold = self.cell(line, self.layout.gold, "tag")?;
        let predicted = match self.layout.predicted {
            Some(column) => Some(self.cell(line, column, "predicted tag")?),
            None => None,
        };
        out.push_token(token.1, Some(line.position(token.0)));
        out.push_gold(gold.1, Some(line.position(gold.0)));
        if let Some((at, tag)) = predicted {
            out.push_predicted(tag, Some(line.position(at)));
        }
        Ok(())
    }

    fn split(&mut self, text: &str) {
        self.ranges.clear();
        let (text, delimiter) = match self.layout.delimiter {
            Delimiter::Whitespace => {
                self.ranges.extend(lines::words(text).map(|(at, word)| (at, at + word.len())));
                return;
            }
            Delimiter::Tab => (text, '\t'),
            Delimiter::Space => (text.trim_end_matches(' '), ' '),
        };
        let mut at = 0;
        for column in text.split(delimiter) {
            self.ranges.push((at, at + column.len()));
            at += column.len() + 1;
        }
    }

    fn check_count(&mut self, line: &Line<'_>) -> Result<()> {
        let found = self.ranges.len();
        let (expected, as_in) = match self.columns {
            Some((columns, _)) if columns == found => return Ok(()),
            Some((columns, first)) => {
                (columns, format!("expected {columns} columns as in line {first}"))
            }
            None => {
                let fewest = self.layout.fewest();
                if found >= fewest {
                    self.columns = Some((found, line.number));
                    return self.check_comments(line);
                }
                (fewest, format!("expected at least {fewest} columns"))
            }
        };
        let at = self.ranges.get(expected).map_or(line.text.len(), |range| range.0);
        Err(line.error(at, format!("{as_in}, found {found}")))
    }

    /// Counted from the right, the token may turn out to be the first column after all.
    fn check_comments(&self, line: &Line<'_>) -> Result<()> {
        let first = self.layout.token.index(self.ranges.len()) == Some(0);
        if first && self.layout.comments == Comments::Hash {
            return Err(line.error(0, format!("the token is the first column: {LOSES_TOKENS}")));
        }
        Ok(())
    }

    fn cell<'a>(&self, line: &Line<'a>, column: Column, what: &str) -> Result<(usize, &'a str)> {
        let range = column.index(self.ranges.len()).and_then(|i| self.ranges.get(i));
        let (start, end) = range.copied().unwrap_or_default();
        match line.text.get(start..end) {
            Some(text) if !text.is_empty() => Ok((start, text)),
            _ => Err(line.error(start, format!("the {what} is empty"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rows = Vec<Vec<(String, String)>>;

    fn read(text: impl AsRef<[u8]>, layout: &Conll) -> Result<Rows> {
        let reader = ConllReader::new(text.as_ref(), "f", layout)?;
        let pairs = |s: Sentence| {
            s.tokens().iter().zip(s.gold().iter()).map(|(t, g)| (t.into(), g.into())).collect()
        };
        reader.map(|s| s.map(pairs)).collect()
    }

    fn message(text: impl AsRef<[u8]>, layout: &Conll) -> String {
        read(text, layout).unwrap_err().to_string()
    }

    /// Sentences as `token/tag token/tag`.
    fn show(text: impl AsRef<[u8]>, layout: &Conll) -> Vec<String> {
        let show = |s: Vec<(String, String)>| {
            s.iter().map(|(t, g)| format!("{t}/{g}")).collect::<Vec<_>>().join(" ")
        };
        read(text, layout).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn tabs_tell_tokens_from_comments_and_document_starts() {
        let layout = Conll { comments: Comments::Between, ..Conll::two_columns() };
        let docstart = DocStart::Boundary;
        let layout = Conll { delimiter: Delimiter::Tab, docstart, ..layout };
        assert_eq!(show("# a comment\n# id\tB-X\n", &layout), ["# id/B-X"]);
        assert_eq!(show("-DOCSTART- x\tB-X\na\tO\n", &layout), ["-DOCSTART- x/B-X a/O"]);
        for start in ["-DOCSTART-", "-DOCSTART- -X- O O", "-DOCSTART-\tO"] {
            assert_eq!(show(format!("a\tO\n{start}\nb\tO\n"), &layout), ["a/O", "b/O"]);
        }
    }

    #[test]
    fn blank_lines_of_any_kind_and_number_part_sentences() {
        let layout = Conll::two_columns();
        for blank in ["\n", "\t\n", "  \t \n", "\r\n", "\n\n\t\r\n\n"] {
            assert_eq!(show(format!("a\tO\n{blank}b\tB-X\n"), &layout), ["a/O", "b/B-X"]);
            assert_eq!(show(format!("{blank}a\tO\n{blank}"), &layout), ["a/O"]);
        }
        for empty in ["", "\n", "\t", "\u{feff}", "\u{feff}\r\n"] {
            assert!(show(empty, &layout).is_empty());
        }
    }

    #[test]
    fn line_ends_and_byte_order_marks_are_no_text() {
        let text = "\u{feff}a\tO\r\nb\tB-X\r\n\r\nc\tO";
        assert_eq!(show(text, &Conll::two_columns()), ["a/O b/B-X", "c/O"]);
        assert_eq!(show("a O\r\nb B-X", &Conll::default()), ["a/O b/B-X"]);
    }

    #[test]
    fn delimiters_keep_their_own_rules() {
        let spaces = Conll { delimiter: Delimiter::Space, ..Conll::default() };
        assert_eq!(show("a  NN \t B-X\n", &Conll::default()), ["a/B-X"]);
        assert_eq!(show("a b\tO\n \tB-X\n", &Conll::two_columns()), ["a b/O  /B-X"]);
        assert_eq!(show("a NN B-X  \n", &spaces), ["a/B-X"]);
        assert_eq!(
            message("a NN B-X\na B-X\n", &spaces),
            "f:2:6: expected 3 columns as in line 1, found 2"
        );
        assert_eq!(message(" O\n", &spaces), "f:1:1: the token is empty");
        // U+3000 and U+00A0 are tokens of real corpora.
        assert_eq!(show("\u{3000} O\n\u{a0} O\n", &Conll::default()), ["\u{3000}/O \u{a0}/O"]);
    }

    #[test]
    fn columns_count_from_either_end() {
        let sentence = |text: &str, layout: &Conll| {
            ConllReader::new(text.as_bytes(), "f", layout).unwrap().next().unwrap().unwrap()
        };
        let s = sentence("Rockwell NNP B-NP I-NP\n", &Conll::conlleval());
        assert_eq!(s.gold().get(0), Some("B-NP"));
        assert_eq!(s.predicted().unwrap().get(0), Some("I-NP"));
        let s = sentence("省\tO\tB-X\n", &Conll::predictions());
        assert_eq!(
            s.predicted().unwrap().position(0),
            Some(crate::Position { line: 1, column: 5 })
        );
        assert_eq!(
            message("a\n", &Conll::default()),
            "f:1:2: expected at least 2 columns, found 1"
        );
    }

    #[test]
    fn another_number_of_columns_is_named_with_its_place() {
        let layout = Conll::two_columns();
        assert_eq!(
            message("a\tO\n\n省\n", &layout),
            "f:3:2: expected 2 columns as in line 1, found 1"
        );
        assert_eq!(
            message("a\tO\nbc\tO\tO\n", &layout),
            "f:2:6: expected 2 columns as in line 1, found 3"
        );
        assert_eq!(
            message("a\tO\nb O\n", &layout),
            "f:2:4: expected 2 columns as in line 1, found 1"
        );
    }

    #[test]
    fn empty_cells_are_named_with_their_place() {
        let layout = Conll::predictions();
        assert_eq!(message("\tO\tO\n", &layout), "f:1:1: the token is empty");
        assert_eq!(message("a\tO\tO\nb\t\tO\n", &layout), "f:2:3: the tag is empty");
        assert_eq!(message("a\tO\t\r\n", &layout), "f:1:5: the predicted tag is empty");
        // Columns nobody asked for may be empty.
        assert_eq!(show("a\tO\t\n", &Conll::two_columns()), ["a/O"]);
    }

    #[test]
    fn comments_lose_no_word() {
        let text = "# text = # ok\n#\n1\t#\tO\t-\n#\n2\t#tag\tB-X\t-\n";
        assert_eq!(show(text, &Conll::iob2()), ["#/O #tag/B-X"]);
        assert_eq!(show("#\tO\n#tag\tB-X\n", &Conll::two_columns()), ["#/O #tag/B-X"]);
        assert_eq!(show("# O\n", &Conll::default()), ["#/O"]);

        let between = Conll { comments: Comments::Between, ..Conll::default() };
        let text = "# id 1 domain=en\n#\n#tag _ B-X\n# _ O\n\n# id 2\nb _ O\n";
        assert_eq!(show(text, &between), ["#tag/B-X #/O", "b/O"]);
        let between = Conll { comments: Comments::Between, ..Conll::two_columns() };
        assert_eq!(show("# id 1\n#\tO\n", &between), ["#/O"]);
    }

    #[test]
    fn comments_that_would_lose_tokens_are_refused() {
        let layout =
            Conll { token: Column::FromRight(2), comments: Comments::Hash, ..Conll::default() };
        assert_eq!(show("1 a O\n# b O\n", &layout), ["a/O"]);
        let reason = "the token is the first column: hash would lose tokens that begin with #";
        assert_eq!(message("a O\n# O\n", &layout), format!("f:1:1: {reason}; use between"));
    }

    #[test]
    fn docstart_is_what_the_layout_says() {
        let text = "-DOCSTART- -X- O\n\na NN O\n-DOCSTART- -X- O\nb NN O\n-DOCSTART-X NN O\n";
        let layout = |docstart| Conll { docstart, ..Conll::default() };
        assert_eq!(show(text, &layout(DocStart::Boundary)), ["a/O", "b/O -DOCSTART-X/O"]);
        assert_eq!(show(text, &layout(DocStart::Skip)), ["a/O b/O -DOCSTART-X/O"]);
        let kept = show(text, &layout(DocStart::Keep));
        assert_eq!(kept, ["-DOCSTART-/O", "a/O -DOCSTART-/O b/O -DOCSTART-X/O"]);
        // Many files have it alone on its line.
        assert_eq!(show("-DOCSTART-\n\na NN O\n", &Conll::default()), ["a/O"]);
    }

    #[test]
    fn nothing_comes_after_an_error() {
        let mut reader =
            ConllReader::new(&b"a\tO\nb\n\nc\tO\n"[..], "f", &Conll::two_columns()).unwrap();
        let mut sentence = Sentence::new();
        sentence.push("old", "O");
        assert!(reader.read_into(&mut sentence).is_err());
        assert!(sentence.is_empty());
        assert!(!reader.read_into(&mut sentence).unwrap());
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = ConllReader::open(&missing, &Conll::default()).unwrap_err();
        assert_eq!(error.place(), Some(chunkeval_core::Place::File(&missing)));
    }
}
