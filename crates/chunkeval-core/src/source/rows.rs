//! Rows of ids or of tag strings, of any lengths.

use std::ops::Deref;

use super::ids::check_width;
use crate::{
    ErrorKind, MISSING_PREDICTION, Result, Source, TagBatch, TagBuffer, TagSet, Tagging,
    adapter::TagId,
};

/// What to do with a predicted row that is shorter than its gold row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShortRows {
    /// It is an error that names the row and both lengths.
    #[default]
    Refuse,
    /// The tokens without a prediction read as `O` and are counted in the diagnostics: gold
    /// chunks beyond the cut of a model's longest input are missed, not forgotten.
    Missing,
}

/// Rows of gold and predicted tag ids.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, IdRows, Metric, Source, TagBuffer};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let gold = vec![vec![1, 2, 0], vec![1]];
/// let predicted = vec![vec![1, 2, 0], vec![0]];
/// metric.update(IdRows::new(&gold, &predicted).load(&mut TagBuffer::default())?)?;
/// assert_eq!(metric.accumulate().overall.recall, 0.5);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct IdRows<'a, G, P> {
    gold: &'a [G],
    predicted: &'a [P],
    short: ShortRows,
    ignore_index: Option<i64>,
}

/// Rows of gold and predicted tag strings, read through a [`TagSet`].
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Source, TagBuffer, TextRows};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let tags = metric.tags().clone();
/// let gold = [vec!["B-PER", "I-PER", "O"]];
/// let predicted = [vec!["B-PER", "O", "O"]];
/// let mut buffer = TagBuffer::default();
/// metric.update(TextRows::new(&tags, &gold, &predicted).load(&mut buffer)?)?;
/// assert_eq!(metric.accumulate().overall.counts.predicted, 1);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct TextRows<'a, G, P> {
    tags: &'a TagSet,
    gold: &'a [G],
    predicted: &'a [P],
    short: ShortRows,
}

impl<'a, G, P> IdRows<'a, G, P> {
    /// One gold and one predicted row for each sentence.
    pub fn new(gold: &'a [G], predicted: &'a [P]) -> Self {
        Self { gold, predicted, short: ShortRows::default(), ignore_index: None }
    }

    /// Positions whose gold id is this do not count; they do not split a chunk.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }

    /// What to do with predicted rows that are too short; [`ShortRows::Refuse`] if not said.
    pub fn short_rows(self, short: ShortRows) -> Self {
        Self { short, ..self }
    }
}

impl<'a, G, P> TextRows<'a, G, P> {
    /// One gold and one predicted row for each sentence.
    pub fn new(tags: &'a TagSet, gold: &'a [G], predicted: &'a [P]) -> Self {
        Self { tags, gold, predicted, short: ShortRows::default() }
    }

    /// What to do with predicted rows that are too short; [`ShortRows::Refuse`] if not said.
    pub fn short_rows(self, short: ShortRows) -> Self {
        Self { short, ..self }
    }

    fn id(&self, row: usize, column: usize, tag: &str) -> Result<i32> {
        let unknown = || ErrorKind::UnknownTag { row, column, tag: tag.to_owned() };
        self.tags.id(tag).ok_or_else(|| unknown().into())
    }
}

impl<G, P, I, J> Source<Tagging> for IdRows<'_, G, P>
where
    G: Deref<Target = [I]>,
    P: Deref<Target = [J]>,
    I: TagId,
    J: TagId,
{
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        let gold = |row, column, id: &I| {
            if self.ignore_index.is_some_and(|ignored| id.is(ignored)) {
                return Ok(None);
            }
            check_width(row, column, *id)?;
            Ok(Some(id.tag_id()))
        };
        let predicted = |_, _, id: &J| Ok(id.tag_id());
        fill(buffer, self.gold, self.predicted, self.short, gold, predicted)
    }
}

/// A tag of either side that the label list does not have is an error.
impl<G, P, S, R> Source<Tagging> for TextRows<'_, G, P>
where
    G: Deref<Target = [S]>,
    P: Deref<Target = [R]>,
    S: AsRef<str>,
    R: AsRef<str>,
{
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        let gold = |row, column, tag: &S| self.id(row, column, tag.as_ref()).map(Some);
        let predicted = |row, column, tag: &R| self.id(row, column, tag.as_ref());
        fill(buffer, self.gold, self.predicted, self.short, gold, predicted)
    }
}

/// Fills the buffer row by row. A gold id of `None` leaves the position out.
fn fill<'b, G, P, I, J>(
    buffer: &'b mut TagBuffer,
    gold: &[G],
    predicted: &[P],
    short: ShortRows,
    gold_id: impl Fn(usize, usize, &I) -> Result<Option<i32>>,
    predicted_id: impl Fn(usize, usize, &J) -> Result<i32>,
) -> Result<TagBatch<'b>>
where
    G: Deref<Target = [I]>,
    P: Deref<Target = [J]>,
{
    let different = |row: Option<usize>, expected, found| {
        let what = if row.is_none() { "predicted rows" } else { "predicted tags" };
        Err(ErrorKind::Length { what, row, expected, found }.into())
    };
    if gold.len() != predicted.len() {
        return different(None, gold.len(), predicted.len());
    }
    let rows = &mut buffer.rows;
    rows.clear(None);
    for (row, (gold, predicted)) in gold.iter().zip(predicted).enumerate() {
        match gold.len().checked_sub(predicted.len()) {
            Some(0) => {}
            Some(_) if short == ShortRows::Missing => {}
            _ => return different(Some(row), gold.len(), predicted.len()),
        }
        let mut dropped = 0;
        for (column, id) in gold.iter().enumerate() {
            let predicted = predicted.get(column).map(|id| predicted_id(row, column, id));
            let predicted = predicted.transpose()?.unwrap_or(MISSING_PREDICTION);
            match gold_id(row, column, id)? {
                Some(id) => {
                    rows.gold.push(id);
                    rows.predicted.push(predicted);
                    rows.note_columns(column..column + 1);
                }
                None => dropped += 1,
            }
        }
        rows.end_row(Some(dropped));
    }
    Ok(rows.batch())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, TagStyle};

    #[test]
    fn lengths_are_compared_row_by_row() {
        // The totals agree; a check of the joined rows would pass.
        let gold = [vec![1, 0], vec![0]];
        let predicted = [vec![1], vec![0, 0]];
        let mut buffer = TagBuffer::default();
        let e = IdRows::new(&gold, &predicted).load(&mut buffer).unwrap_err();
        assert_eq!(e.place(), Some(Place::Row(0)));
        assert_eq!(e.to_string(), "row 0: predicted tags: expected 2, found 1");
        assert!(IdRows::new(&gold, &predicted[..1]).load(&mut buffer).is_err());
    }

    #[test]
    fn short_rows_are_filled_on_request_only_when_short() {
        let mut buffer = TagBuffer::default();
        let (long, short) = ([vec![1, 2, 0]], [vec![1]]);
        let fill = IdRows::new(&long, &short).short_rows(ShortRows::Missing);
        let batch = fill.load(&mut buffer).unwrap();
        assert_eq!(batch.row(0).unwrap().1, [1, MISSING_PREDICTION, MISSING_PREDICTION]);
        let too_long = IdRows::new(&short, &long).short_rows(ShortRows::Missing);
        assert!(too_long.load(&mut buffer).is_err());
    }

    #[test]
    fn ignored_positions_are_left_out_and_places_stay() {
        let mut buffer = TagBuffer::default();
        let (gold, predicted) = ([vec![1i64, -100, 2], vec![-100]], [vec![1, 9, 2], vec![3]]);
        let rows = IdRows::new(&gold, &predicted).ignore_index(-100);
        let batch = rows.load(&mut buffer).unwrap();
        assert_eq!(batch.row(0).unwrap(), (&[1, 2][..], &[1, 2][..]));
        assert_eq!(batch.row(1).unwrap(), (&[][..], &[][..]));
        assert_eq!((batch.place(0, 1), batch.ignored()), ((0, 2), 2));
    }

    #[test]
    fn unknown_tags_are_named() {
        let tags = TagSet::new(["O", "B-X"], TagStyle::Prefix).unwrap();
        let gold = [["O"].to_vec(), ["O", "B-X"].to_vec()];
        let predicted = [["O"].to_vec(), ["O", "B-Y"].to_vec()];
        let mut buffer = TagBuffer::default();
        let e = TextRows::new(&tags, &gold, &predicted).load(&mut buffer).unwrap_err();
        assert_eq!(e.to_string(), "row 1, column 1: tag \"B-Y\" is not in the label list");
    }
}
