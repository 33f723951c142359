//! A chunk: an entity type and where it stands.

use std::ops::Range;

use serde::Serialize;

use super::{Counting, TagSet};

/// One chunk (entity) of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Chunk<'a> {
    /// Offset of the first token.
    pub start: usize,
    /// Offset after the last token (seqeval prints the last token itself, which is one less).
    pub end: usize,
    /// The entity type; `_` for labels without one (see [`TagSet::types`]).
    pub entity_type: &'a str,
}

/// A chunk with the index of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) entity_type: u32,
}

impl Span {
    /// The same so many tokens further.
    pub(crate) fn moved(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by, ..self }
    }

    pub(crate) fn named(self, tags: &TagSet) -> Chunk<'_> {
        let Self { start, end, entity_type } = self;
        Chunk { start, end, entity_type: tags.type_name(entity_type) }
    }
}

impl Chunk<'_> {
    /// The offsets of the tokens.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl TagSet {
    /// The chunks of one row of tag ids, in the order in which they end.
    ///
    /// Ids outside the label list read as `O`. This is the plain reading of the rules, one token
    /// at a time; the counting kernel gives the same chunks without listing them.
    ///
    /// ```
    /// use chunkeval_core::{Chunk, TagSet, TagStyle};
    ///
    /// let tags = TagSet::new(["O", "B-PER", "I-PER"], TagStyle::Prefix)?;
    /// assert_eq!(
    ///     tags.entities(&[1, 2, 0, 2]),
    ///     [
    ///         Chunk { start: 0, end: 2, entity_type: "PER" },
    ///         Chunk { start: 3, end: 4, entity_type: "PER" },
    ///     ],
    /// );
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// Under [`Mode::Conlleval`](crate::Mode::Conlleval) the counts are not made of spans. Here
    /// each start is one chunk, as in the counts, and goes on until something ends or starts, or
    /// the row ends. Well-formed rows of `B`, `I` and `O` give the counts back when both sides are
    /// intersected; other letters may not, since conlleval.pl can open a chunk where it ends none.
    #[must_use]
    pub fn entities(&self, ids: &[i32]) -> Vec<Chunk<'_>> {
        match self.rules().counting {
            Counting::Ends | Counting::OpenedEnds => {
                self.spans(ids).map(|span| span.named(self)).collect()
            }
            Counting::Starts => self.started(ids),
        }
    }

    /// The chunks of a row where each end is one, which they are in all modes but conlleval's.
    pub(crate) fn spans(&self, ids: &[i32]) -> impl Iterator<Item = Span> {
        let opens = self.rules().counting == Counting::OpenedEnds;
        let outside = TagSet::OUTSIDE;
        let mut previous = outside;
        // An end without a start of its own keeps the begin of an earlier chunk, as in seqeval.
        let mut begin = 0;
        let mut open = false;
        let row_end = std::iter::once(outside);
        let tags = ids.iter().map(|&id| self.tag(id)).chain(row_end);
        tags.enumerate().filter_map(move |(i, current)| {
            let step = self.rules().step(previous.0, current.0, previous.1 == current.1);
            // Where chunks must be opened, an open one that goes on neither ends nor starts again.
            let goes_on = open && step.inside;
            let ends = step.end && !goes_on && (open || !opens);
            let span = Span { start: begin, end: i, entity_type: previous.1 };
            if step.start && !goes_on {
                begin = i;
            }
            open = step.start || goes_on;
            previous = current;
            ends.then_some(span)
        })
    }

    /// Whether a row has a chunk.
    pub(crate) fn has_chunk(&self, ids: &[i32]) -> bool {
        match self.rules().counting {
            Counting::Ends | Counting::OpenedEnds => self.spans(ids).next().is_some(),
            Counting::Starts => {
                let mut previous = TagSet::OUTSIDE;
                ids.iter().map(|&id| self.tag(id)).any(|current| {
                    let same_type = previous.1 == current.1;
                    let step = self.rules().step(previous.0, current.0, same_type);
                    previous = current;
                    step.start
                })
            }
        }
    }

    /// The chunks where each start is one.
    fn started(&self, ids: &[i32]) -> Vec<Chunk<'_>> {
        let mut chunks = Vec::new();
        let mut open: Option<(usize, u32)> = None;
        let mut close = |begin: Option<(usize, u32)>, end| {
            if let Some((start, slot)) = begin {
                chunks.push(Chunk { start, end, entity_type: self.type_name(slot) });
            }
        };
        let mut previous = TagSet::OUTSIDE;
        for (i, current) in ids.iter().map(|&id| self.tag(id)).enumerate() {
            let step = self.rules().step(previous.0, current.0, previous.1 == current.1);
            if step.end || step.start {
                close(open.take(), i);
            }
            if step.start {
                open = Some((i, current.1));
            }
            previous = current;
        }
        close(open, ids.len());
        chunks
    }
}
