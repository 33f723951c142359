//! From the text of a label to a position and an entity type.

use super::{Mode, Position, Scheme};

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
    /// As seqeval 1.2.2 and PaddleNLP read them: the first character (the last, in suffix style)
    /// is the position whatever it is, and what follows the first `-` of the rest is the type. So
    /// `PLACE` has the type `LACE`, and `OBJECT` is an `O`. For those who must reproduce a number.
    ///
    /// Under a strict scheme seqeval reads otherwise: the type is the rest without the `-` at both
    /// of its ends (`B--X-` has the type `X`, `Bgeo-loc` the type `geo-loc`), and a letter that
    /// the scheme does not have is an error.
    Seqeval,
}

/// The type of a label that has none.
pub(super) const NO_TYPE: &str = "_";

/// Position and type of a label; `None` if it cannot be read.
pub(super) fn read(
    label: &str,
    style: TagStyle,
    reading: LabelReading,
    mode: Mode,
) -> Option<(Position, &str)> {
    match (reading, mode) {
        (LabelReading::Strict, _) => read_strict(label, style, letters(mode)),
        (LabelReading::Seqeval, Mode::Lenient) => read_seqeval(label, style),
        (LabelReading::Seqeval, Mode::Strict(scheme)) => read_seqeval_strict(label, style, scheme),
    }
}

/// The letters that can be read.
pub(super) fn letters(mode: Mode) -> &'static str {
    match mode {
        Mode::Lenient => "OBIES",
        Mode::Strict(scheme) => scheme.letters(),
    }
}

/// The position of a letter, of any scheme.
fn position(letter: char) -> Option<Position> {
    Some(match letter {
        'O' => Position::Outside,
        'B' => Position::Begin,
        'I' => Position::Inside,
        'E' | 'L' => Position::End,
        'S' | 'U' => Position::Single,
        _ => return None,
    })
}

fn read_strict<'a>(label: &'a str, style: TagStyle, letters: &str) -> Option<(Position, &'a str)> {
    let bare = label.chars().count() == 1;
    let (letter, entity_type) = match style {
        _ if bare => (label, NO_TYPE),
        TagStyle::Prefix => label.split_once('-')?,
        TagStyle::Suffix => label.rsplit_once('-').map(|(t, l)| (l, t))?,
    };
    let mut chars = letter.chars();
    let letter = chars.next().filter(|&l| chars.as_str().is_empty() && letters.contains(l))?;
    let outside_with_type = letter == 'O' && !bare;
    (!entity_type.is_empty() && !outside_with_type).then_some((position(letter)?, entity_type))
}

/// The letter of a label and the rest of it.
fn split(label: &str, style: TagStyle) -> Option<(char, &str)> {
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

fn read_seqeval_strict(label: &str, style: TagStyle, scheme: Scheme) -> Option<(Position, &str)> {
    let (letter, rest) = split(label, style)?;
    let position = position(letter).filter(|_| scheme.letters().contains(letter))?;
    Some((position, or_no_type(rest.trim_matches('-'))))
}

#[cfg(test)]
mod tests {
    use super::{LabelReading::*, Position::*, Scheme::*, TagStyle::*, *};

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
            assert_eq!(read(label, style, Seqeval, Mode::Lenient), expected, "{label:?} {style:?}");
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
            ("B--X-", Prefix, Seqeval, Iob2, Some((Begin, "X"))),
            ("Bgeo-loc", Prefix, Seqeval, Iob1, Some((Begin, "geo-loc"))),
            ("-X--E", Suffix, Seqeval, Ioe2, Some((End, "X"))),
            ("B--", Prefix, Seqeval, Iob2, Some((Begin, "_"))),
            ("O-X", Prefix, Seqeval, Iob2, Some((Outside, "X"))),
            ("M-X", Prefix, Seqeval, Iobes, None),
            (".", Prefix, Seqeval, Iobes, None),
            ("E-X", Prefix, Seqeval, Bilou, None),
            ("", Prefix, Seqeval, Iob2, None),
        ] {
            let mode = Mode::Strict(scheme);
            assert_eq!(read(label, style, reading, mode), expected, "{label:?} {style:?} {mode}");
        }
    }
}
