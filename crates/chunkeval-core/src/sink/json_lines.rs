//! A sink that writes one JSON object a line.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::{Error, Result, Sink};

/// A [`Sink`] that writes one JSON object a line to a file or any writer.
///
/// Scalars are `{"tag": …, "step": …, "value": …}`, texts `{"tag": …, "step": …, "text": …}`.
/// JSON has no NaN and no infinities, so those three are written as the strings `"NaN"`,
/// `"Infinity"` and `"-Infinity"`; every finite value reads back as the same `f64`.
///
/// ```
/// use chunkeval_core::{JsonLines, Sink};
///
/// let mut sink = JsonLines::new(Vec::new());
/// sink.scalar("dev/f1", 100, 0.1)?;
/// sink.scalar("dev/loss", 100, f64::NAN)?;
/// assert_eq!(
///     String::from_utf8(sink.into_inner()?).unwrap(),
///     "{\"tag\":\"dev/f1\",\"step\":100,\"value\":0.1}\n{\"tag\":\"dev/loss\",\"step\":100,\"value\":\"NaN\"}\n",
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonLines<W: Write> {
    writer: W,
    /// One line, kept to be filled again.
    line: Vec<u8>,
    path: PathBuf,
    /// Whether the line before may have been cut, so that the next one needs a line end first.
    torn: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    tag: &'a str,
    step: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Named(&'static str),
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        if value.is_finite() {
            Self::Finite(value)
        } else if value.is_nan() {
            Self::Named("NaN")
        } else if value > 0.0 {
            Self::Named("Infinity")
        } else {
            Self::Named("-Infinity")
        }
    }
}

impl JsonLines<BufWriter<File>> {
    /// Opens `path` for appending, creating it if it is not there. A last line that was cut, by a
    /// kill or a full disk, stays as it is; new lines start behind it.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn append(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || {
            let mut file = File::options().read(true).append(true).create(true).open(path)?;
            let torn = ends_in_a_line(&mut file)?;
            Ok((BufWriter::new(file), torn))
        };
        let (writer, torn) = open().map_err(|source| Error::io(path, source))?;
        Ok(Self { writer, line: Vec::new(), path: path.to_owned(), torn })
    }
}

impl<W: Write> JsonLines<W> {
    /// Writes to `writer`. Each line is handed over whole; buffer the writer if it is slow.
    pub fn new(writer: W) -> Self {
        Self { writer, line: Vec::new(), path: "<writer>".into(), torn: false }
    }

    /// Flushes and gives the writer back.
    ///
    /// # Errors
    /// The writer fails to flush.
    pub fn into_inner(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.writer)
    }

    fn write(&mut self, line: &Line<'_>) -> Result<()> {
        self.line.clear();
        if self.torn {
            self.line.push(b'\n');
        }
        let written = serde_json::to_writer(&mut self.line, line)
            .map_err(std::io::Error::from)
            .and_then(|()| {
                self.line.push(b'\n');
                self.writer.write_all(&self.line)
            });
        self.torn = written.is_err();
        written.map_err(|source| Error::io(&self.path, source))
    }
}

/// Whether a file ends in a line without its end.
fn ends_in_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 || !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

impl<W: Write> Sink for JsonLines<W> {
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        self.write(&Line { tag, step, value: Some(value.into()), text: None })
    }

    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        self.write(&Line { tag, step, value: None, text: Some(markdown) })
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush().map_err(|source| Error::io(&self.path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that fails once, in the middle of a line.
    struct Torn(Vec<u8>, bool);

    impl Write for Torn {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.1 {
                return self.0.write(bytes);
            }
            if self.0.len() >= 10 {
                self.1 = true;
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0.write(&bytes[..10])
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_behind_a_torn_one_is_whole() {
        let mut sink = JsonLines::new(Torn(Vec::new(), false));
        assert!(sink.scalar("a", 1, 0.5).is_err());
        sink.scalar("b", 2, 0.5).unwrap();
        let text = String::from_utf8(sink.into_inner().unwrap().0).unwrap();
        assert_eq!(text, "{\"tag\":\"a\"\n{\"tag\":\"b\",\"step\":2,\"value\":0.5}\n");
    }

    #[test]
    fn appending_starts_on_a_new_line() {
        let path = std::env::temp_dir().join(format!("chunkeval-{}.jsonl", std::process::id()));
        std::fs::write(&path, "{\"tag\":\"cut").unwrap();
        for step in 1..=2 {
            let mut sink = JsonLines::append(&path).unwrap();
            sink.scalar("a", step, 1.0).unwrap();
            sink.flush().unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (3, "{\"tag\":\"cut"));
        assert_eq!(lines[2], "{\"tag\":\"a\",\"step\":2,\"value\":1.0}");
    }
}
