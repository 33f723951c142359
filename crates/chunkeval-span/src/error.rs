//! What can be wrong with a span.

use chunkeval_core::Error;

use crate::{Side, Unit};

/// A span that cannot be: what is wrong, and which span it is.
///
/// As a [`chunkeval_core::Error`] it is of kind [`Custom`](chunkeval_core::ErrorKind::Custom).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpanError {
    /// The end lies before the start.
    #[error("the end {end} lies before the start {start}")]
    EndBeforeStart {
        /// The start.
        start: i64,
        /// The end, as it was given.
        end: i64,
    },
    /// An offset beyond the end of the text.
    #[error("offset {offset} lies beyond the end of the text, which has {length} {unit}")]
    BeyondEnd {
        /// The offset.
        offset: usize,
        /// The length of the text.
        length: usize,
        /// What both count.
        unit: Unit,
    },
    /// An offset between the bytes or the UTF-16 units of one character.
    #[error("offset {offset} in {unit} lies inside a character")]
    InsideCharacter {
        /// The offset.
        offset: usize,
        /// What it counts.
        unit: Unit,
    },
    /// An offset that does not fit 63 bits.
    #[error("offset {offset} is too large")]
    TooLarge {
        /// The offset.
        offset: usize,
    },
    /// A gold span without length, of which nervaluate would take a share (it divides by zero).
    #[error("an empty gold span, which nervaluate's rule divides by")]
    EmptyGold,
    /// One of these, and where.
    #[error("document {document}, {} span {index}: {error}", name(*side))]
    At {
        /// The document, from 0, as it is numbered in its [`SpanDocs`](crate::SpanDocs).
        document: usize,
        /// The side.
        side: Side,
        /// The index of the span in the document, from 0.
        index: usize,
        /// What is wrong with it.
        error: Box<SpanError>,
    },
}

impl SpanError {
    pub(crate) fn at(self, document: usize, side: Side, index: usize) -> Self {
        Self::At { document, side, index, error: Box::new(self) }
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Gold => "gold",
        Side::Predicted => "predicted",
    }
}

impl From<SpanError> for Error {
    fn from(error: SpanError) -> Self {
        Error::custom(error)
    }
}
