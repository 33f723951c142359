//! A sink that writes one JSON object a line.

use std::fs::File;
use std::io::{BufWriter, Write};
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
    /// Opens `path` for appending, creating it if it is not there.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn append(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::options()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|source| Error::io(path, source))?;
        Ok(Self { writer: BufWriter::new(file), line: Vec::new(), path: path.to_owned() })
    }
}

impl<W: Write> JsonLines<W> {
    /// Writes to `writer`. Each line is handed over whole; buffer the writer if it is slow.
    pub fn new(writer: W) -> Self {
        Self { writer, line: Vec::new(), path: "<writer>".into() }
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
        let written = serde_json::to_writer(&mut self.line, line)
            .map_err(std::io::Error::from)
            .and_then(|()| {
                self.line.push(b'\n');
                self.writer.write_all(&self.line)
            });
        written.map_err(|source| Error::io(&self.path, source))
    }
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
