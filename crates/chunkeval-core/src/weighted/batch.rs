//! A batch of tags with a weight for each row.

use std::ops::Range;

use crate::{Batch, ErrorKind, Result, Source, TagBatch, TagBuffer, Tagging, Task};

/// The task of tagging tokens in rows that have weights. Its batch is a [`WeightedTagBatch`].
#[derive(Debug)]
pub enum WeightedTagging {}

impl Task for WeightedTagging {
    type Batch<'a> = WeightedTagBatch<'a>;
    type Buffer = TagBuffer;
}

/// A [`TagBatch`] and the weight of each of its rows.
#[derive(Clone, Copy, Debug)]
pub struct WeightedTagBatch<'a> {
    tags: TagBatch<'a>,
    weights: &'a [f64],
}

impl<'a> WeightedTagBatch<'a> {
    /// Tags with the weight of each row.
    ///
    /// # Errors
    /// There are not as many weights as rows. The weights themselves are checked by the metric.
    pub fn new(tags: TagBatch<'a>, weights: &'a [f64]) -> Result<Self> {
        let (expected, found) = (tags.len(), weights.len());
        if expected == found {
            return Ok(Self { tags, weights });
        }
        Err(ErrorKind::Length { what: "weights", row: None, expected, found }.into())
    }

    /// The tags.
    #[must_use]
    pub fn tags(self) -> TagBatch<'a> {
        self.tags
    }

    /// The weight of each row.
    pub(super) fn iter_weights(self) -> impl Iterator<Item = f64> {
        self.weights.iter().copied()
    }

    /// The number a row had in the data as it was given, for error messages.
    pub(super) fn place(self, row: usize) -> usize {
        self.tags.place(row, 0).0
    }
}

impl Batch for WeightedTagBatch<'_> {
    fn len(self) -> usize {
        self.tags.len()
    }

    fn rows(self, rows: Range<usize>) -> Self {
        let to = rows.end.min(self.weights.len());
        let from = rows.start.min(to);
        Self { tags: self.tags.rows(from..to), weights: &self.weights[from..to] }
    }
}

/// Any source of tags (padded slices, tensors) with the weight of each row.
///
/// ```
/// use chunkeval_core::{PaddedTags, Source, TagBuffer, Weighted};
///
/// let tags = PaddedTags::ids(&[1, 2, 1, 0], &[1, 2, 0, 0], 2)?.lengths(&[2, 1]);
/// let source = Weighted { tags, weights: &[3.0, 1.0] };
/// let mut buffer = TagBuffer::default();
/// assert_eq!(source.load(&mut buffer)?.tags().tokens(), 3);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Weighted<'w, S> {
    /// The source of the tags.
    pub tags: S,
    /// The weight of each row.
    pub weights: &'w [f64],
}

impl<S: Source<Tagging>> Source<WeightedTagging> for Weighted<'_, S> {
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<WeightedTagBatch<'b>> {
        WeightedTagBatch::new(self.tags.load(buffer)?, self.weights)
    }
}
