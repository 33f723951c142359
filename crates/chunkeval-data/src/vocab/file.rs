//! Vocabularies as text files.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, Result};

use super::{Vocab, refused};
use crate::lines::Lines;

impl Vocab {
    /// Loads a file with one text a line, in order of the ids.
    ///
    /// Which texts are special is not in the file: say it with
    /// [`with_padding`](Self::with_padding) and [`with_unknown`](Self::with_unknown).
    ///
    /// # Errors
    /// With file and line if a text is empty or occurs twice, or if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::read_lines(open(path)?, path)
    }

    /// Loads a file of `id<TAB>text` lines, in any order. Ids may be left out.
    ///
    /// # Errors
    /// With file and line if a line has no tab or no number before it, if an id or a text occurs
    /// twice, if an id is 2^24 or more, or if the file cannot be read.
    pub fn load_dictionary(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::read_dictionary(open(path)?, path)
    }

    /// As [`load`](Self::load) from any source; errors call it `path`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn read_lines(source: impl BufRead, path: impl Into<PathBuf>) -> Result<Self> {
        let mut vocab = Self::default();
        let mut lines = Lines::new(source, path);
        while let Some(line) = lines.next()? {
            let id = vocab.rows();
            vocab.insert(id, line.text).map_err(|reason| line.error(0, reason))?;
        }
        Ok(vocab)
    }

    /// As [`load_dictionary`](Self::load_dictionary) from any source; errors call it `path`.
    ///
    /// ```
    /// use chunkeval_data::Vocab;
    ///
    /// let tags = Vocab::read_dictionary("0\tP-B\n2\tO\n".as_bytes(), "tag.dic")?;
    /// assert_eq!((tags.rows(), tags.len(), tags.text(1), tags.id("O")), (3, 2, None, Some(2)));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load_dictionary`](Self::load_dictionary).
    pub fn read_dictionary(source: impl BufRead, path: impl Into<PathBuf>) -> Result<Self> {
        let mut vocab = Self::default();
        let mut lines = Lines::new(source, path);
        while let Some(line) = lines.next()? {
            let Some((id, text)) = line.text.split_once('\t') else {
                return Err(line.error(line.text.len(), "expected a number, a tab and a text"));
            };
            let Ok(number) = id.parse() else {
                return Err(line.error(0, format!("expected an id, found {id:?}")));
            };
            vocab.insert(number, text).map_err(|reason| line.error(0, reason))?;
        }
        Ok(vocab)
    }

    /// Saves one text a line, in order of the ids, in place of a file that is there.
    ///
    /// # Errors
    /// [`Config`](chunkeval_core::ErrorKind::Config) before anything is written if an id is left
    /// out or a text holds a line end or a NUL; [`Io`](chunkeval_core::ErrorKind::Io) if the file
    /// cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        if let Some(id) = self.texts.iter().position(Option::is_none) {
            return Err(refused(format!("id {id} has no text: save it as a dictionary")));
        }
        self.write(path.as_ref(), |out, _, text| writeln!(out, "{text}"))
    }

    /// Saves `id<TAB>text` lines, in order of the ids, in place of a file that is there.
    ///
    /// # Errors
    /// As [`save`](Self::save), but ids may be left out.
    pub fn save_dictionary(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write(path.as_ref(), |out, id, text| writeln!(out, "{id}\t{text}"))
    }

    fn write(
        &self,
        path: &Path,
        line: impl Fn(&mut BufWriter<File>, u32, &str) -> std::io::Result<()>,
    ) -> Result<()> {
        if let Some((id, text)) = self.iter().find(|(_, text)| text.contains(['\n', '\r', '\0'])) {
            return Err(refused(format!("{text:?}, id {id}, holds a line end or a NUL")));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        let all = || {
            let mut out = BufWriter::new(File::create(&new)?);
            if self.text(0).is_some_and(|text| text.starts_with('\u{feff}')) {
                // A reader takes one for a byte order mark; this one is for it.
                write!(out, "\u{feff}")?;
            }
            for (id, text) in self.iter() {
                line(&mut out, id, text)?;
            }
            out.flush()?;
            // The old file stays whole until the new one is.
            std::fs::rename(&new, path)
        };
        all().map_err(|e| Error::io(path, e))
    }
}

fn open(path: &Path) -> Result<BufReader<File>> {
    File::open(path).map(BufReader::new).map_err(|e| Error::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vocab.txt");
        let vocab = Vocab::new(["\u{feff}x", " ", "\t", "#", "川", "\u{b}"]).unwrap();
        vocab.save(&path).unwrap();
        assert_eq!(Vocab::load(&path).unwrap(), vocab);
        vocab.save_dictionary(&path).unwrap();
        assert_eq!(Vocab::load_dictionary(&path).unwrap(), vocab);
    }

    #[test]
    fn an_id_may_be_missing_in_a_dictionary_only() {
        let vocab = Vocab::read_dictionary("3\tb\r\n0\ta\n".as_bytes(), "f").unwrap();
        assert_eq!(vocab.iter().collect::<Vec<_>>(), [(0, "a"), (3, "b")]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vocab.txt");
        let error = vocab.save(&path).unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: id 1 has no text: save it as a dictionary");
        assert!(!path.exists());
        vocab.save_dictionary(&path).unwrap();
        assert_eq!(Vocab::load_dictionary(&path).unwrap(), vocab);
    }

    #[test]
    fn a_text_that_is_no_line_is_not_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vocab.txt");
        let error = Vocab::new(["a\nb"]).unwrap().save(&path).unwrap_err();
        assert_eq!(error.to_string(), "vocabulary: \"a\\nb\", id 0, holds a line end or a NUL");
        assert!(!path.exists());
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let lines = |text: &str| Vocab::read_lines(text.as_bytes(), "f").unwrap_err().to_string();
        assert_eq!(lines("a\nb\na\n"), "f:3:1: \"a\" occurs twice, as id 0 and as id 2");
        assert_eq!(lines("a\n\nb\n"), "f:2:1: the text of id 1 is empty");
        let dictionary =
            |text: &str| Vocab::read_dictionary(text.as_bytes(), "f").unwrap_err().to_string();
        assert_eq!(dictionary("0\ta\n0\tb\n"), "f:2:1: id 0 occurs twice");
        assert_eq!(dictionary("0\ta\n5\ta\n"), "f:2:1: \"a\" occurs twice, as id 0 and as id 5");
        assert_eq!(dictionary("0 a\n"), "f:1:4: expected a number, a tab and a text");
        assert_eq!(dictionary("-1\ta\n"), "f:1:1: expected an id, found \"-1\"");
        assert_eq!(dictionary("16777216\ta\n"), "f:1:1: id 16777216 is more than 16777215");
    }
}
