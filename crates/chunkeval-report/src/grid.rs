//! Tables of any columns, in the formats of a [`Table`](crate::Table).

mod list;
mod text;

use std::fmt::Display;
use std::io::{self, Write};

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::Format;
use crate::memory;
use crate::table::escape_csv;
use text::Look;

pub use list::List;

/// A table of any columns: names, counts, scores, scores with intervals.
///
/// As JSON it is a list of objects, a field for each column; as CSV a header and records. Both have
/// every digit, and an interval in three fields: `f1`, `f1_low`, `f1_high`. The other formats have
/// it in one cell. A list is one in JSON, and a text elsewhere. What CSV makes of texts is said at
/// [`Format`].
///
/// ```
/// use chunkeval_report::{Cell, Format, Grid};
///
/// let mut grid = Grid::new(["type", "f1", "support"]).digits(2);
/// grid.push([Cell::text("LOC"), Cell::interval(0.75, 0.5, 0.875), Cell::Count(12)]);
/// grid.push([Cell::text("PER"), Cell::Score(None), Cell::Count(0)]);
/// assert_eq!(grid.render(Format::Csv), "\
/// type,f1,f1_low,f1_high,support
/// LOC,0.75,0.5,0.875,12
/// PER,,,,0
/// ");
/// assert_eq!(grid.render(Format::Markdown), "\
/// | type | f1 | support |
/// |---|---:|---:|
/// | LOC | 0.75 [0.50, 0.88] | 12 |
/// | PER | – | 0 |
/// ");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Grid {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    digits: u16,
}

/// A cell of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A name or a text.
    Text(String),
    /// A long text, of which terminal, Markdown and LaTeX show a part.
    Excerpt {
        /// The text, as JSON and CSV have it.
        whole: String,
        /// What is shown of it.
        part: String,
    },
    /// A number of things.
    Count(u64),
    /// A score, or `None` if it is undefined.
    Score(Option<f64>),
    /// A score with the ends of its interval.
    Interval {
        /// The score.
        point: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Several things.
    List(List),
    /// Nothing.
    Empty,
}

impl Cell {
    /// A name or a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Several things; see [`List`].
    pub fn list<T: Display + Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(List::new(items))
    }

    /// A score with the ends of its interval.
    #[must_use]
    pub fn interval(point: f64, low: f64, high: f64) -> Self {
        Self::Interval { point, low, high }
    }
}

impl Grid {
    /// No rows yet. Scores have four digits where the table is for people.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { columns, rows: Vec::new(), digits: 4 }
    }

    /// How many digits a score has after its point, where the table is for people.
    pub fn digits(self, digits: u16) -> Self {
        Self { digits, ..self }
    }

    /// Adds a row. What is missing at its end is empty, and what is too much is left away.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::Empty);
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows, each with a cell for each column.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as a text.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        memory::text(|to| self.write(format, to))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, format: Format, mut to: impl Write) -> io::Result<()> {
        match format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut to, self)?;
                to.write_all(b"\n")
            }
            Format::Csv => self.write_csv(to),
            Format::Markdown => text::write(self, Look::Markdown, to),
            Format::Latex => text::write(self, Look::Latex, to),
            Format::Terminal(color) => text::write(self, Look::Terminal(color), to),
        }
    }

    fn write_csv(&self, to: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(to);
        let parts: Vec<_> = (0..self.columns.len()).map(|column| self.parts(column)).collect();
        let columns = self.columns.iter().zip(&parts);
        csv.write_record(
            columns.flat_map(|(name, parts)| parts.iter().map(move |part| format!("{name}{part}"))),
        )?;
        for row in &self.rows {
            csv.write_record(row.iter().zip(&parts).flat_map(|(cell, parts)| {
                let number = |n: f64| if n.is_nan() { String::new() } else { n.to_string() };
                let mut values = match cell {
                    Cell::Text(text) | Cell::Excerpt { whole: text, .. } => vec![escape_csv(text)],
                    Cell::List(list) => vec![escape_csv(&list.to_string())],
                    Cell::Count(count) => vec![count.to_string()],
                    Cell::Score(score) => vec![score.map_or(String::new(), number)],
                    &Cell::Interval { point, low, high } => [point, low, high].map(number).into(),
                    Cell::Empty => vec![String::new()],
                };
                values.resize(parts.len(), String::new());
                values
            }))?;
        }
        csv.flush()
    }

    /// What is added to the name of a column for each of its fields: a look at all rows.
    fn parts(&self, column: usize) -> &'static [&'static str] {
        let intervals = |row: &Vec<Cell>| matches!(row.get(column), Some(Cell::Interval { .. }));
        if self.rows.iter().any(intervals) { &["", "_low", "_high"] } else { &[""] }
    }
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        for cells in &self.rows {
            rows.serialize_element(&Row { columns: &self.columns, cells })?;
        }
        rows.end()
    }
}

struct Row<'a> {
    columns: &'a [String],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, cell) in self.columns.iter().zip(self.cells) {
            match cell {
                Cell::Text(text) | Cell::Excerpt { whole: text, .. } => {
                    map.serialize_entry(name, text)?;
                }
                Cell::List(list) => map.serialize_entry(name, list)?,
                Cell::Count(count) => map.serialize_entry(name, count)?,
                Cell::Score(score) => map.serialize_entry(name, score)?,
                Cell::Interval { point, low, high } => {
                    map.serialize_entry(name, point)?;
                    map.serialize_entry(&format!("{name}_low"), low)?;
                    map.serialize_entry(&format!("{name}_high"), high)?;
                }
                Cell::Empty => {}
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of errors can be as long; a look at all rows for each row would take minutes.
    #[test]
    fn a_hundred_thousand_rows() {
        let mut grid = Grid::new(["place", "f1", "count"]);
        for row in 0..100_000 {
            grid.push([Cell::text("x"), Cell::Score(Some(0.5)), Cell::Count(row)]);
        }
        grid.push([Cell::text("x"), Cell::interval(0.5, 0.25, 0.75), Cell::Count(1)]);
        let csv = grid.render(Format::Csv);
        assert!(csv.starts_with("place,f1,f1_low,f1_high,count\nx,0.5,,,0\n"));
        assert!(csv.ends_with("x,0.5,,,99999\nx,0.5,0.25,0.75,1\n"));
    }
}
