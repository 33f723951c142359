//! The kinds of errors that are made with chunks.

use std::fmt;

use serde::Serialize;

use crate::tags::Span;

/// What is wrong with a gold chunk, a predicted chunk, or a pair of both.
///
/// Every chunk of either side is correct or in exactly one error, so the kinds add up: correct
/// chunks and all errors but the [spurious](ChunkErrorKind::Spurious) ones are the gold chunks;
/// correct chunks and all errors but the [missed](ChunkErrorKind::Missed) ones are the predicted
/// chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChunkErrorKind {
    /// The same span with another type.
    TypeError,
    /// The same type, and the predicted chunk holds the gold one and more.
    TooLong,
    /// The same type, and the predicted chunk is a part of the gold one.
    TooShort,
    /// The same type, and each chunk has tokens that the other lacks.
    Shifted,
    /// Another type and another span, which overlap.
    TypeAndBoundary,
    /// A gold chunk with no predicted chunk left that overlaps it.
    Missed,
    /// A predicted chunk with no gold chunk left that overlaps it.
    Spurious,
}

impl ChunkErrorKind {
    /// All kinds, in order.
    pub const ALL: [Self; 7] = [
        Self::TypeError,
        Self::TooLong,
        Self::TooShort,
        Self::Shifted,
        Self::TypeAndBoundary,
        Self::Missed,
        Self::Spurious,
    ];

    /// The name, `too_long` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TypeError => "type_error",
            Self::TooLong => "too_long",
            Self::TooShort => "too_short",
            Self::Shifted => "shifted",
            Self::TypeAndBoundary => "type_and_boundary",
            Self::Missed => "missed",
            Self::Spurious => "spurious",
        }
    }

    /// The name for people: `too long` for example.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TypeError => "type error",
            Self::TooLong => "too long",
            Self::TooShort => "too short",
            Self::Shifted => "shifted",
            Self::TypeAndBoundary => "type and boundary",
            Self::Missed => "missed",
            Self::Spurious => "spurious",
        }
    }

    /// What is wrong with a pair, or a chunk without a partner; `None` if nothing is.
    pub(super) fn of(gold: Option<Span>, predicted: Option<Span>) -> Option<Self> {
        let (gold, predicted) = match (gold, predicted) {
            (Some(gold), Some(predicted)) => (gold, predicted),
            (Some(_), None) => return Some(Self::Missed),
            (None, predicted) => return predicted.map(|_| Self::Spurious),
        };
        let same_type = gold.entity_type == predicted.entity_type;
        if (gold.start, gold.end) == (predicted.start, predicted.end) {
            return (!same_type).then_some(Self::TypeError);
        }
        Some(if !same_type {
            Self::TypeAndBoundary
        } else if predicted.start <= gold.start && gold.end <= predicted.end {
            Self::TooLong
        } else if gold.start <= predicted.start && predicted.end <= gold.end {
            Self::TooShort
        } else {
            Self::Shifted
        })
    }
}

impl fmt::Display for ChunkErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
