//! [`Matching`]: when a predicted entity is a gold one.

use std::fmt;
use std::str::FromStr;

use chunkeval_core::{Error, Result};

/// When a predicted entity of a record is a gold one. Entities of different types never match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matching {
    /// By their texts, as sets: an entity that is listed twice counts once. The published way.
    #[default]
    Set,
    /// By their texts, as multisets: an entity that is listed twice must be found twice.
    Multiset,
    /// By where they stand in the record's text; see [`ground`](crate::ground). Spellings that the
    /// normalisation makes equal match if they mean the same place. Entities that do not stand in
    /// the text, and all of a record without one, match by their normalised texts: an invented one
    /// that the gold entities have, too, is correct. A mention that is listed more often than it
    /// stands in the text is dropped, so repeats cost nothing; they are counted as
    /// [`repeated`](crate::MentionCounts::repeated).
    Grounded,
}

impl Matching {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Set, Self::Multiset, Self::Grounded];

    /// The name, `set` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Multiset => "multiset",
            Self::Grounded => "grounded",
        }
    }
}

impl fmt::Display for Matching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `set`, `multiset` or `grounded`.
impl FromStr for Matching {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|matching| matching.name() == name);
        known.ok_or_else(|| {
            Error::config("matching", format!("{name:?} is not set, multiset or grounded"))
        })
    }
}
