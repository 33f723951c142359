//! From the tag of a word to tags of its pieces.

use crate::tags::Position;
use crate::{Error, Result, TagSet};

/// What each label is on the first, the inner and the last of several pieces.
#[derive(Clone, Debug)]
pub(super) struct Spread(Vec<[i32; 3]>);

impl Spread {
    pub(super) fn new(tags: &TagSet) -> Result<Self> {
        let ids = || (0..tags.labels().len()).filter_map(|id| i32::try_from(id).ok());
        let spread = |id| {
            let (position, entity_type) = tags.tag(id);
            let other = |wanted: Position, letter: &str| {
                let found = ids().find(|&other| tags.tag(other) == (wanted, entity_type));
                found.ok_or_else(|| cannot_spread(tags, id, letter))
            };
            let inside = || other(Position::Inside, "I");
            Ok(match position {
                Position::Begin => [id, inside()?, inside()?],
                Position::End => [inside()?, inside()?, id],
                Position::Single => {
                    [other(Position::Begin, "B")?, inside()?, other(Position::End, "E")?]
                }
                Position::Outside | Position::Inside | Position::Dot | Position::Other => [id; 3],
            })
        };
        ids().map(spread).collect::<Result<_>>().map(Self)
    }

    /// Appends the tags of so many pieces.
    pub(super) fn push(&self, id: i32, pieces: usize, to: &mut Vec<i32>) {
        let known = usize::try_from(id).ok().and_then(|id| self.0.get(id)).copied();
        let [first, inner, last] = known.filter(|_| pieces > 1).unwrap_or([id; 3]);
        to.extend((0..pieces).map(|piece| match piece {
            0 => first,
            _ if piece + 1 == pieces => last,
            _ => inner,
        }));
    }
}

fn cannot_spread(tags: &TagSet, id: i32, letter: &str) -> Error {
    let label = usize::try_from(id).ok().and_then(|id| tags.labels().get(id));
    let label = label.map_or("", String::as_str);
    let reason = format!(
        "{label:?} cannot be spread over several pieces: the list has no {letter} of its type"
    );
    Error::config("labels", reason)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{LabelReading, Mode, Scheme, TagStyle};

    fn set(labels: &str, style: TagStyle, mode: Mode) -> TagSet {
        TagSet::with_mode(labels.split(' '), style, LabelReading::Strict, mode).unwrap()
    }

    fn spread(tags: &TagSet, label: &str, pieces: usize) -> String {
        let mut ids = Vec::new();
        Spread::new(tags).unwrap().push(tags.id(label).unwrap(), pieces, &mut ids);
        let labels: Vec<&str> = ids.iter().map(|&id| &*tags.labels()[id as usize]).collect();
        labels.join(" ")
    }

    #[test]
    fn every_letter() {
        let iobes = set("O B-X I-X E-X S-X S-Y E-Y I-Y B-Y", TagStyle::Prefix, Mode::Lenient);
        for (label, expected) in [
            ("O", ["O", "O O", "O O O O"]),
            ("B-X", ["B-X", "B-X I-X", "B-X I-X I-X I-X"]),
            ("I-X", ["I-X", "I-X I-X", "I-X I-X I-X I-X"]),
            ("E-X", ["E-X", "I-X E-X", "I-X I-X I-X E-X"]),
            ("S-Y", ["S-Y", "B-Y E-Y", "B-Y I-Y I-Y E-Y"]),
        ] {
            assert_eq!([1, 2, 4].map(|pieces| spread(&iobes, label, pieces)), expected);
        }
        let suffix = set("P-B P-I O", TagStyle::Suffix, Mode::Lenient);
        assert_eq!(spread(&suffix, "P-B", 3), "P-B P-I P-I");
        let bilou = set("O B I L U", TagStyle::Prefix, Mode::Strict(Scheme::Bilou));
        assert_eq!(spread(&bilou, "U", 3), "B I L");
    }

    #[test]
    fn a_label_that_is_missing_is_named() {
        let tags = set("O B-X I-X B-Y", TagStyle::Prefix, Mode::Lenient);
        let e = Spread::new(&tags).unwrap_err();
        assert_eq!(
            e.to_string(),
            "labels: \"B-Y\" cannot be spread over several pieces: the list has no I of its type"
        );
        let mut ids = Vec::new();
        let tags = set("O B-X I-X", TagStyle::Prefix, Mode::Lenient);
        Spread::new(&tags).unwrap().push(99, 2, &mut ids);
        assert_eq!(ids, [99, 99], "what is outside the list is the metric's to refuse");
    }

    proptest! {
        /// Lenient rows of any letters, and strict ones of well-formed chunks.
        #[test]
        fn the_chunks_stay(
            lenient in prop::collection::vec((0..9, 1usize..4), 0..12),
            chunks in prop::collection::vec((1usize..4, 0usize..3), 0..6),
            pieces in prop::collection::vec(1usize..4, 40),
        ) {
            let all = "O B-X I-X E-X S-X B-Y I-Y E-Y S-Y";
            let tags = set(all, TagStyle::Prefix, Mode::Lenient);
            check(&tags, &lenient)?;
            for scheme in Scheme::ALL.into_iter().filter(|&scheme| scheme != Scheme::Ioe1) {
                let letters = scheme.letters().chars().filter(|&l| l != 'O');
                let labels: Vec<_> = letters.flat_map(|l| [format!("{l}-X"), format!("{l}-Y")]).collect();
                let tags = set(&format!("O {}", labels.join(" ")), TagStyle::Prefix, Mode::Strict(scheme));
                let row = chunks.iter().flat_map(|&(words, kind)| well_formed(scheme, words, kind));
                let row: Vec<_> =
                    row.map(|l| tags.id(&l).unwrap()).zip(pieces.iter().copied()).collect();
                check(&tags, &row)?;
            }
        }
    }

    /// The tags of a chunk, or of an `O` between two.
    fn well_formed(scheme: Scheme, words: usize, kind: usize) -> Vec<String> {
        let entity_type = match kind {
            0 => return vec!["O".to_owned()],
            1 => "X",
            _ => "Y",
        };
        let (first, last, only) = match scheme {
            Scheme::Iob1 => ("I", "I", "I"),
            Scheme::Iob2 => ("B", "I", "B"),
            Scheme::Ioe1 | Scheme::Ioe2 => ("I", "E", "E"),
            Scheme::Iobes => ("B", "E", "S"),
            Scheme::Bilou => ("B", "L", "U"),
        };
        let letter = |word| match word {
            0 if words == 1 => only,
            0 => first,
            _ if word + 1 == words => last,
            _ => "I",
        };
        (0..words).map(|word| format!("{}-{entity_type}", letter(word))).collect()
    }

    /// The chunks of words, in pieces, are those of the pieces.
    fn check(tags: &TagSet, row: &[(i32, usize)]) -> Result<(), TestCaseError> {
        let (mut ids, mut starts, mut pieces) = (Vec::new(), vec![0], Vec::new());
        for &(id, count) in row {
            ids.push(id);
            Spread::new(tags).unwrap().push(id, count, &mut pieces);
            starts.push(pieces.len());
        }
        let of_words: Vec<_> = tags.entities(&ids);
        let expected: Vec<_> =
            of_words.iter().map(|c| (starts[c.start], starts[c.end], c.entity_type)).collect();
        let of_pieces: Vec<_> = tags.entities(&pieces);
        let found: Vec<_> = of_pieces.iter().map(|c| (c.start, c.end, c.entity_type)).collect();
        prop_assert_eq!(found, expected, "{:?}", row);
        Ok(())
    }
}
