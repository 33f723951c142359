//! [`SchemeDetector`]: the schemes held against rows of ids.

use super::detection::{FirstFault, SchemeCandidate, SchemeDetection};
use super::fault::TagFaultCounts;
use super::well_formed::Checker;
use crate::{Batch as _, Mode, Notation, Result, Scheme, TagBatch, TagSet, TagStyle};

/// Finds out in which scheme rows of ids are written: what [`SchemeDetection::new`] does with rows
/// of strings, for batches of a stream.
///
/// ```
/// use chunkeval_core::{Scheme, SchemeDetector, TagBatch, TagStyle};
///
/// let detector = SchemeDetector::new(["O", "B-PER", "I-PER"], TagStyle::Prefix)?;
/// let mut found = detector.detect(TagBatch::new(&[1, 2, 0], &[0, 0, 0], &[3])?);
/// found.merge(&detector.detect(TagBatch::new(&[0, 1, 0], &[0, 0, 0], &[3])?));
/// assert_eq!(found.scheme(), Some(Scheme::Iob2));
/// assert_eq!((found.rows, found.tagged), (2, 3));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SchemeDetector {
    labels: Vec<String>,
    readers: Vec<Reader>,
}

/// The schemes in the order in which they are preferred where nothing tells them apart, each with
/// the letters that it may have.
const READINGS: [(Scheme, Notation); 7] = [
    (Scheme::Iob2, Notation::Usual),
    (Scheme::Iobes, Notation::Usual),
    (Scheme::Iobes, Notation::Bmes),
    (Scheme::Bilou, Notation::Usual),
    (Scheme::Ioe2, Notation::Usual),
    (Scheme::Iob1, Notation::Usual),
    (Scheme::Ioe1, Notation::Usual),
];

impl SchemeDetector {
    /// A detector for the ids of a label list. The labels may be any text; those that a scheme
    /// cannot read count against it.
    ///
    /// # Errors
    /// There are more labels than 32-bit ids can name.
    pub fn new<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        style: TagStyle,
    ) -> Result<Self> {
        let labels: Vec<String> = labels.into_iter().map(Into::into).collect();
        let readers =
            READINGS.map(|(scheme, notation)| Reader::new(&labels, style, scheme, notation));
        let readers = readers.into_iter().collect::<Result<_>>()?;
        Ok(Self { labels, readers })
    }

    /// What speaks for and against each scheme in the gold rows of a batch. An id that is no place
    /// in the label list counts against all of them.
    #[must_use]
    pub fn detect(&self, batch: TagBatch<'_>) -> SchemeDetection {
        let (ids, _) = batch.flat();
        let tagged = ids.iter().filter(|&&id| self.label(id) != "O").count() as u64;
        let each = self.readers.iter().map(|reader| reader.faults(batch, |id| self.label(id)));
        SchemeDetection::of(batch.len(), tagged, each.collect())
    }

    fn label(&self, id: i32) -> &str {
        usize::try_from(id).ok().and_then(|id| self.labels.get(id)).map_or("", |label| label)
    }
}

/// One scheme in the letters of a notation.
#[derive(Clone, Debug)]
struct Reader {
    scheme: Scheme,
    notation: Notation,
    /// From the ids of the label list to those of the labels that the scheme can read.
    ids: Vec<i32>,
    checker: Checker,
}

/// The id of a label that cannot be read.
const UNREADABLE: i32 = -1;

impl Reader {
    fn new(labels: &[String], style: TagStyle, scheme: Scheme, notation: Notation) -> Result<Self> {
        let list = |labels: Vec<&str>| {
            let builder = TagSet::builder(labels).style(style).notation(notation);
            builder.mode(Mode::Strict(scheme)).build()
        };
        let mut readable: Vec<&str> = labels.iter().map(String::as_str).collect();
        readable.sort_unstable();
        readable.dedup();
        readable.retain(|label| list(vec![label]).is_ok());
        if readable.is_empty() {
            readable.push("O"); // a list has a label
        }
        let tags = list(readable)?;
        let ids = labels.iter().map(|label| tags.id(label).unwrap_or(UNREADABLE)).collect();
        Ok(Self { scheme, notation, ids, checker: Checker::new(&tags, scheme) })
    }

    fn faults<'l>(&self, batch: TagBatch<'_>, label: impl Fn(i32) -> &'l str) -> SchemeCandidate {
        let id = |&id: &i32| {
            usize::try_from(id).ok().and_then(|id| self.ids.get(id).copied()).unwrap_or(UNREADABLE)
        };
        let Self { scheme, notation, .. } = *self;
        let mut found =
            SchemeCandidate { scheme, notation, faults: TagFaultCounts::default(), first: None };
        let mut row_ids = Vec::new();
        for (row, (written, _)) in batch.iter_rows().enumerate() {
            row_ids.clear();
            row_ids.extend(written.iter().map(id));
            self.checker.faults(&row_ids, |column, fault| {
                *found.faults.of(fault) += 1;
                if found.first.is_none() {
                    let tag = written.get(column).map_or("", |&id| label(id)).to_owned();
                    found.first = Some(FirstFault { row, column, tag, fault });
                }
            });
        }
        found
    }
}
