//! Predictions beside gold, as CoNLL columns.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, ErrorKind, Result};

use crate::lines::parse_error;
use crate::{Position, Sentence};

/// Writes token TAB gold TAB predicted, with a blank line after each sentence; token TAB predicted
/// for sentences without gold tags.
///
/// [`Conll::predictions`](crate::Conll::predictions) reads the same sentences back, and
/// [`Conll::two_columns`](crate::Conll::two_columns) those without gold tags; to make sure,
/// what would not come back is refused: an empty text, one with a tab, a line end or a NUL, a tag
/// of spaces only, a sentence without tokens, sentences with gold tags after some without.
///
/// Call [`finish`](Self::finish): what is still buffered when the writer is dropped is written
/// without anyone hearing of an error.
///
/// ```
/// use chunkeval_data::{PredictionWriter, Sentence};
///
/// let mut sentence = Sentence::new();
/// sentence.push("Ada", "B-PER");
/// sentence.set_predicted(["O"])?;
/// let mut writer = PredictionWriter::new(Vec::new(), "out.tsv");
/// writer.write(&sentence)?;
/// assert_eq!(writer.finish()?, b"Ada\tB-PER\tO\n\n");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct PredictionWriter<W: Write> {
    target: W,
    path: PathBuf,
    /// The line that comes next, from 1.
    line: u64,
    /// The columns of the sentences so far.
    columns: Option<Columns>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Columns {
    TokenAndPredicted,
    TokenGoldAndPredicted,
}

impl PredictionWriter<BufWriter<File>> {
    /// Makes a file, in place of one that is there.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if it cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::create(path).map_err(|e| Error::io(path, e))?;
        Ok(Self::new(BufWriter::new(file), path))
    }
}

impl<W: Write> PredictionWriter<W> {
    /// Writes to `target`; errors call it `path`.
    pub fn new(target: W, path: impl Into<PathBuf>) -> Self {
        Self { target, path: path.into(), line: 1, columns: None }
    }

    /// Writes one sentence.
    ///
    /// # Errors
    /// [`ErrorKind::Length`] if the sentence has no tokens or no predicted tags, or no gold tags
    /// where others had some, or the other way round;
    /// [`ErrorKind::Parse`] for a text that would not be read back, at the place it would have had
    /// in the file; nothing is written then. [`ErrorKind::Io`] if the target fails.
    pub fn write(&mut self, sentence: &Sentence) -> Result<()> {
        let expected = sentence.len().max(1);
        let length = |what, found| ErrorKind::Length { what, row: None, expected, found };
        if sentence.is_empty() {
            return Err(length("tokens of a sentence", 0).into());
        }
        let Some(predicted) = sentence.predicted() else {
            return Err(length("predicted tags", 0).into());
        };
        let gold = sentence.gold();
        let columns = match gold.is_empty() {
            true => Columns::TokenAndPredicted,
            false => Columns::TokenGoldAndPredicted,
        };
        if self.columns.is_some_and(|before| before != columns) {
            let (what, found) = ("gold tags (as in the sentence before)", gold.len());
            let expected = sentence.len() - found;
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let rows = || {
            let tags = (0..sentence.len()).map(|i| (gold.get(i), predicted.get(i)));
            let tags = tags.map(|(gold, predicted)| (gold, predicted.unwrap_or_default()));
            sentence.tokens().iter().zip(tags)
        };
        for (i, (token, (gold, predicted))) in rows().enumerate() {
            let row =
                [("token", Some(token)), ("gold tag", gold), ("predicted tag", Some(predicted))];
            self.check(self.line + i as u64, row)?;
        }
        self.put(rows()).map_err(|e| Error::io(&self.path, e))?;
        self.columns = Some(columns);
        self.line += sentence.len() as u64 + 1;
        Ok(())
    }

    /// Writes what is buffered and gives the target back.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the target fails.
    pub fn finish(mut self) -> Result<W> {
        self.target.flush().map_err(|e| Error::io(&self.path, e))?;
        Ok(self.target)
    }

    fn put<'a>(
        &mut self,
        rows: impl Iterator<Item = (&'a str, (Option<&'a str>, &'a str))>,
    ) -> std::io::Result<()> {
        for (i, (token, (gold, predicted))) in rows.enumerate() {
            if self.line == 1 && i == 0 && token.starts_with('\u{feff}') {
                // A reader takes one for a byte order mark; this one is for it.
                write!(self.target, "\u{feff}")?;
            }
            match gold {
                Some(gold) => writeln!(self.target, "{token}\t{gold}\t{predicted}")?,
                None => writeln!(self.target, "{token}\t{predicted}")?,
            }
        }
        writeln!(self.target)
    }

    fn check(&self, line: u64, row: [(&str, Option<&str>); 3]) -> Result<()> {
        let mut column = 1;
        for (what, text) in row {
            let Some(text) = text else { continue };
            let fault = match text.find(['\t', '\n', '\r', '\0']) {
                Some(_) => Some("it holds a tab, a line end or a NUL"),
                None if text.is_empty() => Some("it is empty"),
                None if what != "token" && text.bytes().all(|b| b == b' ') => {
                    Some("it holds nothing but spaces")
                }
                None => None,
            };
            if let Some(fault) = fault {
                let reason = format!("the {what} {text:?} cannot be written: {fault}");
                return Err(parse_error(&self.path, Position { line, column }, reason));
            }
            column += text.chars().count() as u64 + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conll, ConllReader};

    fn sentence(token: &str, gold: &str, predicted: &str) -> Sentence {
        let mut sentence = Sentence::new();
        sentence.push("first", "O");
        sentence.push(token, gold);
        sentence.set_predicted(["O", predicted]).unwrap();
        sentence
    }

    fn message(sentence: &Sentence) -> String {
        let mut writer = PredictionWriter::new(Vec::new(), "f");
        let message = writer.write(sentence).unwrap_err().to_string();
        assert!(writer.finish().unwrap().is_empty(), "nothing may be written");
        message
    }

    #[test]
    fn what_would_not_come_back_is_refused_by_name() {
        let ends = "it holds a tab, a line end or a NUL";
        assert_eq!(
            message(&sentence("a\tb", "O", "O")),
            format!("f:2:1: the token \"a\\tb\" cannot be written: {ends}")
        );
        assert_eq!(
            message(&sentence("省", "O\r", "O")),
            format!("f:2:3: the gold tag \"O\\r\" cannot be written: {ends}")
        );
        assert_eq!(
            message(&sentence("a", "O", "")),
            "f:2:5: the predicted tag \"\" cannot be written: it is empty"
        );
        assert_eq!(
            message(&sentence("a", " ", "O")),
            "f:2:3: the gold tag \" \" cannot be written: it holds nothing but spaces"
        );
        assert_eq!(message(&Sentence::new()), "tokens of a sentence: expected 1, found 0");
        let mut bare = Sentence::new();
        bare.push("a", "O");
        assert_eq!(message(&bare), "predicted tags: expected 1, found 0");
    }

    #[test]
    fn odd_texts_come_back() {
        let mut writer = PredictionWriter::new(Vec::new(), "f");
        let mut marked = Sentence::new();
        marked.push("\u{feff}x", "B X");
        marked.set_predicted(["#"]).unwrap();
        let all = [
            marked,
            sentence(" ", "O", "O"),
            sentence("#", "-", "-DOCSTART-"),
            sentence("-DOCSTART-", "O", "\u{3000}"),
        ];
        for sentence in &all {
            writer.write(sentence).unwrap();
        }
        let bytes = writer.finish().unwrap();
        let reader = ConllReader::new(bytes.as_slice(), "f", &Conll::predictions()).unwrap();
        assert_eq!(reader.collect::<Result<Vec<_>>>().unwrap(), all);
    }

    #[test]
    fn sentences_without_gold_tags_have_two_columns() {
        let text = "\u{feff}\u{feff}Ada sleeps\n".as_bytes();
        let words = crate::TextReader::new(text, "f", crate::TextTokens::Words).next();
        let mut bare = words.unwrap().unwrap();
        bare.set_predicted(["B-PER", "O"]).unwrap();
        let mut writer = PredictionWriter::new(Vec::new(), "f");
        writer.write(&bare).unwrap();
        let error = writer.write(&sentence("a", "O", "O")).unwrap_err().to_string();
        assert_eq!(error, "gold tags (as in the sentence before): expected 0, found 2");
        let bytes = writer.finish().unwrap();
        let layout = Conll::two_columns();
        let back =
            ConllReader::new(bytes.as_slice(), "f", &layout).unwrap().next().unwrap().unwrap();
        assert!(back.tokens().iter().eq(["\u{feff}Ada", "sleeps"]));
        assert!(back.gold().iter().eq(["B-PER", "O"]));

        let mut writer = PredictionWriter::new(Vec::new(), "f");
        writer.write(&sentence("a", "O", "O")).unwrap();
        let error = writer.write(&bare).unwrap_err().to_string();
        assert_eq!(error, "gold tags (as in the sentence before): expected 2, found 0");
    }

    #[test]
    fn a_target_that_fails_is_an_error() {
        let mut none = [0_u8; 4];
        let mut writer = PredictionWriter::new(none.as_mut_slice(), "f");
        let error = writer.write(&sentence("a", "O", "O")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io { .. }));
    }
}
