//! What can be wrong with a tag.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ErrorKind, Result};

/// One of the two sides of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The gold tags.
    Gold,
    /// The predicted tags.
    Predicted,
}

/// What is wrong with a tag at its place. The first six make a row ill-formed under a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TagFault {
    /// A tag that goes on with a chunk where none is open: `I` after `O` in IOB2; `I`, `E` or `L`
    /// after anything but a `B` or `I` in IOBES and BILOU.
    Stray,
    /// A tag that goes on with a chunk of another type: `I-LOC` after `B-PER`.
    TypeChange,
    /// The last tag of a chunk that is not closed: `B` or `I` without an `E` or `L` in IOBES and
    /// BILOU, `I` without an `E` in IOE2.
    Unfinished,
    /// A `B` in IOB1 that parts nothing: the tag before it has another type, or is `O`.
    NeedlessBegin,
    /// An `E` in IOE1 that parts nothing: the tag behind it has another type, or is `O`.
    NeedlessEnd,
    /// A label that the scheme does not have, `S-PER` in IOB2 for example. For its neighbours it
    /// counts as `O`.
    ForeignLabel,
    /// A predicted id outside the label list. It reads as `O`.
    UnknownId,
    /// A token that was not predicted ([`MISSING_PREDICTION`](crate::MISSING_PREDICTION)). It
    /// reads as `O`.
    MissingPrediction,
}

/// How often each fault occurred on one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TagFaultCounts {
    /// See [`TagFault::Stray`].
    pub stray: u64,
    /// See [`TagFault::TypeChange`].
    pub type_change: u64,
    /// See [`TagFault::Unfinished`].
    pub unfinished: u64,
    /// See [`TagFault::NeedlessBegin`].
    pub needless_begin: u64,
    /// See [`TagFault::NeedlessEnd`].
    pub needless_end: u64,
    /// See [`TagFault::ForeignLabel`].
    pub foreign_label: u64,
    /// See [`TagFault::UnknownId`]; 0 on the gold side, where it is an error.
    pub unknown_id: u64,
    /// See [`TagFault::MissingPrediction`]; 0 on the gold side, where it is an error.
    pub missing_prediction: u64,
}

impl TagFault {
    /// All faults, in order.
    pub const ALL: [Self; 8] = [
        Self::Stray,
        Self::TypeChange,
        Self::Unfinished,
        Self::NeedlessBegin,
        Self::NeedlessEnd,
        Self::ForeignLabel,
        Self::UnknownId,
        Self::MissingPrediction,
    ];

    /// The name, `type_change` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stray => "stray",
            Self::TypeChange => "type_change",
            Self::Unfinished => "unfinished",
            Self::NeedlessBegin => "needless_begin",
            Self::NeedlessEnd => "needless_end",
            Self::ForeignLabel => "foreign_label",
            Self::UnknownId => "unknown_id",
            Self::MissingPrediction => "missing_prediction",
        }
    }
}

impl fmt::Display for TagFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl TagFaultCounts {
    /// How often a fault occurred.
    #[must_use]
    pub fn count(&self, fault: TagFault) -> u64 {
        let mut counts = *self;
        *counts.of(fault)
    }

    /// How many faults make rows ill-formed: all but unknown ids and missing predictions.
    #[must_use]
    pub fn ill_formed(&self) -> u64 {
        let read_as_outside = [TagFault::UnknownId, TagFault::MissingPrediction];
        let faults = TagFault::ALL.into_iter().filter(|fault| !read_as_outside.contains(fault));
        faults.fold(0, |sum, fault| self.count(fault).saturating_add(sum))
    }

    pub(super) fn of(&mut self, fault: TagFault) -> &mut u64 {
        match fault {
            TagFault::Stray => &mut self.stray,
            TagFault::TypeChange => &mut self.type_change,
            TagFault::Unfinished => &mut self.unfinished,
            TagFault::NeedlessBegin => &mut self.needless_begin,
            TagFault::NeedlessEnd => &mut self.needless_end,
            TagFault::ForeignLabel => &mut self.foreign_label,
            TagFault::UnknownId => &mut self.unknown_id,
            TagFault::MissingPrediction => &mut self.missing_prediction,
        }
    }

    pub(super) fn plus(mut self, other: &Self) -> Result<Self> {
        for fault in TagFault::ALL {
            let sum = self.count(fault).checked_add(other.count(fault));
            *self.of(fault) = sum.ok_or_else(|| ErrorKind::Overflow)?;
        }
        Ok(self)
    }
}
