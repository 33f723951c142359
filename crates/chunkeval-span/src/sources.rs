//! From vectors and from rows of tags to a batch of spans.

use chunkeval_core::{Error, ErrorKind, MISSING_PREDICTION, Result, Source, TagBatch, TagSet};

use crate::{End, Side, Span, SpanBatch, SpanDocs, Spans};

/// Two lists of documents, each a list of spans: vectors, slices or arrays.
///
/// ```
/// use chunkeval_core::{Metric, Source};
/// use chunkeval_span::{Span, SpanDocs, SpanEvaluator, SpanRows};
///
/// let gold = [vec![Span::from(("PER", 0, 2))], vec![]];
/// let predicted = [vec![Span::from(("PER", 0, 2))], vec![Span::from(("LOC", 4, 5))]];
/// let mut buffer = SpanDocs::default();
/// let mut metric = SpanEvaluator::new();
/// metric.update(SpanRows::new(&gold, &predicted).load(&mut buffer)?)?;
/// assert_eq!(metric.accumulate().overall.strict.precision, 0.5);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SpanRows<'a, D> {
    gold: &'a [D],
    predicted: &'a [D],
}

impl<'a, 's, D: AsRef<[Span<'s>]>> SpanRows<'a, D> {
    /// Gold and predicted spans of the same documents in the same order.
    #[must_use]
    pub fn new(gold: &'a [D], predicted: &'a [D]) -> Self {
        Self { gold, predicted }
    }
}

impl<'s, D: AsRef<[Span<'s>]>> Source<Spans> for SpanRows<'_, D> {
    fn load<'b>(&'b self, buffer: &'b mut SpanDocs) -> Result<SpanBatch<'b>> {
        buffer.refill(|buffer| {
            let (expected, found) = (self.gold.len(), self.predicted.len());
            if expected != found {
                let what = "documents of predicted spans";
                return Err(ErrorKind::Length { what, row: None, expected, found }.into());
            }
            for (gold, predicted) in self.gold.iter().zip(self.predicted) {
                let (gold, predicted) = (gold.as_ref(), predicted.as_ref());
                buffer.push(gold.iter().copied(), predicted.iter().copied())?;
            }
            Ok(())
        })
    }
}

/// The chunks of tagged rows as spans, so that a tagger gets credit for partial matches.
///
/// A row is a document, and offsets count its tokens (those a mask took out are not there). Chunks
/// are those of [`TagSet::entities`].
///
/// ```
/// use chunkeval_core::{Metric, Source, TagBatch, TagSet, TagStyle};
/// use chunkeval_span::{SpanDocs, SpanEvaluator, TagSpans};
///
/// let tags = TagSet::new(["O", "B-PER", "I-PER"], TagStyle::Prefix)?;
/// let batch = TagBatch::new(&[1, 2, 2, 0], &[1, 2, 0, 0], &[4])?; // gold 0..3, predicted 0..2
/// let mut buffer = SpanDocs::default();
/// let mut metric = SpanEvaluator::new();
/// metric.update(TagSpans::new(&tags, batch).load(&mut buffer)?)?;
///
/// let overall = metric.accumulate().overall;
/// assert_eq!((overall.strict.f1, overall.partial.f1, overall.ent_type.f1), (0.0, 0.5, 1.0));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TagSpans<'a> {
    tags: &'a TagSet,
    batch: TagBatch<'a>,
}

impl<'a> TagSpans<'a> {
    /// The chunks of a batch whose ids belong to `tags`.
    #[must_use]
    pub fn new(tags: &'a TagSet, batch: TagBatch<'a>) -> Self {
        Self { tags, batch }
    }

    fn known(&self, id: i32) -> bool {
        usize::try_from(id).is_ok_and(|id| id < self.tags.labels().len())
    }
}

/// A gold id outside the label list is an error. A predicted one, or a missing prediction, reads as
/// `O` and is counted in the diagnostics.
impl Source<Spans> for TagSpans<'_> {
    fn load<'b>(&'b self, buffer: &'b mut SpanDocs) -> Result<SpanBatch<'b>> {
        buffer.refill(|buffer| {
            let labels = self.tags.labels().len();
            if let Some(classes) = self.batch.classes().filter(|&classes| classes != labels) {
                return Err(ErrorKind::Classes { classes, labels }.into());
            }
            for (row, (gold, predicted)) in self.batch.iter_rows().enumerate() {
                if let Some(position) = gold.iter().position(|&id| !self.known(id)) {
                    return Err(self.unknown_gold(row, position, gold));
                }
                for (side, ids) in [(Side::Gold, gold), (Side::Predicted, predicted)] {
                    for chunk in self.tags.entities(ids) {
                        let offset = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
                        let range = (offset(chunk.start), offset(chunk.end));
                        buffer.add(side, chunk.entity_type, range, End::Exclusive);
                    }
                }
                let unread = predicted.iter().filter(|&&id| !self.known(id)).count();
                buffer.close(unread as u64);
            }
            Ok(())
        })
    }
}

impl TagSpans<'_> {
    fn unknown_gold(&self, row: usize, position: usize, gold: &[i32]) -> Error {
        let (row, column) = self.batch.place(row, position);
        let id = gold.get(position).copied().unwrap_or(MISSING_PREDICTION);
        ErrorKind::UnknownGold { row, column, id: id.into(), labels: self.tags.labels().len() }
            .into()
    }
}
