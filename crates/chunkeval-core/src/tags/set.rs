//! The compiled label list.

mod identity;
mod unreadable;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use self::unreadable::unreadable;
use super::builder::TagSetBuilder;
use super::read::Spelling;
use super::types::TypeMap;
use super::{LabelReading, Mode, Position, Rules, TagStyle};
use crate::kernel::Alphabet;
use crate::{Error, Result};

/// A label list in class-index order, with every label's position and entity type.
///
/// Label `i` of the list belongs to tag id `i`. Labels may repeat; ids of equal labels count as
/// equal. Cloning is cheap.
///
/// ```
/// use chunkeval_core::{TagSet, TagStyle};
///
/// let tags = TagSet::new(["O", "地名-B", "地名-I", "组织-机构-B"], TagStyle::Suffix)?;
/// assert_eq!(tags.id("地名-I"), Some(2));
/// assert_eq!(tags.types().collect::<Vec<_>>(), ["地名", "组织-机构"]);
///
/// let error = TagSet::new(["O", "B-PER", "LOCATION", "org"], TagStyle::Prefix).unwrap_err();
/// assert!(error.to_string().starts_with("cannot read the labels \"LOCATION\", \"org\""));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct TagSet(Arc<Compiled>);

struct Compiled {
    labels: Vec<String>,
    spelling: Spelling,
    mode: Mode,
    type_map: TypeMap,
    ids: HashMap<String, i32>,
    /// Position and type index of each label.
    tags: Vec<(Position, u32)>,
    /// Type names; that of labels without one comes first, the others are sorted by code point.
    types: Vec<String>,
    /// The indices of the types that chunks can have, sorted by the names' code points.
    chunk_types: Vec<usize>,
    alphabet: Alphabet,
}

impl TagSet {
    /// `O`, and what stands before and after a row.
    pub(crate) const OUTSIDE: (Position, u32) = (Position::Outside, 0);

    /// Reads labels strictly: `O`, or one of `B I E S` with a type, or bare.
    ///
    /// # Errors
    /// The list is empty, or has labels that cannot be read; the error names them all.
    pub fn new<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        Self::with_reading(labels, style, LabelReading::Strict)
    }

    /// Reads labels exactly as seqeval 1.2.2 and PaddleNLP do, quirks included
    /// (see [`LabelReading::Reference`]).
    ///
    /// # Errors
    /// The list is empty, or has an empty label.
    pub fn seqeval<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        Self::with_reading(labels, style, LabelReading::Reference)
    }

    /// Reads labels in the way named.
    ///
    /// # Errors
    /// As for [`new`](TagSet::new) and [`seqeval`](TagSet::seqeval).
    pub fn with_reading<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
        reading: LabelReading,
    ) -> Result<Self> {
        Self::with_mode(labels, style, reading, Mode::Lenient)
    }

    /// Reads labels in the way named, and finds chunks in the mode named (all other constructors
    /// are lenient). [`TagSet::builder`] has further options.
    ///
    /// # Errors
    /// As for [`new`](TagSet::new) and [`seqeval`](TagSet::seqeval), and if a label has a letter
    /// that the scheme does not have.
    pub fn with_mode<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
        reading: LabelReading,
        mode: Mode,
    ) -> Result<Self> {
        Self::builder(labels).style(style).reading(reading).mode(mode).build()
    }

    pub(super) fn compile(builder: TagSetBuilder) -> Result<Self> {
        let TagSetBuilder { labels, spelling, mode, types: type_map } = builder;
        if labels.is_empty() {
            return Err(Error::config("labels", "the label list is empty"));
        }
        if i32::try_from(labels.len()).is_err() {
            return Err(Error::config("labels", "more labels than 32-bit ids can name"));
        }
        spelling.check(mode)?;
        let read_all: Option<Vec<_>> = labels.iter().map(|l| spelling.read(l, mode)).collect();
        let Some(read_all) = read_all else {
            return Err(unreadable(&labels, &spelling, mode));
        };
        let no_type = spelling.no_type(mode);
        let read_all = map_types(read_all, &type_map, no_type)?;

        let mut types: Vec<&str> = read_all.iter().map(|&(_, t)| t).chain([no_type]).collect();
        types.sort_unstable_by_key(|&t| (t != no_type, t));
        types.dedup();
        let index: HashMap<&str, u32> = types.iter().copied().zip(0..).collect();
        let tags: Vec<_> = read_all.iter().map(|&(position, t)| (position, index[t])).collect();
        let mut chunk_types: Vec<usize> =
            tags.iter().filter(|(p, _)| in_chunk(*p)).map(|&(_, t)| t as usize).collect();
        chunk_types.sort_unstable_by_key(|&t| types[t]);
        chunk_types.dedup();
        let types = types.into_iter().map(str::to_owned).collect();

        let mut ids = HashMap::with_capacity(labels.len());
        for (label, id) in labels.iter().zip(0..) {
            ids.entry(label.clone()).or_insert(id);
        }
        let alphabet = Alphabet::new(mode.rules(), &tags);
        Ok(Self(Arc::new(Compiled {
            labels,
            spelling,
            mode,
            type_map,
            ids,
            tags,
            types,
            chunk_types,
            alphabet,
        })))
    }

    /// The labels, in class-index order.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.0.labels
    }

    /// The id of a label, the first one if it repeats.
    #[must_use]
    pub fn id(&self, label: &str) -> Option<i32> {
        self.0.ids.get(label).copied()
    }

    /// The entity types of the list, sorted by code point; `_` stands for bare labels, and the
    /// empty text where labels are read as conlleval.pl reads them.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.chunk_types().map(|(_, name)| name)
    }

    /// How chunks are found.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.0.mode
    }

    pub(crate) fn rules(&self) -> &'static Rules {
        self.0.mode.rules()
    }

    /// Position and type of an id; unknown ids read as `O`.
    pub(crate) fn tag(&self, id: i32) -> (Position, u32) {
        let known = usize::try_from(id).ok().and_then(|i| self.0.tags.get(i).copied());
        known.unwrap_or(Self::OUTSIDE)
    }

    /// Position and type index of each label.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (Position, u32)> {
        self.0.tags.iter().copied()
    }

    /// How many types there are, those without chunks included.
    pub(crate) fn type_count(&self) -> usize {
        self.0.types.len()
    }

    pub(crate) fn type_name(&self, index: u32) -> &str {
        self.0.types.get(index as usize).map_or("", |t| t)
    }

    /// The types that chunks can have, with their index.
    pub(crate) fn chunk_types(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.chunk_types.iter().map(|&index| (index, &*self.0.types[index]))
    }

    pub(crate) fn alphabet(&self) -> &Alphabet {
        &self.0.alphabet
    }
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TagSet").field(&self.fingerprint().as_str()).finish()
    }
}

/// Whether a tag at a position can be part of a chunk.
fn in_chunk(position: Position) -> bool {
    !matches!(position, Position::Outside | Position::Dot)
}

/// Labels as if they had been spelled with other types.
fn map_types<'a>(
    labels: Vec<(Position, &'a str)>,
    types: &'a TypeMap,
    no_type: &'a str,
) -> Result<Vec<(Position, &'a str)>> {
    let of_chunks = labels.iter().filter(|(position, _)| in_chunk(*position));
    types.check(&of_chunks.map(|&(_, t)| t).collect())?;
    let map = |(position, found): (Position, &'a str)| {
        if !in_chunk(position) && found == no_type {
            return (position, found); // `O` itself
        }
        types.apply(found).map_or((Position::Outside, no_type), |t| (position, t))
    };
    Ok(labels.into_iter().map(map).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Notation, Scheme};

    #[test]
    fn duplicates_and_bare_labels() {
        let tags = TagSet::new(["O", "B", "I", "B", "O"], TagStyle::Suffix).unwrap();
        assert_eq!(tags.id("B"), Some(1));
        assert_eq!(tags.tag(3), tags.tag(1));
        assert_eq!(tags.types().collect::<Vec<_>>(), ["_"]);
        assert_eq!(tags.tag(-1), tags.tag(0));
        assert_eq!(tags.tag(99), tags.tag(0));
    }

    #[test]
    fn lists_without_labels_or_with_an_empty_one() {
        assert!(TagSet::new([""; 0], TagStyle::Prefix).is_err());
        assert!(TagSet::seqeval(["O", ""], TagStyle::Prefix).is_err());
    }

    #[test]
    fn options_that_contradict_each_other() {
        let refused = |builder: crate::TagSetBuilder| builder.build().unwrap_err().to_string();
        let list = || TagSet::builder(["O", "B-X", "B-Y"]);
        let scheme = list().notation(Notation::Bmes).mode(Mode::Strict(Scheme::Iob2));
        assert_eq!(refused(scheme), "notation: BMES is a notation of IOBES, not of IOB2");
        let seqeval = list().notation(Notation::Bmes).reading(LabelReading::Reference);
        assert!(refused(seqeval).starts_with("notation: the references' reading"));
        assert!(
            refused(list().delimiter("_").reading(LabelReading::Reference)).contains("delimiter")
        );
        let typo = list().ignore_types(["x"]);
        assert_eq!(refused(typo), "ignore_types: no label has the entity type \"x\"");
        let twice = list().merge_types([("X", "Z"), ("X", "Y")]);
        assert_eq!(refused(twice), "merge_types: the entity type \"X\" is named twice");
        assert!(refused(list().merge_types([("X", "")])).contains("an empty one"));
        let lost = list().merge_types([("X", "Y")]).ignore_types(["Y"]);
        assert_eq!(
            refused(lost),
            "merge_types: the entity type \"X\" would become \"Y\", which is left out"
        );
    }

    #[test]
    fn types_are_mapped_once() {
        let labels = ["O", "B-X", "I-X", "B-Y", "I-Y", "B-Z"];
        let swapped = TagSet::builder(labels).merge_types([("X", "Y"), ("Y", "X")]);
        let swapped = swapped.ignore_types(["Z"]).build().unwrap();
        assert_eq!(swapped.types().collect::<Vec<_>>(), ["X", "Y"]);
        let chunks = swapped.entities(&[1, 2, 5, 3, 4]);
        let found: Vec<_> = chunks.iter().map(|c| (c.entity_type, c.start, c.end)).collect();
        assert_eq!(found, [("Y", 0, 2), ("X", 3, 5)]);
        assert!(swapped.fingerprint().as_str().contains(r#"types=["X"="Y","Y"="X","Z"=O]"#));
    }
}
