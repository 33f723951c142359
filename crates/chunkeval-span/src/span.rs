//! A span: an entity type and where it stands in a document.

use chunkeval_core::Chunk;
use serde::Serialize;

use crate::SpanError;

/// One span of a document. Offsets are half-open and may be of any unit (tokens, characters, bytes,
/// UTF-16 units), the same on both sides; [`TextOffsets`](crate::TextOffsets) converts and checks them.
///
/// ```
/// use chunkeval_span::{End, Span};
///
/// let span = Span::from(("PER", 0, 2));
/// assert_eq!(Span::read("PER", 0, 1, End::Inclusive)?, span); // the last position, not the one after
/// assert!(Span::read("PER", 3, 2, End::Inclusive).is_err());
/// # Ok::<(), chunkeval_span::SpanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Span<'a> {
    /// The entity type.
    pub entity_type: &'a str,
    /// Offset of the first position.
    pub start: usize,
    /// Offset after the last position.
    pub end: usize,
}

/// What the end of a span names in the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// The position after the last one, as in Rust and Python slices.
    #[default]
    Exclusive,
    /// The last position itself, as in nervaluate and seqeval's `get_entities`.
    Inclusive,
}

impl<'a> Span<'a> {
    /// A span from offsets whose end is to be read as `ends` says.
    ///
    /// # Errors
    /// The end lies before the start, or the offset after it does not fit.
    pub fn read(
        entity_type: &'a str,
        start: usize,
        end: usize,
        ends: End,
    ) -> Result<Self, SpanError> {
        let range = ends.half_open(start, end)?;
        Ok(Self { entity_type, start, end: range.end })
    }
}

impl End {
    /// `start..end` as a half-open range.
    pub(crate) fn half_open(
        self,
        start: usize,
        end: usize,
    ) -> Result<std::ops::Range<usize>, SpanError> {
        if end < start {
            return Err(SpanError::EndBeforeStart { start: fit(start)?, end: fit(end)? });
        }
        let end = match self {
            End::Exclusive => end,
            End::Inclusive => end.checked_add(1).ok_or(SpanError::TooLarge { offset: end })?,
        };
        Ok(start..end)
    }
}

/// An offset as it is kept.
pub(crate) fn fit(offset: usize) -> Result<i64, SpanError> {
    i64::try_from(offset).map_err(|_| SpanError::TooLarge { offset })
}

/// Type, start and half-open end.
impl<'a> From<(&'a str, usize, usize)> for Span<'a> {
    fn from((entity_type, start, end): (&'a str, usize, usize)) -> Self {
        Self { entity_type, start, end }
    }
}

/// A chunk of a row of tags; its offsets count tokens.
impl<'a> From<Chunk<'a>> for Span<'a> {
    fn from(chunk: Chunk<'a>) -> Self {
        Self { entity_type: chunk.entity_type, start: chunk.start, end: chunk.end }
    }
}
