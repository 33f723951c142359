//! Rows of tag strings without a label list: the list is what occurs.

use std::collections::HashMap;

use crate::{ErrorKind, Result, TagBatch};

/// Rows of gold and predicted tag strings, each different tag kept once and named by an id.
///
/// This is for scoring what is there already, as seqeval's functions do: no label list is needed,
/// and eight bytes a token are kept. Where there is a label list,
/// [`TextRows`](crate::TextRows) checks tags against it and keeps one batch only.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagRows};
///
/// let gold = [vec!["O", "B-PER", "I-PER"], vec!["B-LOC"]];
/// let predicted = [vec!["O", "B-PER", "I-PER"], vec!["B-MISC"]];
/// let rows = TagRows::new(&gold, &predicted)?;
/// assert_eq!(rows.labels(), ["O", "B-PER", "I-PER", "B-LOC", "B-MISC"]);
///
/// let mut metric = ChunkEvaluator::new(rows.labels())?;
/// metric.update(rows.batch())?;
/// let report = metric.accumulate();
/// assert_eq!(report.overall.f1, 0.5);
/// assert_eq!(report.get("MISC").unwrap().counts.predicted, 1);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TagRows {
    labels: Vec<String>,
    ids: HashMap<String, i32>,
    gold: Vec<i32>,
    predicted: Vec<i32>,
    ends: Vec<usize>,
}

impl Default for TagRows {
    /// No rows; the one label is `O`.
    fn default() -> Self {
        let outside = "O".to_owned();
        Self {
            labels: vec![outside.clone()],
            ids: HashMap::from([(outside, 0)]),
            gold: Vec::new(),
            predicted: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl TagRows {
    /// All rows of both sides.
    ///
    /// # Errors
    /// The sides have different numbers of rows, or a row has different numbers of tags; the
    /// error names the row and both lengths.
    pub fn new<G, P, S, R>(gold: &[G], predicted: &[P]) -> Result<Self>
    where
        G: AsRef<[S]>,
        P: AsRef<[R]>,
        S: AsRef<str>,
        R: AsRef<str>,
    {
        if gold.len() != predicted.len() {
            let (what, expected, found) = ("predicted rows", gold.len(), predicted.len());
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let mut rows = Self::default();
        for (gold, predicted) in gold.iter().zip(predicted) {
            rows.push(gold.as_ref(), predicted.as_ref())?;
        }
        Ok(rows)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The sides have different numbers of tags, or there are more different tags than 32-bit ids
    /// can name; the rows are then as they were.
    pub fn push<S: AsRef<str>, R: AsRef<str>>(
        &mut self,
        gold: &[S],
        predicted: &[R],
    ) -> Result<()> {
        if gold.len() != predicted.len() {
            let (row, expected, found) = (Some(self.ends.len()), gold.len(), predicted.len());
            return Err(ErrorKind::Length { what: "predicted tags", row, expected, found }.into());
        }
        let start = self.gold.len();
        let Self { labels, ids, gold: to_gold, predicted: to_predicted, .. } = self;
        let interned = intern(labels, ids, gold, to_gold)
            .and_then(|()| intern(labels, ids, predicted, to_predicted));
        if interned.is_none() {
            self.gold.truncate(start);
            self.predicted.truncate(start);
            return Err(ErrorKind::Overflow.into());
        }
        self.ends.push(self.gold.len());
        Ok(())
    }

    /// The tags that occur in the order in which they were seen, `O` before them. The ids of the
    /// rows are places in this list.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The rows as a batch for a metric whose label list is [`labels`](TagRows::labels).
    #[must_use]
    pub fn batch(&self) -> TagBatch<'_> {
        TagBatch::whole(&self.gold, &self.predicted, &self.ends)
    }
}

/// Appends the ids of some tags; `None` if there are too many different ones.
fn intern<S: AsRef<str>>(
    labels: &mut Vec<String>,
    ids: &mut HashMap<String, i32>,
    tags: &[S],
    to: &mut Vec<i32>,
) -> Option<()> {
    // Most tags are like the one before them, and comparing two is cheaper than a look-up.
    let mut last = ("O", 0);
    to.reserve(tags.len());
    for tag in tags {
        let tag = tag.as_ref();
        if tag != last.0 {
            let id = match ids.get(tag) {
                Some(&id) => id,
                None => {
                    let id = i32::try_from(labels.len()).ok()?;
                    labels.push(tag.to_owned());
                    ids.insert(tag.to_owned(), id);
                    id
                }
            };
            last = (tag, id);
        }
        to.push(last.1);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    #[test]
    fn a_bad_row_changes_nothing() {
        let mut rows = TagRows::default();
        rows.push(&["B-X"], &["O"]).unwrap();
        let error = rows.push(&["B-Y", "O"], &["B-Z"]).unwrap_err();
        assert_eq!(error.place(), Some(Place::Row(1)));
        assert_eq!(rows.labels(), ["O", "B-X"]);
        assert_eq!(rows.batch().tokens(), 1);
        assert!(TagRows::new(&[["O"]], &[["O"], ["O"]]).is_err());
    }

    #[test]
    fn no_rows_and_empty_rows() {
        assert_eq!(TagRows::default().batch().tokens(), 0);
        let rows = TagRows::new(&[vec![""; 0], vec![""]], &[vec![""; 0], vec!["O"]]).unwrap();
        assert_eq!(rows.labels(), ["O", ""]);
        assert_eq!(rows.batch().row(1), Some((&[1][..], &[0][..])));
    }
}
