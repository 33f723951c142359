//! [`HealthKind`]: what can be said of an answer besides its entities.

use std::fmt;

use chunkeval_core::Result;
use serde::{Deserialize, Serialize};

use crate::state::{add, malformed};

/// What can be said of an answer besides its entities. One answer can be of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HealthKind {
    /// Read as it stands.
    Clean,
    /// Read after it was mended.
    Repaired,
    /// It ends before its end: a string, list or object is not closed.
    Truncated,
    /// Not read: no data was found in it, or data of another shape than types and entities.
    Unreadable,
    /// Read, but something is not as it was asked for: a type is missing, a value is null, or an
    /// item is no entity.
    WrongSchema,
    /// A type has the same entity twice.
    Duplicated,
    /// It has a type that was not asked for.
    UnknownType,
    /// It has an entity that does not stand in the text.
    Invented,
}

impl HealthKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Clean,
        Self::Repaired,
        Self::Truncated,
        Self::Unreadable,
        Self::WrongSchema,
        Self::Duplicated,
        Self::UnknownType,
        Self::Invented,
    ];

    /// The name, `wrong_schema` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Repaired => "repaired",
            Self::Truncated => "truncated",
            Self::Unreadable => "unreadable",
            Self::WrongSchema => "wrong_schema",
            Self::Duplicated => "duplicated",
            Self::UnknownType => "unknown_type",
            Self::Invented => "invented",
        }
    }
}

impl fmt::Display for HealthKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which answer: its line, its id if it has one, and its file if there are several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordId {
    /// The number of the line, from 1.
    pub line: u64,
    /// The file, if records of several files are counted together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The record's own id.
    pub id: Option<String>,
}

/// `line 3`, or `line 3 (id abc)`; with a file `a.jsonl:3 (id abc)`.
impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line)?,
            None => write!(f, "line {}", self.line)?,
        }
        match &self.id {
            Some(id) => write!(f, " (id {id})"),
            None => Ok(()),
        }
    }
}

/// How many answers are of a kind, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Health {
    /// How many answers.
    pub answers: u64,
    /// Those with the lowest line numbers, in order, as many as were asked for.
    pub first: Vec<RecordId>,
}

impl Health {
    /// One more answer; of the first ones, `most` are kept.
    pub(crate) fn add(&mut self, id: impl FnOnce() -> RecordId, line: u64, most: usize) {
        self.answers = self.answers.saturating_add(1);
        let full = self.first.len() >= most;
        if most == 0 || full && self.first.last().is_some_and(|last| last.line < line) {
            return;
        }
        let id = id();
        let at = self.first.partition_point(|other| *other <= id);
        self.first.insert(at, id);
        self.first.truncate(most);
    }

    /// The answers of both; of the first ones, `most` are kept.
    pub(crate) fn plus(&self, other: &Self, most: usize) -> Result<Self> {
        let answers = add(self.answers, other.answers)?;
        let mut first = [&*self.first, &*other.first].concat();
        first.sort();
        first.truncate(most);
        Ok(Self { answers, first })
    }

    /// Says which file those are from of which it is not known.
    pub(crate) fn name_file(&mut self, file: &str) {
        for id in &mut self.first {
            id.file.get_or_insert_with(|| file.to_owned());
        }
        self.first.sort();
    }

    /// That it can have been measured.
    pub(crate) fn check(&self) -> Result<()> {
        let fits = self.first.len() as u64 <= self.answers;
        match fits && self.first.is_sorted() {
            true => Ok(()),
            false => {
                Err(malformed("the first answers of a kind are more than there are, or unsorted"))
            }
        }
    }
}
