//! Text without labels: a sentence a line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use crate::Sentence;
use crate::lines::{Columns, Line, Lines, words};
use crate::read::reader;

/// What the tokens of a text are. White space is what it is in files of labels: spaces and tabs
/// stand between tokens, any other (U+3000, U+00A0) is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextTokens {
    /// What stands between spaces and tabs, as in parallel files.
    Words,
    /// Characters other than spaces and tabs, as in columns parted by white space.
    Characters,
    /// Characters other than tabs, as in waybill files and in columns parted by tabs: a space is a
    /// token there.
    CharactersAndSpaces,
}

/// Reads text, a sentence a line, without gold tags. Lines of nothing but spaces and tabs are left
/// out and counted.
///
/// The place of a token, [`Cells::position`](crate::Cells::position), is also where it is in
/// [`text`](Self::text): in its characters, from 1.
///
/// ```
/// use chunkeval_data::{ReadSentences, Sentence, TextReader, TextTokens};
///
/// let text = "\nAda  sleeps\n";
/// let mut reader = TextReader::new(text.as_bytes(), "stdin", TextTokens::Words);
/// let mut sentence = Sentence::new();
/// assert!(reader.read_into(&mut sentence)?);
/// assert_eq!(sentence.tokens().iter().collect::<Vec<_>>(), ["Ada", "sleeps"]);
/// assert_eq!((sentence.gold().len(), reader.text()), (0, "Ada  sleeps"));
/// let place = sentence.tokens().position(1).map(|at| (at.line, at.column));
/// assert_eq!((place, reader.blank_lines()), (Some((2, 6)), 1));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TextReader<R> {
    lines: Lines<R>,
    tokens: TextTokens,
    blank: u64,
    done: bool,
}

impl TextReader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`Io`](chunkeval_core::ErrorKind::Io) if it cannot be opened.
    pub fn open(path: impl AsRef<Path>, tokens: TextTokens) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Ok(Self::new(BufReader::new(file), path, tokens))
    }
}

impl<R: BufRead> TextReader<R> {
    /// Reads from `source`; errors call it `path`.
    pub fn new(source: R, path: impl Into<PathBuf>, tokens: TextTokens) -> Self {
        Self { lines: Lines::new(source, path), tokens, blank: 0, done: false }
    }

    /// The line of the sentence that was read last.
    #[must_use]
    pub fn text(&self) -> &str {
        self.lines.line().text
    }

    /// How many blank lines there were so far.
    #[must_use]
    pub fn blank_lines(&self) -> u64 {
        self.blank
    }

    fn read(&mut self, out: &mut Sentence) -> Result<bool> {
        while let Some(line) = self.lines.next()? {
            if !line.is_blank() {
                push(&line, self.tokens, out);
                return Ok(true);
            }
            self.blank += 1;
        }
        Ok(false)
    }
}

fn push(line: &Line<'_>, tokens: TextTokens, out: &mut Sentence) {
    let mut columns = Columns::new(line);
    let mut push = |at: usize, token: &str| out.push_token(token, Some(columns.at(at)));
    let left_out: &[char] = match tokens {
        TextTokens::Words => return words(line.text).for_each(|(at, word)| push(at, word)),
        TextTokens::Characters => &[' ', '\t'],
        TextTokens::CharactersAndSpaces => &['\t'],
    };
    let characters = line.text.char_indices();
    for (at, character) in characters.filter(|(_, character)| !left_out.contains(character)) {
        push(at, character.encode_utf8(&mut [0; 4]));
    }
}

reader! {
    impl<R: BufRead> TextReader<R> {
        fn path(&self) -> &Path {
            self.lines.path()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `number: token@column|token@column`, and how many were blank.
    fn read(text: impl AsRef<[u8]>, tokens: TextTokens) -> Result<(Vec<String>, u64)> {
        let mut reader = TextReader::new(text.as_ref(), "f", tokens);
        let mut all = Vec::new();
        for sentence in reader.by_ref() {
            let sentence = sentence?;
            assert_eq!(sentence.gold().len(), 0);
            let cells = sentence.tokens();
            let at = |i| cells.position(i).unwrap();
            let shown =
                cells.iter().enumerate().map(|(i, token)| format!("{token}@{}", at(i).column));
            all.push(format!("{}: {}", at(0).line, shown.collect::<Vec<_>>().join("|")));
        }
        Ok((all, reader.blank_lines()))
    }

    #[test]
    fn white_space_is_what_it_is_in_files_of_labels() {
        let text = " 京\t é\u{3000}a\u{a0}b";
        let (words, _) = read(text, TextTokens::Words).unwrap();
        assert_eq!(words, ["1: 京@2|é\u{3000}a\u{a0}b@5"]);
        let (characters, _) = read(text, TextTokens::Characters).unwrap();
        assert_eq!(characters, ["1: 京@2|é@5|\u{3000}@6|a@7|\u{a0}@8|b@9"]);
        let (all, _) = read(text, TextTokens::CharactersAndSpaces).unwrap();
        assert_eq!(all, ["1:  @1|京@2| @4|é@5|\u{3000}@6|a@7|\u{a0}@8|b@9"]);
    }

    #[test]
    fn blank_lines_are_counted_and_keep_their_numbers() {
        for tokens in [TextTokens::Words, TextTokens::Characters, TextTokens::CharactersAndSpaces] {
            let text = "\u{feff}\r\na\r\n \t\n\n\u{3000}\n";
            let (lines, blank) = read(text, tokens).unwrap();
            assert_eq!((lines, blank), (vec!["2: a@1".to_owned(), "5: \u{3000}@1".to_owned()], 3));
            for (nothing, blank) in [("", 0), ("\n\n", 2)] {
                assert_eq!(read(nothing, tokens).unwrap(), (vec![], blank));
            }
        }
    }

    #[test]
    fn what_is_no_text_is_named_with_its_place() {
        let message = |bytes: &[u8]| read(bytes, TextTokens::Words).unwrap_err().to_string();
        assert_eq!(message(b"a\n\nb\0c\n"), "f:3:2: a NUL byte inside the line");
        assert_eq!(message(b"a b\xFF"), "f:1:4: invalid UTF-8");
    }
}
