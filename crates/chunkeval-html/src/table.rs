//! Any other table.

use std::fmt;

use askama::Template;

use crate::text::Text;

/// A table of texts and numbers under a heading.
///
/// ```
/// use chunkeval_html::{Column, Page, Table};
///
/// let table = Table::new("Checks", [Column::text("score"), Column::number("least")])
///     .row(["micro F1", "0.9"])
///     .note("All of them are passed.");
/// let html = Page::new("A gate").with(table).to_string();
/// assert!(html.contains("<td class=\"number\">0.9</td>"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Table {
    title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Text>>,
    note: Option<Text>,
}

/// A column of a [`Table`]: its name, and on which side its cells stand.
#[derive(Clone, Debug)]
#[must_use]
pub struct Column {
    name: Text,
    class: &'static str,
}

#[derive(Template)]
#[template(path = "table.html")]
struct View<'a> {
    title: Text,
    columns: &'a [Column],
    rows: Vec<Vec<(&'a Column, &'a Text)>>,
    note: Option<&'a Text>,
}

impl Column {
    /// A column of texts.
    pub fn text(name: impl AsRef<str>) -> Self {
        Self { name: Text::new(name.as_ref()), class: "text" }
    }

    /// A column of numbers.
    pub fn number(name: impl AsRef<str>) -> Self {
        Self { name: Text::new(name.as_ref()), class: "number" }
    }
}

impl Table {
    /// No rows yet. The first column names the rows.
    pub fn new(title: impl Into<String>, columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { title: title.into(), columns, rows: Vec::new(), note: None }
    }

    /// The same with one more row. What is missing at its end is empty, and what is too much is
    /// left away.
    pub fn row<T: AsRef<str>>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        let mut cells: Vec<Text> = cells.into_iter().map(|c| Text::new(c.as_ref())).collect();
        cells.resize(self.columns.len(), Text::default());
        self.rows.push(cells);
        self
    }

    /// A remark below the table.
    pub fn note(self, note: impl AsRef<str>) -> Self {
        Self { note: Some(Text::new(note.as_ref())), ..self }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows.iter().map(|row| self.columns.iter().zip(row).collect());
        let view = View {
            title: Text::new(&self.title),
            columns: &self.columns,
            rows: rows.collect(),
            note: self.note.as_ref(),
        };
        write!(f, "{view}")
    }
}
