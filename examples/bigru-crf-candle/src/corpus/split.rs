//! The sentences of one part of a corpus.

use std::path::{Path, PathBuf};

use chunkeval::data::{Format, Sentence};

use crate::error::{Error, Result};
use crate::generate::{self, Part};
use crate::settings::DataSource;

/// The sentences of one file or folder.
#[derive(Clone, Debug)]
pub struct Split {
    /// `train`, `dev` or `test`.
    pub name: &'static str,
    /// The file, for error messages.
    pub path: PathBuf,
    /// At least one.
    pub sentences: Vec<Sentence>,
}

/// Three splits.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// What the model learns from.
    pub train: Split,
    /// What is evaluated every N steps.
    pub dev: Split,
    /// What is evaluated at the end.
    pub test: Split,
}

impl Corpus {
    /// Reads or makes the three splits.
    ///
    /// # Errors
    /// A file cannot be read (the message has file, line and column) or holds no sentence.
    pub fn load(source: &DataSource) -> Result<Self> {
        match source {
            &DataSource::Generated { sentences, seed } => {
                let make = |name, part, count| {
                    let sentences = generate::sentences(seed, part, count);
                    Split { name, path: format!("generated {name}").into(), sentences }
                };
                let held_out = (sentences / 5).max(1);
                Ok(Self {
                    train: make("train", Part::Train, sentences),
                    dev: make("dev", Part::Dev, held_out),
                    test: make("test", Part::Test, held_out),
                })
            }
            DataSource::Files { format, train, dev, test, .. } => {
                let format: Format = format.parse()?;
                Ok(Self {
                    train: Split::read("train", &format, train)?,
                    dev: Split::read("dev", &format, dev)?,
                    test: Split::read("test", &format, test)?,
                })
            }
        }
    }

    /// The number of sentences and tokens of each split: what a resumed run must find again.
    pub fn sizes(&self) -> [(usize, usize); 3] {
        [&self.train, &self.dev, &self.test].map(|split| (split.sentences.len(), split.tokens()))
    }
}

impl Split {
    fn read(name: &'static str, format: &Format, path: &Path) -> Result<Self> {
        let sentences = format.open(path)?.collect::<chunkeval::Result<Vec<Sentence>>>()?;
        if sentences.is_empty() {
            return Err(Error::content(path, format!("the {name} set has no sentences")));
        }
        Ok(Self { name, path: path.to_owned(), sentences })
    }

    /// The number of tokens in all sentences.
    pub fn tokens(&self) -> usize {
        self.sentences.iter().map(Sentence::len).sum()
    }
}
