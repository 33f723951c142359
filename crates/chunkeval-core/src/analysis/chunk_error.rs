//! One error, with the chunks that it is about.

use serde::Serialize;

use super::kind::ChunkErrorKind;
use super::matching::Matcher;
use crate::Chunk;
use crate::tags::Span;

/// One error: where it is, its kind, and the chunks it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct ChunkError<'a> {
    /// The row, counted from 0 over the whole stream.
    pub row: u64,
    /// What is wrong.
    pub kind: ChunkErrorKind,
    /// The gold chunk; `None` if the predicted one is spurious.
    pub gold: Option<Chunk<'a>>,
    /// The predicted chunk; `None` if the gold one was missed.
    pub predicted: Option<Chunk<'a>>,
}

impl<'a> ChunkError<'a> {
    /// The errors between the gold and the predicted chunks of one text, in the order of the gold
    /// chunks, then of the spurious ones. Chunks may be nested and may come in any order; `row` is
    /// the number that the errors get.
    ///
    /// [`ChunkErrors`](crate::ChunkErrors) finds the same over rows of tags, and says how chunks
    /// are paired.
    ///
    /// ```
    /// use chunkeval_core::{Chunk, ChunkError, ChunkErrorKind};
    ///
    /// let chunk = |start, end, entity_type| Chunk { start, end, entity_type };
    /// let gold = [chunk(0, 2, "PER"), chunk(3, 5, "LOC"), chunk(6, 7, "ORG")];
    /// let predicted = [chunk(0, 2, "ORG"), chunk(3, 4, "LOC"), chunk(8, 9, "MISC")];
    /// let errors = ChunkError::between(0, &gold, &predicted);
    /// let kinds: Vec<ChunkErrorKind> = errors.iter().map(|error| error.kind).collect();
    /// use ChunkErrorKind::{Missed, Spurious, TooShort, TypeError};
    /// assert_eq!(kinds, [TypeError, TooShort, Missed, Spurious]);
    /// assert_eq!(errors[0].predicted.unwrap().entity_type, "ORG");
    /// ```
    #[must_use]
    pub fn between(row: u64, gold: &[Chunk<'a>], predicted: &[Chunk<'a>]) -> Vec<Self> {
        let mut types: Vec<&str> = gold.iter().chain(predicted).map(|c| c.entity_type).collect();
        types.sort_unstable();
        types.dedup();
        let index = |t: &str| types.binary_search(&t).map_or(u32::MAX, |i| i as u32);
        let spans = |chunks: &[Chunk<'a>]| {
            let span = |c: &Chunk<'a>| Span {
                start: c.start,
                end: c.end,
                entity_type: index(c.entity_type),
            };
            let mut spans: Vec<Span> = chunks.iter().map(span).collect();
            spans.sort_unstable();
            spans
        };
        let name = |span: Span| {
            let entity_type = types.get(span.entity_type as usize).copied().unwrap_or_default();
            Chunk { start: span.start, end: span.end, entity_type }
        };
        let mut matcher = Matcher::of(spans(gold), spans(predicted));
        let mut errors = Vec::new();
        matcher.pair(|gold, predicted| {
            if let Some(kind) = ChunkErrorKind::of(gold, predicted) {
                let (gold, predicted) = (gold.map(name), predicted.map(name));
                errors.push(Self { row, kind, gold, predicted });
            }
        });
        errors
    }
}
