//! From the text of a label to a position and an entity type.

mod references;

use std::fmt;

pub(super) use references::split;
use references::{read_conlleval, read_seqeval, read_seqeval_strict};

use super::notation::position;
use super::{Mode, Notation, Position, Scheme};
use crate::{Error, Result};

/// On which side of a label its position stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TagStyle {
    /// `B-PER`.
    #[default]
    Prefix,
    /// `PER-B`, as in PaddleNLP's waybill data.
    Suffix,
}

/// How the labels of a list are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LabelReading {
    /// `O`, one of `B I E S` followed by `-` and a type, or a bare `B I E S`. Anything else is an
    /// error that names the label. Under a strict scheme the letters are [those of the
    /// scheme](Scheme::letters).
    #[default]
    Strict,
    /// As the reference of the mode reads them, quirks included. For those who must reproduce a
    /// number.
    ///
    /// [`Lenient`](Mode::Lenient), as seqeval 1.2.2 and PaddleNLP: the first character (the last,
    /// in suffix style) is the position whatever it is, and what follows the first `-` of the rest
    /// is the type. So `PLACE` has the type `LACE`, and `OBJECT` is an `O`.
    ///
    /// [`Strict`](Mode::Strict), as seqeval 1.2.2: the type is the rest without the `-` at both of
    /// its ends (`B--X-` has the type `X`, `Bgeo-loc` the type `geo-loc`), and a letter that the
    /// scheme does not have is an error.
    ///
    /// [`Conlleval`](Mode::Conlleval), as conlleval.pl: the text before the first `-` is the
    /// position, what follows is the type. Without a `-` all of it is the position, so `BPER` is
    /// no chunk. The type `0` is the empty type, whose name is the empty text here, since a type
    /// may be called `_`. conlleval.pl has no suffix style; in ours its reading is mirrored
    /// (position after the last `-`).
    Reference,
}

/// `prefix` or `suffix`.
impl fmt::Display for TagStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Prefix => "prefix",
            Self::Suffix => "suffix",
        })
    }
}

/// `strict` or `reference`.
impl fmt::Display for LabelReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Strict => "strict",
            Self::Reference => "reference",
        })
    }
}

/// The type of a label that has none.
const NO_TYPE: &str = "_";

/// How the labels of a list are spelled, and how faithfully that is held to.
#[derive(Clone, Debug)]
pub(super) struct Spelling {
    pub(super) style: TagStyle,
    pub(super) reading: LabelReading,
    pub(super) notation: Notation,
    pub(super) delimiter: String,
}

impl Default for Spelling {
    fn default() -> Self {
        Self {
            style: TagStyle::default(),
            reading: LabelReading::default(),
            notation: Notation::default(),
            delimiter: "-".to_owned(),
        }
    }
}

impl Spelling {
    /// What the type of a label that has none is called.
    pub(super) fn no_type(&self, mode: Mode) -> &'static str {
        match (self.reading, mode) {
            (LabelReading::Reference, Mode::Conlleval) => "",
            _ => NO_TYPE,
        }
    }

    /// Position and type of a label; `None` if it cannot be read.
    pub(super) fn read<'a>(&self, label: &'a str, mode: Mode) -> Option<(Position, &'a str)> {
        match (self.reading, mode) {
            (LabelReading::Strict, _) => self.read_strict(label, mode),
            (LabelReading::Reference, Mode::Lenient) => read_seqeval(label, self.style),
            (LabelReading::Reference, Mode::Strict(scheme)) => {
                read_seqeval_strict(label, self.style, &self.delimiter, scheme)
            }
            (LabelReading::Reference, Mode::Conlleval) => Some(read_conlleval(label, self.style)),
        }
    }

    fn read_strict<'a>(&self, label: &'a str, mode: Mode) -> Option<(Position, &'a str)> {
        let bare = label.chars().count() == 1;
        let (letter, entity_type) = match self.style {
            _ if bare => (label, NO_TYPE),
            style if self.delimiter.is_empty() => {
                let at = match style {
                    TagStyle::Prefix => label.char_indices().nth(1)?.0,
                    TagStyle::Suffix => label.char_indices().next_back()?.0,
                };
                let (first, second) = label.split_at_checked(at)?;
                if style == TagStyle::Prefix { (first, second) } else { (second, first) }
            }
            TagStyle::Prefix => label.split_once(&*self.delimiter)?,
            TagStyle::Suffix => label.rsplit_once(&*self.delimiter).map(|(t, l)| (l, t))?,
        };
        let letters = self.notation.letters(mode);
        let mut chars = letter.chars();
        let letter = chars.next().filter(|&l| chars.as_str().is_empty() && letters.contains(l))?;
        let outside_with_type = letter == 'O' && !bare;
        let position = match position(letter)? {
            Position::Single if mode == Mode::Conlleval => Position::Other, // it knows no S
            known => known,
        };
        (!entity_type.is_empty() && !outside_with_type).then_some((position, entity_type))
    }

    /// That the options go together.
    pub(super) fn check(&self, mode: Mode) -> Result<()> {
        if self.notation != Notation::Usual {
            if self.reading == LabelReading::Reference {
                let reason = "the references' reading of labels has one notation, the usual one";
                return Err(Error::config("notation", reason));
            }
            let fits = match mode {
                Mode::Lenient | Mode::Conlleval => true,
                Mode::Strict(Scheme::Iobes) => true,
                Mode::Strict(Scheme::Bilou) => self.notation == Notation::Bilou,
                Mode::Strict(_) => false,
            };
            if !fits {
                let name = self.notation;
                let reason = format!("{name} is a notation of IOBES, not of {mode}");
                return Err(Error::config("notation", reason));
            }
        }
        let one_delimiter =
            self.reading == LabelReading::Reference && !matches!(mode, Mode::Strict(_));
        if one_delimiter && self.delimiter != "-" {
            let reason = "the references' lenient readings of labels have one delimiter, \"-\"";
            return Err(Error::config("delimiter", reason));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
