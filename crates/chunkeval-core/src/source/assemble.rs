//! From a padded grid to rows of the tokens that count.

use std::ops::Range;

use super::ids::{Grid, TagId};
use crate::tagging::RowBuffer;
use crate::{Error, ErrorKind, Result, TagBatch};

/// Which positions of a padded `[rows, width]` grid count.
#[derive(Clone, Copy)]
pub enum Keep<'a> {
    /// All of them.
    All,
    /// The first `lengths[row]` of each row.
    Lengths(&'a [usize]),
    /// Those for which the function of row and column says so.
    Mask(&'a dyn Fn(usize, usize) -> bool),
}

/// Something that predicts tag ids for the positions of a padded grid.
pub trait Predict {
    /// `[rows, width]`.
    fn shape(&self) -> [usize; 2];

    /// How many classes the ids are chosen from, if that is known.
    fn classes(&self) -> Option<usize>;

    /// Appends the ids of some columns of a row.
    ///
    /// # Errors
    /// A logit is NaN.
    fn predict(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) -> Result<()>;
}

/// Fills `rows` with the positions that count, and shows them as a batch.
///
/// A position that is masked out, or whose gold id is the ignore index, is dropped as if the token
/// were not there: it does not split a chunk. Nothing is allocated once `rows` is large enough.
///
/// # Errors
/// The shapes differ, a length exceeds the width, or at a position that counts a gold id does not
/// fit 32 bits or a logit is NaN.
pub fn assemble<'b, G: TagId>(
    rows: &'b mut RowBuffer,
    gold: Grid<'_, G>,
    predicted: &dyn Predict,
    keep: Keep<'_>,
    ignore_index: Option<i64>,
) -> Result<TagBatch<'b>> {
    check_shapes(&gold, predicted)?;
    let [count, width] = gold.shape();
    check_lengths(keep, count, width)?;

    rows.clear(predicted.classes());
    let drops = ignore_index.is_some() || matches!(keep, Keep::Mask(_));
    for row in 0..count {
        let length = match keep {
            Keep::Lengths(lengths) => lengths[row],
            _ => width,
        };
        if !drops {
            gold.check_width(row, 0..length)?;
            gold.push_ids(row, 0..length, &mut rows.gold);
            predicted.predict(row, 0..length, &mut rows.predicted)?;
            rows.end_row(None);
            continue;
        }
        let counts = |column: &usize| {
            let masked = matches!(keep, Keep::Mask(mask) if !mask(row, *column));
            !masked && ignore_index.is_none_or(|i| !gold.get(row, *column).is(i))
        };
        let mut dropped = length;
        let mut column = 0;
        while let Some(start) = (column..length).find(counts) {
            let end = (start..length).find(|c| !counts(c)).unwrap_or(length);
            gold.check_width(row, start..end)?;
            gold.push_ids(row, start..end, &mut rows.gold);
            predicted.predict(row, start..end, &mut rows.predicted)?;
            rows.note_columns(start..end);
            dropped -= end - start;
            column = end;
        }
        rows.end_row(Some(dropped));
    }
    Ok(rows.batch())
}

/// That there is a label for each prediction.
pub(super) fn check_shapes<G: Copy>(gold: &Grid<'_, G>, predicted: &dyn Predict) -> Result<()> {
    if gold.shape() == predicted.shape() {
        return Ok(());
    }
    let found = gold.shape().to_vec();
    let mut expected = predicted.shape().to_vec();
    expected.extend(predicted.classes());
    Err(ErrorKind::Shape { what: "labels", found, against: "predictions", expected }.into())
}

fn check_lengths(keep: Keep<'_>, rows: usize, width: usize) -> Result<()> {
    let Keep::Lengths(lengths) = keep else { return Ok(()) };
    if lengths.len() != rows {
        let (what, found) = ("row lengths", lengths.len());
        return Err(ErrorKind::Length { what, row: None, expected: rows, found }.into());
    }
    match lengths.iter().position(|&length| length > width) {
        Some(row) => Err(Error::from(ErrorKind::Length {
            what: "the row length exceeds the width",
            row: Some(row),
            expected: width,
            found: lengths[row],
        })),
        None => Ok(()),
    }
}

impl std::fmt::Debug for Keep<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("All"),
            Self::Lengths(lengths) => f.debug_tuple("Lengths").field(lengths).finish(),
            Self::Mask(_) => f.write_str("Mask"),
        }
    }
}
