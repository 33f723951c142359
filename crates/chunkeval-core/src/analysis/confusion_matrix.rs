//! Gold types against predicted types, as a table.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::error_report::ChunkErrorReport;
use crate::visible_name;

/// Which pairs of chunks a [`ConfusionMatrix`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairs {
    /// Those of the same span. Chunks in errors of boundary count as having no partner.
    SameSpan,
    /// Those of the same span and those that overlap, so that only missed and spurious chunks
    /// have no partner.
    Overlapping,
}

/// How many chunks of each gold type were predicted as each type.
///
/// The rows are the gold types, the columns the predicted types, both sorted by code point with
/// [`NONE`](ConfusionMatrix::NONE) behind them. The last column counts gold chunks without a
/// partner, the last row predicted ones; the last cell of all is 0. So the sum of a row is the
/// number of gold chunks of its type, and the sum of a column that of the predicted ones.
///
/// ```
/// use chunkeval_core::{ChunkErrors, Metric, Pairs, TagBatch};
///
/// let mut errors = ChunkErrors::new(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])?;
/// //    gold  PER PER  O  LOC LOC  O  O     predicted  LOC LOC  O  LOC  O  O PER
/// errors.update(TagBatch::new(&[1, 2, 0, 3, 4, 0, 0],          &[3, 4, 0, 3, 0, 0, 1], &[7])?)?;
///
/// let matrix = errors.accumulate().confusion_matrix(Pairs::Overlapping);
/// assert_eq!(matrix.rows, ["LOC", "PER", "none"]);
/// assert_eq!(matrix.columns, ["LOC", "PER", "none"]);
/// assert_eq!(matrix.cells, [[1, 0, 0], [1, 0, 0], [0, 1, 0]]);
/// let printed = matrix.to_string();
/// let lines: Vec<&str> = printed.lines().collect();
/// assert_eq!(lines[0], "  LOC  PER  none  gold");
/// assert_eq!(lines[2], "    1    0     0  PER");
///
/// let same_span = errors.accumulate().confusion_matrix(Pairs::SameSpan);
/// assert_eq!(same_span.cells, [[0, 0, 1], [1, 0, 0], [1, 1, 0]]); // LOC at 3..5 was too short
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConfusionMatrix {
    /// The names of the rows: gold types, then `none`.
    pub rows: Vec<String>,
    /// The names of the columns: predicted types, then `none`.
    pub columns: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<u64>>,
}

impl ConfusionMatrix {
    /// The name of the last row and column. A type may be called the same; it stands before them.
    pub const NONE: &'static str = "none";

    pub(super) fn new(report: &ChunkErrorReport, pairs: Pairs) -> Self {
        let types = &report.per_type;
        let mut cells = vec![vec![0; types.len() + 1]; types.len() + 1];
        let index = |name: Option<&str>| match name {
            Some(name) => types.binary_search_by(|t| (*t.entity_type).cmp(name)).ok(),
            None => Some(types.len()),
        };
        for (gold, predicted, count) in report.type_pairs(pairs) {
            let row = index(gold).and_then(|row| cells.get_mut(row));
            let cell = row.zip(index(predicted)).and_then(|(row, column)| row.get_mut(column));
            if let Some(cell) = cell {
                *cell = count;
            }
        }
        let names = types.iter().map(|t| t.entity_type.clone()).chain([Self::NONE.to_owned()]);
        let names: Vec<String> = names.collect();
        Self { rows: names.clone(), columns: names, cells }
    }
}

/// The names of the predicted types, and a line for each gold type with its name at the end. Wide
/// characters take two places.
impl fmt::Display for ConfusionMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<String> = self.columns.iter().map(|name| visible_name(name)).collect();
        let width = |(column, name): (usize, &String)| {
            let cells = self.cells.iter().filter_map(|row| row.get(column));
            let digits = cells.map(|cell| cell.to_string().len()).max().unwrap_or_default();
            digits.max(name.width()) + 2
        };
        let widths: Vec<usize> = columns.iter().enumerate().map(width).collect();
        for (name, width) in columns.iter().zip(&widths) {
            let indent = width.saturating_sub(name.width());
            write!(f, "{:indent$}{name}", "")?;
        }
        writeln!(f, "  gold")?;
        for (name, cells) in self.rows.iter().zip(&self.cells) {
            for (cell, &width) in cells.iter().zip(&widths) {
                write!(f, "{cell:>width$}")?;
            }
            writeln!(f, "  {}", visible_name(name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_wide_names_stand_over_their_cells() {
        let names = ["地名", "x\n", "none"].map(str::to_owned).to_vec();
        let cells = vec![vec![1, 2, 3], vec![4, 50, 6], vec![7, 8, 0]];
        let matrix = ConfusionMatrix { rows: names.clone(), columns: names, cells };
        let printed = matrix.to_string();
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines[0], "  地名  x\\u{a}  none  gold");
        assert_eq!(lines[2], "     4      50     6  x\\u{a}");
        assert_eq!(lines.len(), 4);
    }
}
