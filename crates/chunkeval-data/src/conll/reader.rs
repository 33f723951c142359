//! The reader of CoNLL columns.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use super::Conll;
use super::splitter::Splitter;
use crate::Sentence;
use crate::lines::Lines;
use crate::read::reader;

/// Reads [`Conll`] columns, one sentence at a time.
#[derive(Debug)]
pub struct ConllReader<R> {
    lines: Lines<R>,
    splitter: Splitter,
    done: bool,
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
        let splitter = Splitter::new(layout);
        Ok(Self { lines: Lines::new(source, path), splitter, done: false })
    }

    /// Reads tokens alone: there may be columns of tags or not, and the sentences have none.
    ///
    /// ```
    /// use chunkeval_data::{Conll, ConllReader};
    ///
    /// let reader = ConllReader::new("Ada\nsleeps\n".as_bytes(), "f", &Conll::default())?;
    /// let sentence = reader.tokens_only().next().unwrap()?;
    /// assert_eq!((sentence.tokens().len(), sentence.gold().len()), (2, 0));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn tokens_only(mut self) -> Self {
        self.splitter.tokens_only();
        self
    }

    fn read(&mut self, out: &mut Sentence) -> Result<bool> {
        let Self { lines, splitter, .. } = self;
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

reader! {
    impl<R: BufRead> ConllReader<R> {
        fn path(&self) -> &Path {
            self.lines.path()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, Comments, Delimiter, DocStart};
    use super::*;
    use crate::ReadSentences;

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
    fn tokens_can_be_read_alone() {
        let tokens = |text: &str, layout: &Conll| -> Result<Vec<String>> {
            let reader = ConllReader::new(text.as_bytes(), "f", layout)?.tokens_only();
            let joined = |s: Sentence| {
                assert!(s.gold().is_empty() && s.predicted().is_none());
                s.tokens().iter().collect::<Vec<_>>().join("|")
            };
            reader.map(|s| s.map(joined)).collect()
        };
        for layout in [Conll::default(), Conll::two_columns(), Conll::conlleval()] {
            assert_eq!(tokens("省\n市\n\nx\n", &layout).unwrap(), ["省|市", "x"]);
        }
        assert_eq!(tokens("省\tB-X\n市\t\n", &Conll::predictions()).unwrap(), ["省|市"]);
        let message = |text: &str, layout: &Conll| tokens(text, layout).unwrap_err().to_string();
        assert_eq!(message("1\n", &Conll::iob2()), "f:1:2: expected at least 2 columns, found 1");
        assert_eq!(
            message("a\nb\tO\n", &Conll::default()),
            "f:2:3: expected 1 column as in line 1, found 2"
        );
        assert_eq!(message("\tO\n", &Conll::two_columns()), "f:1:1: the token is empty");
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
