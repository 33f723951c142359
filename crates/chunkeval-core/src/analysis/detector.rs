//! [`SchemeDetector`]: the schemes held against rows of ids.

use super::bigrams::{Bigram, Bigrams};
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
        let bigrams = Bigrams::of(batch, self.labels.len());
        let tags = bigrams.iter().filter(|of| of.current.is_some_and(|id| self.label(id) != "O"));
        let tagged = tags.map(|of| of.count).sum();
        let each = self.readers.iter().map(|reader| {
            let Reader { scheme, notation, .. } = *reader;
            let faults = reader.faults(&bigrams);
            let first = if faults == TagFaultCounts::default() {
                None
            } else {
                reader.first(batch, |id| self.label(id))
            };
            SchemeCandidate { scheme, notation, faults, first }
        });
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

    /// The id of a label among those that the scheme can read.
    fn id(&self, id: i32) -> i32 {
        usize::try_from(id).ok().and_then(|id| self.ids.get(id).copied()).unwrap_or(UNREADABLE)
    }

    fn faults(&self, bigrams: &Bigrams) -> TagFaultCounts {
        let mut faults = TagFaultCounts::default();
        for Bigram { previous, current, count } in bigrams.iter() {
            let [previous, current] = [previous, current].map(|id| id.map(|id| self.id(id)));
            for fault in self.checker.pair(previous, current).into_iter().flatten() {
                *faults.of(fault) += count;
            }
        }
        faults
    }

    /// Where the first fault is.
    fn first<'l>(&self, batch: TagBatch<'_>, label: impl Fn(i32) -> &'l str) -> Option<FirstFault> {
        let mut row_ids = Vec::new();
        batch.iter_rows().enumerate().find_map(|(row, (written, _))| {
            row_ids.clear();
            row_ids.extend(written.iter().map(|&id| self.id(id)));
            let mut first = None;
            self.checker.faults(&row_ids, |column, fault| {
                first.get_or_insert((column, fault));
            });
            let (column, fault) = first?;
            let tag = written.get(column).map_or("", |&id| label(id)).to_owned();
            Some(FirstFault { row, column, tag, fault })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LABELS: [&str; 9] = ["O", "B-X", "I-X", "E-X", "S-X", "M-X", "B-Y", "I-Y", "?"];

    proptest! {
        #[test]
        fn faults_are_those_of_the_rows(
            rows in prop::collection::vec(prop::collection::vec(-1..10_i32, 0..6), 0..6),
        ) {
            let ids = rows.concat();
            let ends: Vec<usize> = rows.iter().scan(0, |end, row| {
                *end += row.len();
                Some(*end)
            }).collect();
            let batch = TagBatch::new(&ids, &ids, &ends).unwrap();
            let detector = SchemeDetector::new(LABELS, TagStyle::Prefix).unwrap();
            for reader in &detector.readers {
                let mut expected = TagFaultCounts::default();
                for row in &rows {
                    let row: Vec<i32> = row.iter().map(|&id| reader.id(id)).collect();
                    reader.checker.faults(&row, |_, fault| *expected.of(fault) += 1);
                }
                prop_assert_eq!(reader.faults(&Bigrams::of(batch, LABELS.len())), expected);
            }
            let tagged = ids.iter().filter(|&&id| id != 0).count();
            prop_assert_eq!(detector.detect(batch).tagged, tagged as u64);
        }
    }
}
