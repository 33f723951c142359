//! The parts of a page as HTML, as they come.

use std::path::Path;

use chunkeval_html::{Column, Scores, Table};
use chunkeval_report::{Cell, Grid};

use super::page::{ANSWERS, SENTENCES, of_answers};
use super::{OutputArgs, Page, Part};

/// A page without parts of one file, or of one against another: it is called by their names, and
/// where they are stands below.
pub(crate) fn of_files(files: &[&str]) -> chunkeval_html::Page {
    let paths = files.join(" against ");
    let names = files.iter().map(|file| {
        Path::new(file)
            .file_name()
            .map_or_else(|| (*file).to_owned(), |n| n.to_string_lossy().into_owned())
    });
    let names: Vec<String> = names.collect();
    let alike = matches!(&*names, [first, second] if first == second);
    let title = names.join(" against ");
    match alike || title == paths {
        true => chunkeval_html::Page::new(paths),
        false => chunkeval_html::Page::new(title).place(paths),
    }
}

/// The page; facts for people become remarks at its top.
pub(super) fn page(page: &Page, how: &OutputArgs) -> chunkeval_html::Page {
    let mut html = chunkeval_html::Page::new("chunkeval");
    for part in page.parts() {
        html = match part {
            Part::Scores { heading, report, .. } => {
                let scores = Scores::of(report).digits(how.digits);
                let scores = match of_answers(report) {
                    true => scores.called(ANSWERS, "entities"),
                    false => scores.called(SENTENCES, "chunks"),
                };
                html.with(match heading {
                    Some(heading) => scores.titled(heading),
                    None => scores,
                })
            }
            Part::Grid { heading, grid, note, .. } => {
                let table = table(heading, grid, usize::from(how.digits));
                html.with(match note {
                    Some(note) => table.note(note),
                    None => table,
                })
            }
            Part::Fact { text: Some(text), .. } | Part::Note(text) => html.note(text),
            Part::Missing(_, text) => html.warning(text),
            Part::Fact { text: None, .. } => html,
        };
    }
    html
}

fn table(heading: &str, grid: &Grid, digits: usize) -> Table {
    let columns = grid.columns().iter().enumerate().map(|(column, name)| {
        let text = |row: &Vec<Cell>| {
            let cell = row.get(column);
            matches!(cell, Some(Cell::Text(_) | Cell::Excerpt { .. } | Cell::List(_)))
        };
        if grid.rows().iter().any(text) { Column::text(name) } else { Column::number(name) }
    });
    let table = Table::new(heading, columns);
    grid.rows().iter().fold(table, |table, row| table.row(row.iter().map(|c| cell(c, digits))))
}

fn cell(cell: &Cell, digits: usize) -> String {
    match cell {
        Cell::Text(text) | Cell::Excerpt { whole: text, .. } => text.clone(),
        Cell::List(list) => list.to_string(),
        Cell::Count(count) => count.to_string(),
        Cell::Score(Some(score)) => format!("{score:.digits$}"),
        Cell::Score(None) => "–".to_owned(),
        Cell::Interval { point, low, high } => {
            format!("{point:.digits$} [{low:.digits$}, {high:.digits$}]")
        }
        Cell::Empty => String::new(),
    }
}
