//! The task of finding spans: documents with gold and predicted spans.

use std::collections::HashMap;
use std::ops::Range;

use chunkeval_core::{Batch, Task};

use crate::span::fit;
use crate::{End, Side, Span, SpanError};

/// The task of finding spans in documents. Its batch is a [`SpanBatch`].
#[derive(Debug)]
pub enum Spans {}

impl Task for Spans {
    type Batch<'a> = SpanBatch<'a>;
    type Buffer = SpanDocs;
}

/// A span as it is kept: the number of its type, half-open offsets. nervaluate's data may hold
/// negative and reversed ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) kind: u32,
    /// How the end stood in the data.
    pub(crate) ends: End,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

/// Documents that are collected to become a [`SpanBatch`].
///
/// Spans may nest and overlap, and stand in any order.
///
/// ```
/// use chunkeval_core::Batch;
/// use chunkeval_span::SpanDocs;
///
/// let mut docs = SpanDocs::default();
/// docs.push([("ORG", 0, 4), ("LOC", 2, 3)], [("ORG", 0, 4)])?; // gold, predicted
/// docs.push([("PER", 7, 9)], [])?;
/// assert_eq!(docs.batch().len(), 2);
///
/// let error = docs.push([("PER", 9, 7)], []).unwrap_err();
/// assert_eq!(error.to_string(), "document 2, gold span 0: the end 7 lies before the start 9");
/// # Ok::<(), chunkeval_span::SpanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SpanDocs {
    types: Vec<String>,
    numbers: HashMap<String, u32>,
    gold: Flat,
    predicted: Flat,
    /// Predicted tags of each document that were read as `O`.
    unread: Vec<u64>,
}

/// The spans of one side, document behind document.
#[derive(Clone, Debug, Default)]
struct Flat {
    spans: Vec<Stored>,
    ends: Vec<usize>,
}

impl SpanDocs {
    /// Adds a document.
    ///
    /// # Errors
    /// The end of a span lies before its start, or an offset does not fit 63 bits; the document is
    /// then left out as a whole.
    pub fn push<'a, S: Into<Span<'a>>>(
        &mut self,
        gold: impl IntoIterator<Item = S>,
        predicted: impl IntoIterator<Item = S>,
    ) -> Result<(), SpanError> {
        self.undo(); // what an iterator left that panicked
        let done = self
            .extend(Side::Gold, gold.into_iter().map(Into::into))
            .and_then(|()| self.extend(Side::Predicted, predicted.into_iter().map(Into::into)));
        match done {
            Ok(()) => self.close(0),
            Err(_) => self.undo(),
        }
        done
    }

    /// Forgets the documents, keeps the memory.
    pub fn clear(&mut self) {
        self.types.clear();
        self.numbers.clear();
        self.unread.clear();
        for flat in [&mut self.gold, &mut self.predicted] {
            flat.spans.clear();
            flat.ends.clear();
        }
    }

    /// The documents as a batch.
    #[must_use]
    pub fn batch(&self) -> SpanBatch<'_> {
        SpanBatch {
            types: &self.types,
            gold: self.gold.view(),
            predicted: self.predicted.view(),
            unread: &self.unread,
            first: 0,
        }
    }

    fn extend<'a>(
        &mut self,
        side: Side,
        spans: impl Iterator<Item = Span<'a>>,
    ) -> Result<(), SpanError> {
        for (index, span) in spans.enumerate() {
            let document = self.unread.len();
            let range = End::Exclusive.half_open(span.start, span.end);
            let offsets = range.and_then(|range| Ok((fit(range.start)?, fit(range.end)?)));
            let (start, end) = offsets.map_err(|error| error.at(document, side, index))?;
            self.add(side, span.entity_type, (start, end), End::Exclusive);
        }
        Ok(())
    }

    /// Forgets all documents and collects others; if that fails, none are left.
    pub(crate) fn refill(
        &mut self,
        collect: impl FnOnce(&mut Self) -> chunkeval_core::Result<()>,
    ) -> chunkeval_core::Result<SpanBatch<'_>> {
        self.clear();
        if let Err(error) = collect(self) {
            self.clear();
            return Err(error);
        }
        Ok(self.batch())
    }

    /// Adds a span to the document that is being collected, whatever its half-open offsets; `ends`
    /// says how its end stood in the data.
    pub(crate) fn add(
        &mut self,
        side: Side,
        entity_type: &str,
        (start, end): (i64, i64),
        ends: End,
    ) {
        let kind = match self.numbers.get(entity_type) {
            Some(&kind) => kind,
            None => {
                let kind = u32::try_from(self.types.len()).unwrap_or(u32::MAX);
                self.types.push(entity_type.to_owned());
                self.numbers.insert(entity_type.to_owned(), kind);
                kind
            }
        };
        let flat = match side {
            Side::Gold => &mut self.gold,
            Side::Predicted => &mut self.predicted,
        };
        flat.spans.push(Stored { kind, ends, start, end });
    }

    /// Ends the document that is being collected.
    pub(crate) fn close(&mut self, unread: u64) {
        self.gold.ends.push(self.gold.spans.len());
        self.predicted.ends.push(self.predicted.spans.len());
        self.unread.push(unread);
    }

    /// Drops the spans of a document that is not closed.
    fn undo(&mut self) {
        self.gold.undo();
        self.predicted.undo();
    }
}

impl Stored {
    /// The error of a span whose end, as it was given, lies before its start.
    pub(crate) fn check(self) -> Result<(), SpanError> {
        let start = self.start;
        let end = match self.ends {
            End::Exclusive => self.end,
            End::Inclusive => self.end.saturating_sub(1),
        };
        if end < start { Err(SpanError::EndBeforeStart { start, end }) } else { Ok(()) }
    }
}

impl Flat {
    fn undo(&mut self) {
        self.spans.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn view(&self) -> View<'_> {
        View { spans: &self.spans, ends: &self.ends, start: 0 }
    }
}

/// Gold and predicted spans of some documents, borrowed from [`SpanDocs`].
#[derive(Clone, Copy, Debug)]
pub struct SpanBatch<'a> {
    types: &'a [String],
    gold: View<'a>,
    predicted: View<'a>,
    unread: &'a [u64],
    first: usize,
}

/// The spans of one side of some documents.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    /// Those of all documents.
    spans: &'a [Stored],
    /// Where the documents of the batch end.
    ends: &'a [usize],
    /// Where the first of them starts.
    start: usize,
}

impl<'a> SpanBatch<'a> {
    /// The entity types, by number.
    pub(crate) fn types(self) -> &'a [String] {
        self.types
    }

    /// Gold and predicted spans of one document.
    pub(crate) fn document(self, document: usize) -> (&'a [Stored], &'a [Stored]) {
        (self.gold.document(document), self.predicted.document(document))
    }

    /// Gold and predicted spans of all documents.
    pub(crate) fn spans(self) -> (&'a [Stored], &'a [Stored]) {
        (self.gold.all(), self.predicted.all())
    }

    /// The number a document had before rows were cut, for error messages and cases.
    pub(crate) fn number(self, document: usize) -> usize {
        self.first.saturating_add(document)
    }

    /// How many predicted tags were read as `O`.
    pub(crate) fn unread(self) -> u64 {
        self.unread.iter().fold(0, |sum, &n| sum.saturating_add(n))
    }
}

impl<'a> View<'a> {
    fn all(self) -> &'a [Stored] {
        let end = self.ends.last().copied().unwrap_or(self.start);
        self.spans.get(self.start..end).unwrap_or_default()
    }

    fn document(self, document: usize) -> &'a [Stored] {
        let start = match document.checked_sub(1) {
            Some(before) => self.ends.get(before).copied(),
            None => Some(self.start),
        };
        let range = start.zip(self.ends.get(document).copied()).map(|(from, to)| from..to);
        range.and_then(|range| self.spans.get(range)).unwrap_or_default()
    }

    fn documents(self, range: Range<usize>) -> Self {
        let before = range.start.checked_sub(1).and_then(|before| self.ends.get(before).copied());
        Self {
            ends: self.ends.get(range).unwrap_or_default(),
            start: before.unwrap_or(self.start),
            ..self
        }
    }
}

impl Batch for SpanBatch<'_> {
    fn len(self) -> usize {
        self.unread.len()
    }

    /// Spans of both sides, and one for each document.
    fn cost(self) -> usize {
        let (gold, predicted) = self.spans();
        gold.len() + predicted.len() + self.len()
    }

    fn rows(self, rows: Range<usize>) -> Self {
        let to = rows.end.min(self.len());
        let from = rows.start.min(to);
        Self {
            gold: self.gold.documents(from..to),
            predicted: self.predicted.documents(from..to),
            unread: self.unread.get(from..to).unwrap_or_default(),
            first: self.number(from),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_rows_keep_their_spans() {
        let mut docs = SpanDocs::default();
        for n in 0..5 {
            docs.push((0..n).map(|at| ("X", at, at + 1)), (0..4 - n).map(|at| ("Y", at, at + 1)))
                .unwrap();
        }
        let cut = docs.batch().rows(1..9).rows(1..3);
        assert_eq!(cut.len(), 2);
        assert_eq!(cut.number(1), 3);
        let (gold, predicted) = cut.document(1);
        assert_eq!((gold.len(), predicted.len()), (3, 1));
        assert_eq!((docs.batch().cost(), cut.cost()), (25, 10));
        assert_eq!(docs.batch().rows(7..9).len(), 0);
        assert_eq!(docs.batch().rows(7..9).cost(), 0);
        assert_eq!(cut.document(2).0.len(), 0);
    }

    #[test]
    fn a_refused_document_leaves_nothing() {
        let mut docs = SpanDocs::default();
        docs.push([("X", 0, 1)], [("X", 0, 1)]).unwrap();
        assert!(docs.push([("X", 0, 1)], [("X", 3, 2)]).is_err());
        let large = SpanError::TooLarge { offset: usize::MAX }.at(1, Side::Gold, 1);
        assert_eq!(docs.push([("X", 0, 1), ("X", 1, usize::MAX)], []), Err(large));
        docs.push([("X", 5, 6)], []).unwrap();
        assert_eq!(docs.batch().document(1).0.len(), 1);
        docs.clear();
        assert!(docs.batch().is_empty());
    }

    #[test]
    fn a_refused_load_leaves_nothing() {
        let mut docs = SpanDocs::default();
        let refused = docs.refill(|docs| {
            docs.add(Side::Gold, "X", (0, 1), End::Exclusive);
            docs.close(0);
            docs.add(Side::Gold, "X", (0, 1), End::Exclusive);
            Err(SpanError::EmptyGold.into())
        });
        assert!(refused.is_err());
        assert!(docs.batch().is_empty());
        docs.push([("X", 5, 6)], []).unwrap();
        assert_eq!(docs.batch().document(0).0.len(), 1);
    }
}
