//! From the text of a label to a position and an entity type.

use super::Position;

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
    /// error that names the label.
    #[default]
    Strict,
    /// As seqeval 1.2.2 and PaddleNLP read them: the first character (the last, in suffix style)
    /// is the position whatever it is, and what follows the first `-` of the rest is the type. So
    /// `PLACE` has the type `LACE`, and `OBJECT` is an `O`. For those who must reproduce a number.
    Seqeval,
}

/// The type of a label that has none.
pub(super) const NO_TYPE: &str = "_";

/// Position and type of a label; `None` if it cannot be read.
pub(super) fn read(
    label: &str,
    style: TagStyle,
    reading: LabelReading,
) -> Option<(Position, &str)> {
    match reading {
        LabelReading::Strict => read_strict(label, style),
        LabelReading::Seqeval => read_seqeval(label, style),
    }
}

fn read_strict(label: &str, style: TagStyle) -> Option<(Position, &str)> {
    let (letter, entity_type) = match (label, style) {
        ("O", _) => return Some((Position::Outside, NO_TYPE)),
        ("B" | "I" | "E" | "S", _) => (label, NO_TYPE),
        (_, TagStyle::Prefix) => label.split_once('-')?,
        (_, TagStyle::Suffix) => label.rsplit_once('-').map(|(t, l)| (l, t))?,
    };
    let position = match letter {
        "B" => Position::Begin,
        "I" => Position::Inside,
        "E" => Position::End,
        "S" => Position::Single,
        _ => return None,
    };
    (!entity_type.is_empty()).then_some((position, entity_type))
}

fn read_seqeval(label: &str, style: TagStyle) -> Option<(Position, &str)> {
    let mut chars = label.chars();
    let (letter, entity_type) = match style {
        TagStyle::Prefix => {
            let letter = chars.next()?;
            let rest = chars.as_str();
            (letter, rest.split_once('-').map_or(rest, |(_, t)| t))
        }
        TagStyle::Suffix => {
            let letter = chars.next_back()?;
            let rest = chars.as_str();
            (letter, rest.rsplit_once('-').map_or(rest, |(t, _)| t))
        }
    };
    let position = match letter {
        'B' => Position::Begin,
        'I' => Position::Inside,
        'E' => Position::End,
        'S' => Position::Single,
        'O' => Position::Outside,
        '.' => Position::Dot,
        _ => Position::Other,
    };
    Some((position, if entity_type.is_empty() { NO_TYPE } else { entity_type }))
}

#[cfg(test)]
mod tests {
    use super::{LabelReading::*, Position::*, TagStyle::*, *};

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
            assert_eq!(read(label, style, Strict), expected, "{label:?} {style:?}");
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
            assert_eq!(read(label, style, Seqeval), expected, "{label:?} {style:?}");
        }
    }
}
