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
    /// Whether names of columns stand upright, since they have no room.
    pub(super) turned: bool,
    /// Whether pairs of one type are not all right.
    pub(super) near: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: Text,
    pub(super) cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) count: u64,
    /// How many pairs of one type are right, where some are not.
    pub(super) right: Option<u64>,
    /// How strong the colour is, from 0 to 1; empty for none.
    pub(super) strength: String,
    /// How many percent of the pairs are right, where that is not all or nothing.
    pub(super) share: String,
    pub(super) class: &'static str,
    /// The cell in words.
    pub(super) words: String,
}

/// The most types that have a row of their own.
const MOST: usize = 30;

/// So many columns stand side by side with names of so many characters.
const LYING: (usize, usize) = (8, 12);

impl Heat {
    /// Types without chunks are left out. `right` is how many pairs of each type are right.
    pub(super) fn of<'n>(
        pairs: impl IntoIterator<Item = TypePair<'n>>,
        right: impl IntoIterator<Item = (&'n str, u64)>,
        said: impl Into<String>,
    ) -> Self {
        let pairs: Vec<_> = pairs.into_iter().filter(|pair| pair.2 > 0).collect();
        let Grid { names, cells, right, others } = Grid::of(&pairs, right);
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
                let right = right.get(row).filter(|_| row == column).copied();
                Cell::of(names.get(row), names.get(column), (count, of, right))
            });
            let name = names.get(row).cloned().unwrap_or_else(|| Text::new("spurious"));
            Row { name, cells: cells.collect() }
        });
        let rows: Vec<Row> = rows.collect();
        let near = rows.iter().flat_map(|row| &row.cells).any(|cell| cell.right.is_some());
        let (most, longest) = LYING;
        let long = |name: &Text| name.as_str().chars().nth(longest).is_some();
        let turned = columns.len() > most || columns.iter().any(long);
        Self { rows, columns, others, pairs: said.into(), turned, near }
    }
}

impl Cell {
    /// The cell of a gold and a predicted type, or without a name that of chunks that have no
    /// partner: how many there are, of how many, and how many of them are right, if types are equal.
    fn of(
        gold: Option<&Text>,
        predicted: Option<&Text>,
        (count, of, right): (u64, u64, Option<u64>),
    ) -> Self {
        let part = right.filter(|right| *right < count);
        let (class, what) = match (gold, predicted) {
            (None, None) => return Self::empty(),
            _ if count == 0 => ("heat zero", String::new()),
            (Some(gold), Some(predicted)) => {
                let class = match (right, part) {
                    (None, _) => "heat wrong",
                    (_, Some(0)) => "heat near",
                    (_, Some(_)) => "heat part",
                    (_, None) => "heat right",
                };
                (class, format!("gold {gold} predicted as {predicted}"))
            }
            (Some(gold), None) => ("heat wrong", format!("gold {gold} missed")),
            (None, Some(predicted)) => ("heat wrong", format!("predicted {predicted} spurious")),
        };
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        let mut words = format!("{count} of {of} {what}");
        if let Some(part) = part {
            words += &format!(", {part} of them right");
        }
        Self {
            count,
            right: part,
            // The root: errors of a good tagger are few, and should be seen all the same.
            strength: match count {
                0 => String::new(),
                _ => format!("{:.2}", share(count, of).sqrt()),
            },
            share: part.map_or(String::new(), |part| format!("{:.0}%", share(part, count) * 100.0)),
            class,
            words: if count == 0 { String::new() } else { words },
        }
    }

    /// What is neither gold nor predicted.
    fn empty() -> Self {
        let none = String::new;
        let (count, right, class) = (0, None, "heat none");
        Self { count, right, strength: none(), share: none(), class, words: none() }
    }
}

/// The cells of the types that are shown, in order, those of the others, and those without a
/// partner.
struct Grid {
    names: Vec<Text>,
    cells: Vec<Vec<u64>>,
    /// How many pairs of each type are right.
    right: Vec<u64>,
    others: usize,
}

impl Grid {
    /// As large as what is shown of it, however many types there are.
    fn of<'n>(pairs: &[TypePair<'n>], right: impl IntoIterator<Item = (&'n str, u64)>) -> Self {
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
        let mut right_of = vec![0_u64; alone];
        for (name, count) in right {
            if let Some(sum) = right_of.get_mut(place(Some(name))) {
                *sum = sum.saturating_add(count);
            }
        }
        Self { names, cells, right: right_of, others }
    }
}
