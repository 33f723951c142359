//! Gold types against predicted types, as a table with coloured cells.

use chunkeval_core::ConfusionMatrix;

use crate::text::Text;

/// A heat map: a row for each gold type and one for spurious chunks, a column for each predicted
/// type and one for missed chunks.
pub(super) struct Heat {
    pub(super) columns: Vec<Text>,
    pub(super) rows: Vec<Row>,
    /// How many types stand in the row and column of the others.
    pub(super) others: usize,
    /// What is a pair, in a sentence.
    pub(super) pairs: String,
}

pub(super) struct Row {
    pub(super) name: Text,
    pub(super) cells: Vec<Cell>,
}

pub(super) struct Cell {
    pub(super) count: u64,
    /// How strong the colour is, from 0 to 1; empty for none.
    pub(super) strength: String,
    pub(super) class: &'static str,
    /// The cell in words.
    pub(super) words: String,
}

/// The most types that have a row of their own.
const MOST: usize = 30;

impl Heat {
    /// Types without chunks are left out.
    pub(super) fn of(matrix: &ConfusionMatrix, pairs: &str) -> Self {
        let Grid { names, cells, others } = Grid::of(matrix);
        let sum_row = |row: &[u64]| row.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
        let column_sums: Vec<u64> = (0..=names.len())
            .map(|column| cells.iter().filter_map(move |row| row.get(column)))
            .map(|column| column.fold(0, |sum: u64, n| sum.saturating_add(*n)))
            .collect();
        let mut columns = names.clone();
        columns.push(Text::new("missed"));
        let rows = cells.iter().enumerate().map(|(row, counts)| {
            let row_sum = sum_row(counts);
            let cells = counts.iter().enumerate().map(|(column, &count)| {
                let of = match row < names.len() {
                    true => row_sum,
                    false => column_sums.get(column).copied().unwrap_or_default(),
                };
                Cell::of((row, names.get(row)), (column, names.get(column)), count, of)
            });
            let name = names.get(row).cloned().unwrap_or_else(|| Text::new("spurious"));
            Row { name, cells: cells.collect() }
        });
        Self { rows: rows.collect(), columns, others, pairs: pairs.to_owned() }
    }
}

impl Cell {
    /// The cell of a row and a column, each a type by number and name, or without a name that of
    /// chunks that have no partner; `of` is how many chunks the count is a share of.
    fn of(
        (row, gold): (usize, Option<&Text>),
        (column, predicted): (usize, Option<&Text>),
        count: u64,
        of: u64,
    ) -> Self {
        let (class, what) = match (gold, predicted) {
            (Some(gold), Some(predicted)) => {
                let class = if row == column { "heat right" } else { "heat wrong" };
                (class, format!("gold {gold} predicted as {predicted}"))
            }
            (Some(gold), None) => ("heat wrong", format!("gold {gold} missed")),
            (None, Some(predicted)) => ("heat wrong", format!("predicted {predicted} spurious")),
            (None, None) => return Self::empty(),
        };
        // The root: errors of a good tagger are few, and should be seen all the same.
        let strength = match count {
            0 => String::new(),
            _ => format!("{:.2}", (count as f64 / of as f64).sqrt()),
        };
        Self { count, strength, class, words: format!("{count} of {of} {what}") }
    }

    /// What is neither gold nor predicted.
    fn empty() -> Self {
        Self { count: 0, strength: String::new(), class: "heat none", words: String::new() }
    }
}

/// The cells of the types that are shown, in order, those of the others, and those without a
/// partner.
struct Grid {
    names: Vec<Text>,
    cells: Vec<Vec<u64>>,
    others: usize,
}

impl Grid {
    fn of(matrix: &ConfusionMatrix) -> Self {
        let types = matrix.rows.len().saturating_sub(1);
        let cell = |row: usize, column: usize| {
            matrix.cells.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
        };
        let chunks = |index: usize| {
            let both = (0..=types).flat_map(|other| [cell(index, other), cell(other, index)]);
            both.fold(0, u64::saturating_add)
        };
        let mut found: Vec<(u64, usize)> = (0..types).map(|i| (chunks(i), i)).collect();
        found.retain(|found| found.0 > 0);
        found.sort_by_key(|&(chunks, index)| (std::cmp::Reverse(chunks), index));
        let others = if found.len() > MOST { found.split_off(MOST - 1) } else { Vec::new() };
        let mut groups: Vec<Vec<usize>> = found.into_iter().map(|found| vec![found.1]).collect();
        groups.sort_unstable();
        let name = |group: &Vec<usize>| group.first().and_then(|&index| matrix.rows.get(index));
        let mut names: Vec<Text> = groups.iter().filter_map(name).map(|n| Text::name(n)).collect();
        if !others.is_empty() {
            names.push(Text::new(&format!("({} others)", others.len())));
            groups.push(others.iter().map(|other| other.1).collect());
        }
        groups.push(vec![types]);
        let sum = |rows: &Vec<usize>, columns: &Vec<usize>| {
            let cells = rows.iter().flat_map(|&row| columns.iter().map(move |&c| cell(row, c)));
            cells.fold(0, u64::saturating_add)
        };
        let cells = groups.iter().map(|row| groups.iter().map(|c| sum(row, c)).collect());
        let cells = cells.collect();
        Self { names, cells, others: others.len() }
    }
}
