//! From the text of a label to a position and an entity type.

use std::fmt;

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
                self.read_seqeval_strict(label, scheme)
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

    fn read_seqeval_strict<'a>(
        &self,
        label: &'a str,
        scheme: Scheme,
    ) -> Option<(Position, &'a str)> {
        let (letter, rest) = split(label, self.style)?;
        let position = position(letter).filter(|_| scheme.letters().contains(letter))?;
        Some((position, or_no_type(rest.trim_matches(|c| self.delimiter.contains(c)))))
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

/// The letter of a label and the rest of it.
pub(super) fn split(label: &str, style: TagStyle) -> Option<(char, &str)> {
    let mut chars = label.chars();
    let letter = match style {
        TagStyle::Prefix => chars.next()?,
        TagStyle::Suffix => chars.next_back()?,
    };
    Some((letter, chars.as_str()))
}

fn or_no_type(entity_type: &str) -> &str {
    if entity_type.is_empty() { NO_TYPE } else { entity_type }
}

fn read_seqeval(label: &str, style: TagStyle) -> Option<(Position, &str)> {
    let (letter, rest) = split(label, style)?;
    let entity_type = match style {
        TagStyle::Prefix => rest.split_once('-').map_or(rest, |(_, t)| t),
        TagStyle::Suffix => rest.rsplit_once('-').map_or(rest, |(t, _)| t),
    };
    let position = match letter {
        '.' => Position::Dot,
        'B' | 'I' | 'E' | 'S' | 'O' => position(letter)?,
        _ => Position::Other,
    };
    Some((position, or_no_type(entity_type)))
}

fn read_conlleval(label: &str, style: TagStyle) -> (Position, &str) {
    let split = match style {
        TagStyle::Prefix => label.split_once('-'),
        TagStyle::Suffix => label.rsplit_once('-').map(|(t, letter)| (letter, t)),
    };
    let (letter, entity_type) = split.unwrap_or((label, ""));
    let position = match letter {
        "O" => Position::Outside,
        "B" => Position::Begin,
        "I" => Position::Inside,
        "E" => Position::End,
        "[" | "]" => Position::Single,
        "." => Position::Dot,
        _ => Position::Other,
    };
    // To Perl both the empty text and "0" are false.
    (position, if entity_type == "0" { "" } else { entity_type })
}

#[cfg(test)]
mod tests {
    use super::{LabelReading::*, Position::*, Scheme::*, TagStyle::*, *};

    fn read(
        label: &str,
        style: TagStyle,
        reading: LabelReading,
        mode: Mode,
    ) -> Option<(Position, &str)> {
        Spelling { style, reading, ..Spelling::default() }.read(label, mode)
    }

    #[test]
    fn delimiters_and_notations() {
        let read = |label, style, delimiter: &str, notation| {
            let delimiter = delimiter.to_owned();
            Spelling { style, notation, delimiter, ..Spelling::default() }
                .read(label, Mode::Lenient)
        };
        for (label, style, delimiter, notation, expected) in [
            ("B_PER_X", Prefix, "_", Notation::Usual, Some((Begin, "PER_X"))),
            ("PER_X_I", Suffix, "_", Notation::Usual, Some((Inside, "PER_X"))),
            ("B-PER", Prefix, "_", Notation::Usual, None),
            ("B::PER", Prefix, "::", Notation::Usual, Some((Begin, "PER"))),
            ("B:PER", Prefix, "::", Notation::Usual, None),
            ("B人名", Prefix, "", Notation::Usual, Some((Begin, "人名"))),
            ("人名B", Suffix, "", Notation::Usual, Some((Begin, "人名"))),
            ("人名", Prefix, "", Notation::Usual, None),
            ("OPER", Prefix, "", Notation::Usual, None),
            ("O", Prefix, "", Notation::Usual, Some((Outside, "_"))),
            ("", Prefix, "", Notation::Usual, None),
            ("M-X", Prefix, "-", Notation::Bmes, Some((Inside, "X"))),
            ("X-W", Suffix, "-", Notation::Bmes, Some((Single, "X"))),
            ("S", Prefix, "-", Notation::Bmes, Some((Single, "_"))),
            ("I-X", Prefix, "-", Notation::Bmes, None),
            ("L-X", Prefix, "-", Notation::Bilou, Some((End, "X"))),
            ("E-X", Prefix, "-", Notation::Bilou, None),
        ] {
            assert_eq!(
                read(label, style, delimiter, notation),
                expected,
                "{label:?} {delimiter:?}"
            );
        }
    }

    #[test]
    fn strict_reading() {
        for (label, style, expected) in [
            ("O", Prefix, Some((Outside, "_"))),
            ("O", Suffix, Some((Outside, "_"))),
            ("B", Suffix, Some((Begin, "_"))),
            ("B-PER", Prefix, Some((Begin, "PER"))),
            ("S-geo-loc", Prefix, Some((Single, "geo-loc"))),
            ("B--X", Prefix, Some((Begin, "-X"))),
            ("E-人名", Prefix, Some((End, "人名"))),
            ("机构-名-I", Suffix, Some((Inside, "机构-名"))),
            ("PER-B", Prefix, None),
            ("B-PER", Suffix, None),
            ("B-", Prefix, None),
            ("-B", Suffix, None),
            ("", Prefix, None),
            ("O-X", Prefix, None),
            ("BPER", Prefix, None),
            ("PLACE", Prefix, None),
            ("b-PER", Prefix, None),
            ("o", Prefix, None),
            ("U-PER", Prefix, None),
        ] {
            assert_eq!(read(label, style, Strict, Mode::Lenient), expected, "{label:?} {style:?}");
        }
    }

    #[test]
    fn seqeval_reading() {
        for (label, style, expected) in [
            ("B-geo-loc", Prefix, Some((Begin, "geo-loc"))),
            ("BPER", Prefix, Some((Begin, "PER"))),
            ("Bgeo-loc", Prefix, Some((Begin, "loc"))),
            ("B--X", Prefix, Some((Begin, "-X"))),
            ("B-X-", Prefix, Some((Begin, "X-"))),
            ("B-", Prefix, Some((Begin, "_"))),
            ("PER", Prefix, Some((Other, "ER"))),
            ("ORG", Prefix, Some((Outside, "RG"))),
            ("B—PER", Prefix, Some((Begin, "—PER"))),
            ("о", Prefix, Some((Other, "_"))),
            (".", Prefix, Some((Dot, "_"))),
            ("geo-loc-B", Suffix, Some((Begin, "geo-loc"))),
            ("PERB", Suffix, Some((Begin, "PER"))),
            ("geo-locB", Suffix, Some((Begin, "geo"))),
            ("X--B", Suffix, Some((Begin, "X-"))),
            ("-B", Suffix, Some((Begin, "_"))),
            ("", Prefix, None),
        ] {
            assert_eq!(
                read(label, style, Reference, Mode::Lenient),
                expected,
                "{label:?} {style:?}"
            );
        }
    }

    #[test]
    fn conlleval_reading() {
        for (label, style, reading, expected) in [
            ("B-geo-loc", Prefix, Reference, (Begin, "geo-loc")),
            ("B--X", Prefix, Reference, (Begin, "-X")),
            ("BPER", Prefix, Reference, (Other, "")),
            ("B", Prefix, Reference, (Begin, "")),
            ("B-", Prefix, Reference, (Begin, "")),
            ("B-0", Prefix, Reference, (Begin, "")),
            ("B-00", Prefix, Reference, (Begin, "00")),
            ("B-_", Prefix, Reference, (Begin, "_")),
            ("-X", Prefix, Reference, (Other, "X")),
            ("S-X", Prefix, Reference, (Other, "X")),
            ("BX-X", Prefix, Reference, (Other, "X")),
            ("[-X", Prefix, Reference, (Single, "X")),
            ("]", Prefix, Reference, (Single, "")),
            (".-X", Prefix, Reference, (Dot, "X")),
            ("O-X", Prefix, Reference, (Outside, "X")),
            ("", Prefix, Reference, (Other, "")),
            ("geo-loc-B", Suffix, Reference, (Begin, "geo-loc")),
            ("0-E", Suffix, Reference, (End, "")),
            ("S-X", Prefix, Strict, (Other, "X")),
            ("X-E", Suffix, Strict, (End, "X")),
            ("B", Prefix, Strict, (Begin, "_")),
            ("B-0", Prefix, Strict, (Begin, "0")),
        ] {
            let found = read(label, style, reading, Mode::Conlleval);
            assert_eq!(found, Some(expected), "{label:?} {style:?} {reading:?}");
        }
        for label in ["U-X", "[-X", ".", "O-X", "BPER", ""] {
            assert_eq!(read(label, Prefix, Strict, Mode::Conlleval), None, "{label:?}");
        }
    }

    #[test]
    fn readings_under_a_scheme() {
        for (label, style, reading, scheme, expected) in [
            ("U-PER", Prefix, Strict, Bilou, Some((Single, "PER"))),
            ("PER-L", Suffix, Strict, Bilou, Some((End, "PER"))),
            ("L", Prefix, Strict, Bilou, Some((End, "_"))),
            ("O", Suffix, Strict, Ioe1, Some((Outside, "_"))),
            ("S-PER", Prefix, Strict, Bilou, None),
            ("U-PER", Prefix, Strict, Iobes, None),
            ("E-PER", Prefix, Strict, Iob2, None),
            ("B", Prefix, Strict, Ioe2, None),
            ("O-PER", Prefix, Strict, Iob2, None),
            ("B--X-", Prefix, Reference, Iob2, Some((Begin, "X"))),
            ("Bgeo-loc", Prefix, Reference, Iob1, Some((Begin, "geo-loc"))),
            ("-X--E", Suffix, Reference, Ioe2, Some((End, "X"))),
            ("B--", Prefix, Reference, Iob2, Some((Begin, "_"))),
            ("O-X", Prefix, Reference, Iob2, Some((Outside, "X"))),
            ("M-X", Prefix, Reference, Iobes, None),
            (".", Prefix, Reference, Iobes, None),
            ("E-X", Prefix, Reference, Bilou, None),
            ("", Prefix, Reference, Iob2, None),
        ] {
            let mode = Mode::Strict(scheme);
            assert_eq!(read(label, style, reading, mode), expected, "{label:?} {style:?} {mode}");
        }
    }
}
