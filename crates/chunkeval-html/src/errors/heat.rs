//! Gold types against predicted types, as a table with coloured cells.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chunkeval_core::TypePair;

use crate::text::Text;

/// A heat map: a row for each gold type and one for spurious chunks, a column for each predicted
/// type and one for missed chunks.
#[derive(Clone, Debug)]
pub(super) struct Heat {
    pub(super) columns: Vec<Text>,
    pub(super) rows: Vec<Row>,
    /// How many types stand in the row and column of the others.
    pub(super) others: usize,
    /// What is a pair, in a sentence.
    pub(super) pairs: String,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: Text,
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
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
    pub(super) fn of<'n>(
        pairs: impl IntoIterator<Item = TypePair<'n>>,
        said: impl Into<String>,
    ) -> Self {
        let pairs: Vec<_> = pairs.into_iter().filter(|pair| pair.2 > 0).collect();
        let Grid { names, cells, others } = Grid::of(&pairs);
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
        Self { rows: rows.collect(), columns, others, pairs: said.into() }
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
    /// As large as what is shown of it, however many types there are.
    fn of(pairs: &[TypePair<'_>]) -> Self {
        let mut chunks: BTreeMap<&str, u64> = BTreeMap::new();
        for (gold, predicted, count) in pairs {
            for name in [gold, predicted].into_iter().flatten() {
                let sum = chunks.entry(name).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        let mut found: Vec<(&str, u64)> = chunks.into_iter().collect();
        found.sort_by_key(|&(name, chunks)| (Reverse(chunks), name));
        let others = if found.len() > MOST { found.split_off(MOST - 1).len() } else { 0 };
        let mut shown: Vec<&str> = found.into_iter().map(|found| found.0).collect();
        shown.sort_unstable();

        let mut names: Vec<Text> = shown.iter().map(|name| Text::name(name)).collect();
        if others > 0 {
            names.push(Text::new(&format!("({others} others)")));
        }
        let alone = names.len();
        let place = |name: Option<&str>| match name {
            Some(name) => shown.binary_search(&name).unwrap_or(shown.len()),
            None => alone,
        };
        let mut cells = vec![vec![0_u64; alone + 1]; alone + 1];
        for &(gold, predicted, count) in pairs {
            let row = cells.get_mut(place(gold));
            if let Some(cell) = row.and_then(|row| row.get_mut(place(predicted))) {
                *cell = cell.saturating_add(count);
            }
        }
        Self { names, cells, others }
    }
}
