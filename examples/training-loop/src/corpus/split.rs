//! The sentences of one part of a corpus.

use std::fmt;
use std::path::{Path, PathBuf};

use chunkeval::data::{Format, Sentence};
use serde::{Deserialize, Serialize};

use super::refusals;
use crate::console::counted;
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
            DataSource::Files { format, train, dev, test, .. } => Ok(Self {
                train: Split::read("train", format, train)?,
                dev: Split::read("dev", format, dev)?,
                test: Split::read("test", format, test)?,
            }),
        }
    }

    /// What each split holds: a resumed run must find the same again.
    pub fn contents(&self) -> [Content; 3] {
        [&self.train, &self.dev, &self.test].map(Split::content)
    }
}

impl Split {
    fn read(name: &'static str, format: &str, path: &Path) -> Result<Self> {
        let sentences = format.parse::<Format>()?.open(path)?;
        let sentences = sentences.collect::<chunkeval::Result<Vec<Sentence>>>();
        let sentences = sentences.map_err(|error| refusals::unread(error, format, path))?;
        if sentences.is_empty() {
            return Err(Error::content(path, format!("the {name} set has no sentences")));
        }
        Ok(Self { name, path: path.to_owned(), sentences })
    }

    /// What its tokens are: characters if at least nine of ten have but one. In corpora of
    /// characters, numbers and foreign words are often tokens as a whole.
    pub fn unit(&self) -> Unit {
        let tokens = || self.sentences.iter().flat_map(|sentence| sentence.tokens().iter());
        let single = tokens().filter(|token| token.chars().nth(1).is_none()).count();
        if 10 * single >= 9 * tokens().count() { Unit::Characters } else { Unit::Words }
    }

    fn content(&self) -> Content {
        let sentences = self.sentences.len();
        let tokens = self.sentences.iter().map(Sentence::len).sum();
        // FNV-1a in 64 bits, which is the same on every machine and in every version.
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |byte: u8| digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        for sentence in &self.sentences {
            for text in sentence.tokens().iter().chain(sentence.gold().iter()) {
                text.bytes().chain([0]).for_each(&mut add);
            }
            add(1);
        }
        Content { sentences, tokens, digest }
    }
}

/// What the tokens of a corpus are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Characters, with nothing between them.
    Characters,
    /// Words.
    Words,
}

/// What a split holds, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// Sentences.
    pub sentences: usize,
    /// Tokens.
    pub tokens: usize,
    /// A hash of all tokens and labels.
    pub digest: u64,
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sentences, tokens, digest } = self;
        let (sentences, tokens) = (counted(*sentences, "sentence"), counted(*tokens, "token"));
        write!(f, "{sentences} with {tokens} (digest {digest:016x})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_told_from_words() {
        let unit = |text: &str| {
            let mut sentence = Sentence::new();
            text.split('|').for_each(|token| sentence.push(token, "O"));
            Split { name: "train", path: "f".into(), sentences: vec![sentence] }.unit()
        };
        assert_eq!(unit("省| |2004|a|广|东|市|路|县|区"), Unit::Characters);
        assert_eq!(unit("他|在|北京|。"), Unit::Words);
        assert_eq!(unit("I|saw|a|cat|."), Unit::Words);
    }
}
