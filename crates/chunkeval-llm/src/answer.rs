//! What a model's text says, and how it had to be read.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Entities, Fault, Matching, Repair, RepairKind};

/// A model's text, read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Whether and how it could be read.
    pub status: AnswerStatus,
    /// The entities; none of an answer that cannot be read.
    pub entities: Entities,
    /// What had to be repaired, in the order of [`RepairKind::ALL`]; nothing in the strict reading.
    pub repairs: Vec<Repair>,
    /// The items that gave no entity.
    pub malformed: Vec<Malformed>,
    /// Predictions of the strict reading that equal no text: see [`Unmatchable`].
    pub unmatchable: Vec<Unmatchable>,
    /// Why the answer cannot be read, if it cannot.
    pub fault: Option<Fault>,
}

impl Answer {
    /// Whether the answer could be read: the status is clean, repaired or empty.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.status.is_readable()
    }

    /// Whether the answer was cut off, as by a limit of tokens, and what is there was read.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.repair(RepairKind::Truncated).is_some()
    }

    /// The repairs of a kind.
    #[must_use]
    pub fn repair(&self, kind: RepairKind) -> Option<&Repair> {
        self.repairs.iter().find(|repair| repair.kind == kind)
    }

    /// With one more repair, if it could be read.
    pub(crate) fn repaired(mut self, repair: Repair) -> Self {
        if !self.is_readable() {
            return self;
        }
        if self.status == AnswerStatus::Clean {
            self.status = AnswerStatus::Repaired;
        }
        match self.repairs.binary_search_by_key(&repair.kind, |repair| repair.kind) {
            Ok(at) => {
                if let Some(same) = self.repairs.get_mut(at) {
                    same.count += repair.count;
                    same.offset = same.offset.min(repair.offset);
                }
            }
            Err(at) => self.repairs.insert(at, repair),
        }
        self
    }

    pub(crate) fn unreadable(status: AnswerStatus, fault: Fault) -> Self {
        Self {
            status,
            entities: Entities::default(),
            repairs: Vec::new(),
            malformed: Vec::new(),
            unmatchable: Vec::new(),
            fault: Some(fault),
        }
    }
}

/// Whether and how an answer could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// As it stands.
    Clean,
    /// With repairs.
    Repaired,
    /// It can be read and names no type: `{}`, `[]`, `null`. It may have been repaired, too.
    Empty,
    /// It cannot be read, or there is no text.
    Unparsable,
    /// It can be read and is no answer: a list of strings, a number.
    WrongShape,
}

impl AnswerStatus {
    /// All five, in the order of reports.
    pub const ALL: [Self; 5] =
        [Self::Clean, Self::Repaired, Self::Empty, Self::Unparsable, Self::WrongShape];

    /// The name in reports: `clean`, `repaired`, `empty`, `unparsable` or `wrong_shape`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Repaired => "repaired",
            Self::Empty => "empty",
            Self::Unparsable => "unparsable",
            Self::WrongShape => "wrong_shape",
        }
    }

    /// Whether there is something to score: clean, repaired or empty.
    #[must_use]
    pub fn is_readable(self) -> bool {
        matches!(self, Self::Clean | Self::Repaired | Self::Empty)
    }
}

impl fmt::Display for AnswerStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An item of a readable answer that gave no entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Malformed {
    /// What is wrong with it.
    pub kind: MalformedKind,
    /// The type it stands under, if it has one.
    pub entity_type: Option<String>,
    /// The byte of the answer at which it begins.
    pub offset: usize,
    /// Its text, or the beginning of it.
    pub shown: String,
}

/// What can be wrong with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MalformedKind {
    /// `null` or `None` where an entity or a list of them should be.
    Null,
    /// An empty entity, or one of nothing but space.
    EmptyEntity,
    /// An empty type; all that stands under it is left out.
    EmptyType,
    /// An entity object without a type, or with one that is no text.
    NoType,
    /// An object that holds no entity.
    NoEntity,
    /// An entity object whose entity is a number, `true` or `false`.
    NotText,
    /// Something else among entity objects.
    NotAnObject,
}

impl MalformedKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Null,
        Self::EmptyEntity,
        Self::EmptyType,
        Self::NoType,
        Self::NoEntity,
        Self::NotText,
        Self::NotAnObject,
    ];

    /// The name in reports: `null`, `empty_entity`, …
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::EmptyEntity => "empty_entity",
            Self::EmptyType => "empty_type",
            Self::NoType => "no_type",
            Self::NoEntity => "no_entity",
            Self::NotText => "not_text",
            Self::NotAnObject => "not_an_object",
        }
    }
}

impl fmt::Display for MalformedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A prediction that is no text and so equals no gold entity, but counts as predicted: the published
/// loop keeps the number 2008 in its sets, which never equals `"2008"`.
///
/// Only the strict reading has these; listed once for each type and value, with its repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmatchable {
    /// The type it stands under.
    pub entity_type: String,
    /// Which kind of value it is.
    pub kind: UnmatchableKind,
    /// The value as Python prints it.
    pub shown: String,
    /// How often the type has an equal value again: `1` twice in `[1, 1.0, True]`. A set has one of
    /// them, so only [`Matching::Multiset`] counts these as predicted.
    pub repeats: u64,
}

impl Unmatchable {
    /// How many predictions it is under a rule: with its repeats in multisets, and else one.
    #[must_use]
    pub fn predictions(&self, matching: Matching) -> u64 {
        match matching {
            Matching::Multiset => 1 + self.repeats,
            Matching::Set | Matching::Grounded => 1,
        }
    }
}

/// Why a prediction equals no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnmatchableKind {
    /// A number, `None`, `True`, bytes, a tuple: anything but a string.
    NotText,
    /// A string with half of a surrogate pair, which UTF-8 cannot hold.
    LoneSurrogate,
    /// Whatever stands under a key that is no such string.
    Key,
}
