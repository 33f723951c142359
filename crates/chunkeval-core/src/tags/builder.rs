//! How a label list is compiled.

use super::read::Spelling;
use super::types::TypeMap;
use super::{LabelReading, Mode, Notation, TagSet, TagStyle};
use crate::Result;

/// The options of a [`TagSet`]: how labels are spelled, how chunks are found in them, and which
/// entity types count.
///
/// ```
/// use chunkeval_core::TagSet;
///
/// // Fine types scored as coarse ones, and one that does not count.
/// let tags = TagSet::builder(["O", "B-actor", "I-actor", "B-director", "B-MISC"])
///     .merge_types([("actor", "PER"), ("director", "PER")])
///     .ignore_types(["MISC"])
///     .build()?;
/// assert_eq!(tags.types().collect::<Vec<_>>(), ["PER"]);
/// assert_eq!(tags.entities(&[1, 2, 4, 3]).len(), 2);
///
/// // A `_` where most have a `-`.
/// assert!(TagSet::builder(["O", "B_PER"]).delimiter("_").build().is_ok());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct TagSetBuilder {
    pub(super) labels: Vec<String>,
    pub(super) spelling: Spelling,
    pub(super) mode: Mode,
    pub(super) types: TypeMap,
}

impl TagSet {
    /// Compiles a label list in class-index order, with options.
    pub fn builder<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> TagSetBuilder {
        TagSetBuilder {
            labels: labels.into_iter().map(Into::into).collect(),
            spelling: Spelling::default(),
            mode: Mode::default(),
            types: TypeMap::default(),
        }
    }
}

impl TagSetBuilder {
    /// Where the position stands in a label; [`TagStyle::Prefix`] if not said.
    pub fn style(mut self, style: TagStyle) -> Self {
        self.spelling.style = style;
        self
    }

    /// How labels are read; [`LabelReading::Strict`] if not said.
    pub fn reading(mut self, reading: LabelReading) -> Self {
        self.spelling.reading = reading;
        self
    }

    /// Which letters the labels use; [`Notation::Usual`] if not said.
    pub fn notation(mut self, notation: Notation) -> Self {
        self.spelling.notation = notation;
        self
    }

    /// What stands between position and type; `-` if not said, and nothing if empty (`BPER`).
    ///
    /// A strict scheme read as seqeval does strips all of its characters from both ends of the
    /// type, as seqeval does with its `delimiter`.
    pub fn delimiter(mut self, delimiter: impl Into<String>) -> Self {
        self.spelling.delimiter = delimiter.into();
        self
    }

    /// How chunks are found; [`Mode::Lenient`] if not said.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Scores entity types as others, as if the labels had been spelled so: `(from, into)`.
    ///
    /// Each label is looked up once, as it is in the list: `X` into `Y` and `Y` into `Z` leaves
    /// what was `X` a `Y`, and two types can change places.
    pub fn merge_types<A: Into<String>, B: Into<String>>(
        mut self,
        types: impl IntoIterator<Item = (A, B)>,
    ) -> Self {
        for (from, into) in types {
            self.types.merge(from.into(), into.into());
        }
        self
    }

    /// Leaves entity types out: their labels read as `O`, gold and predicted ones alike.
    pub fn ignore_types<S: Into<String>>(mut self, types: impl IntoIterator<Item = S>) -> Self {
        for entity_type in types {
            self.types.ignore(entity_type.into());
        }
        self
    }

    /// The compiled list.
    ///
    /// # Errors
    /// - The list is empty, or has labels that cannot be read; the error names them all. Under a
    ///   strict scheme that includes labels with a letter that it does not have, in either
    ///   reading. seqeval raises that when it meets the tag in the data; here it is the list that
    ///   must be right.
    /// - Options contradict each other: a notation of other letters with a scheme that is not
    ///   IOBES, or with the references' own readings, which know one notation and in lenient modes
    ///   one delimiter.
    /// - A type to merge or to leave out is on no label, or is named twice; or a type is merged
    ///   into one that is left out.
    pub fn build(self) -> Result<TagSet> {
        TagSet::compile(self)
    }
}
