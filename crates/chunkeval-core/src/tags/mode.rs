//! Which rules say where chunks start and end: the lenient ones, or those of a scheme.

use std::fmt;
use std::str::FromStr;

use super::rules::{self, Rules};
use crate::{Error, Result};

/// How chunks are found in a row of tags.
///
/// A lenient reader makes the best of any row: a stray `I-X` opens a chunk. A strict one takes
/// only what the [`Scheme`] allows, and what is ill-formed is no chunk.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Mode, Scheme, TagBatch};
///
/// let labels = ["O", "B-CITY", "I-CITY", "B-RIVER", "I-RIVER"];
/// //           CITY CITY  O  RIVER
/// let gold = [1, 2, 0, 3];
/// let predicted = [2, 2, 0, 4]; // every chunk begins with an I
///
/// let mut lenient = ChunkEvaluator::new(labels)?;
/// lenient.update(TagBatch::new(&gold, &predicted, &[4])?)?;
/// assert_eq!(lenient.accumulate().overall.f1, 1.0);
///
/// let mut strict =
///     ChunkEvaluator::builder(labels).mode(Mode::Strict(Scheme::Iob2)).build()?;
/// strict.update(TagBatch::new(&gold, &predicted, &[4])?)?;
/// let counts = strict.accumulate().overall.counts;
/// assert_eq!((counts.gold, counts.predicted, counts.correct), (2, 0, 0));
///
/// assert_eq!("IOB2".parse::<Mode>()?, Mode::Strict(Scheme::Iob2));
/// assert_eq!(Mode::Lenient.to_string(), "lenient");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// As seqeval's default mode and PaddleNLP do.
    #[default]
    Lenient,
    /// As seqeval 1.2.2 does with `mode="strict"` and this scheme.
    Strict(Scheme),
    /// As conlleval.pl (2004-01-26) does. On `B`, `I` and `O` the counts are those of
    /// [`Lenient`](Mode::Lenient). They part where an `E` stands before a `B` of the same type,
    /// and on every other letter: conlleval knows no `S`, `M`, `L` or `U`.
    ///
    /// A row counts as conlleval.pl counts a file of that row alone. Give it a whole file as one
    /// row, with an `O` on both sides for each empty line, to count as it counts that file.
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, Metric, Mode, TagBatch};
    ///
    /// let gold = [1, 2, 1]; // B-X E-X B-X
    /// let found = |mode| {
    ///     let mut metric = ChunkEvaluator::builder(["O", "B-X", "E-X"]).mode(mode).build()?;
    ///     metric.update(TagBatch::new(&gold, &gold, &[3])?)?;
    ///     Ok::<_, chunkeval_core::Error>(metric.accumulate().overall.counts.gold)
    /// };
    /// assert_eq!(found(Mode::Lenient)?, 2);
    /// assert_eq!(found(Mode::Conlleval)?, 1); // no chunk ends between an E and a B
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    Conlleval,
}

/// A tagging scheme, as seqeval 1.2.2 decides it in its strict mode.
///
/// ```
/// use chunkeval_core::{LabelReading, Mode, Scheme, TagSet, TagStyle};
///
/// let strict = |scheme| {
///     let labels = ["O", "I-X", "B-X"];
///     TagSet::with_mode(labels, TagStyle::Prefix, LabelReading::Strict, Mode::Strict(scheme))
/// };
/// let chunks = |scheme, ids: &[i32]| strict(scheme).map(|tags| tags.entities(ids).len());
/// assert_eq!(chunks(Scheme::Iob2, &[0, 1, 1])?, 0); // a stray I is no chunk
/// assert_eq!(chunks(Scheme::Iob1, &[0, 1, 1])?, 1); // this is how one begins there
/// assert_eq!(chunks(Scheme::Iob1, &[1, 2, 1])?, 2); // B parts it from one of the same type
///
/// let error = strict(Scheme::Ioe2).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "cannot read the label \"B-X\"; the scheme IOE2 has the letters I O E"
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// `I` and `O`; `B` only where a chunk follows another one of its type.
    Iob1,
    /// Every chunk begins with `B` and goes on with `I`. Also known as BIO.
    Iob2,
    /// `I` and `O`; `E` only where another chunk of the type follows. seqeval's own rules for it
    /// are unfinished and kept as they are: an `E` alone is no chunk, and a chunk that ends with `E`
    /// is one only before an `I` or `E` of its type.
    Ioe1,
    /// Every chunk ends with `E`, and what goes before is `I`.
    Ioe2,
    /// `B`, any number of `I`, `E`; or `S` for a chunk of one token. Also known as BIOES.
    Iobes,
    /// `B`, any number of `I`, `L`; or `U` for a chunk of one token.
    Bilou,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 6] =
        [Self::Iob1, Self::Iob2, Self::Ioe1, Self::Ioe2, Self::Iobes, Self::Bilou];

    /// The letters that its labels may have, in seqeval's order.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Iob1 | Self::Iob2 => "IOB",
            Self::Ioe1 | Self::Ioe2 => "IOE",
            Self::Iobes => "IOBES",
            Self::Bilou => "IOBUL",
        }
    }

    /// The usual name, `IOB2` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iob1 => "IOB1",
            Self::Iob2 => "IOB2",
            Self::Ioe1 => "IOE1",
            Self::Ioe2 => "IOE2",
            Self::Iobes => "IOBES",
            Self::Bilou => "BILOU",
        }
    }
}

impl Mode {
    /// The rules, as data.
    pub(crate) const fn rules(self) -> &'static Rules {
        match self {
            Self::Lenient => &rules::LENIENT,
            Self::Strict(Scheme::Iob1) => &rules::IOB1,
            Self::Strict(Scheme::Iob2) => &rules::IOB2,
            Self::Strict(Scheme::Ioe1) => &rules::IOE1,
            Self::Strict(Scheme::Ioe2) => &rules::IOE2,
            // The same rules with other letters: L is an E, and U an S.
            Self::Strict(Scheme::Iobes | Scheme::Bilou) => &rules::IOBES,
            Self::Conlleval => &rules::CONLLEVAL,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `lenient`, `conlleval`, or the name of the scheme.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lenient => f.pad("lenient"),
            Self::Strict(scheme) => scheme.fmt(f),
            Self::Conlleval => f.pad("conlleval"),
        }
    }
}

/// A scheme's name in upper or lower case; `BIO` is IOB2, and `BIOES` is IOBES.
impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let upper = name.to_ascii_uppercase();
        let usual = match &*upper {
            "BIO" => "IOB2",
            "BIOES" => "IOBES",
            _ => &upper,
        };
        let known = Self::ALL.into_iter().find(|scheme| scheme.name() == usual);
        known.ok_or_else(|| Error::config("scheme", format!("no scheme is called {name:?}")))
    }
}

/// `lenient`, `conlleval`, or the name of a scheme.
impl FromStr for Mode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "lenient" => Ok(Self::Lenient),
            "conlleval" => Ok(Self::Conlleval),
            _ => name.parse().map(Self::Strict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for scheme in Scheme::ALL {
            assert_eq!(scheme.to_string().parse::<Scheme>().unwrap(), scheme);
            let mode = Mode::Strict(scheme);
            assert_eq!(mode.to_string().to_lowercase().parse::<Mode>().unwrap(), mode);
        }
        assert_eq!("bio".parse::<Scheme>().unwrap(), Scheme::Iob2);
        assert_eq!("BIOES".parse::<Scheme>().unwrap(), Scheme::Iobes);
        for mode in [Mode::Lenient, Mode::Conlleval] {
            assert_eq!(mode.to_string().parse::<Mode>().unwrap(), mode);
        }
        assert!("strict".parse::<Mode>().is_err());
        assert!("".parse::<Scheme>().is_err());
    }
}
