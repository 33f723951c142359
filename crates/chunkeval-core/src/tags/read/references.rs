//! How seqeval and conlleval.pl read a label, quirks included; see
//! [`LabelReading::Reference`](crate::LabelReading::Reference).

use super::{NO_TYPE, TagStyle};
use crate::Scheme;
use crate::tags::Position;
use crate::tags::notation::position;

/// The letter of a label and the rest of it.
pub(in crate::tags) fn split(label: &str, style: TagStyle) -> Option<(char, &str)> {
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

/// As seqeval's default mode.
pub(super) fn read_seqeval(label: &str, style: TagStyle) -> Option<(Position, &str)> {
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

/// As seqeval's strict mode: what is not of the scheme cannot be read.
pub(super) fn read_seqeval_strict<'a>(
    label: &'a str,
    style: TagStyle,
    delimiter: &str,
    scheme: Scheme,
) -> Option<(Position, &'a str)> {
    let (letter, rest) = split(label, style)?;
    let position = position(letter).filter(|_| scheme.letters().contains(letter))?;
    Some((position, or_no_type(rest.trim_matches(|c| delimiter.contains(c)))))
}

/// As conlleval.pl.
pub(super) fn read_conlleval(label: &str, style: TagStyle) -> (Position, &str) {
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
