//! Grids for people: terminal, Markdown, LaTeX.

use std::io::{self, Write};

use chunkeval_core::visible_name;
use unicode_width::UnicodeWidthStr;

use super::{Cell, Grid};
use crate::Color;
use crate::table::{Paint, escape_latex, escape_markdown};

/// How a grid is to look.
#[derive(Clone, Copy)]
pub(super) enum Look {
    Terminal(Color),
    Markdown,
    Latex,
}

pub(super) fn write(grid: &Grid, look: Look, to: impl Write) -> io::Result<()> {
    let escape = |text: &str| match look {
        Look::Terminal(_) => text.to_owned(),
        Look::Markdown => escape_markdown(text),
        Look::Latex => escape_latex(text),
    };
    let header: Vec<String> = grid.columns.iter().map(|name| escape(name)).collect();
    let dash = if let Look::Latex = look { "--" } else { "–" };
    let rows: Vec<Vec<String>> = grid
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| show(cell, grid.digits, dash, escape)).collect())
        .collect();
    let right: Vec<bool> = (0..header.len())
        .map(|column| {
            let texts = |row: &Vec<Cell>| match row.get(column) {
                Some(Cell::Text(_) | Cell::Excerpt { .. }) => true,
                Some(Cell::List(list)) => !list.is_empty(),
                _ => false,
            };
            !grid.rows.is_empty() && !grid.rows.iter().any(texts)
        })
        .collect();
    match look {
        Look::Terminal(color) => terminal(&header, &rows, &right, Paint::new(color), to),
        Look::Markdown => markdown(&header, &rows, &right, to),
        Look::Latex => latex(&header, &rows, &right, to),
    }
}

fn show(cell: &Cell, digits: u16, dash: &str, escape: impl Fn(&str) -> String) -> String {
    let number = |n: f64| {
        if n.is_nan() { dash.to_owned() } else { format!("{n:.*}", usize::from(digits)) }
    };
    match cell {
        Cell::Text(text) | Cell::Excerpt { part: text, .. } => escape(&visible_name(text)),
        Cell::List(list) if list.is_empty() => String::new(),
        Cell::List(list) => escape(&visible_name(&list.beginning())),
        Cell::Count(count) => count.to_string(),
        Cell::Score(score) => score.map_or(dash.to_owned(), number),
        &Cell::Interval { point, low, high } => {
            format!("{} [{}, {}]", number(point), number(low), number(high))
        }
        Cell::Empty => String::new(),
    }
}

fn terminal(
    header: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    paint: Paint,
    mut to: impl Write,
) -> io::Result<()> {
    let mut widths: Vec<usize> = header.iter().map(|name| name.width()).collect();
    for row in rows {
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.width().max(*width));
    }
    let line = |cells: &[String]| {
        let places = cells.iter().zip(&widths).zip(right);
        let padded = places.map(|((cell, width), right)| {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            if *right { padding + cell } else { cell.clone() + &padding }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let gaps = 2 * widths.len().saturating_sub(1);
    paint.bold(&mut to, &line(header))?;
    paint.dim(&mut to, &"─".repeat(widths.iter().sum::<usize>() + gaps))?;
    rows.iter().try_for_each(|row| writeln!(to, "{}", line(row)))
}

fn markdown(
    header: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    mut to: impl Write,
) -> io::Result<()> {
    writeln!(to, "| {} |", header.join(" | "))?;
    let rule = |right: &bool| if *right { "---:" } else { "---" };
    writeln!(to, "|{}|", right.iter().map(rule).collect::<Vec<_>>().join("|"))?;
    rows.iter().try_for_each(|row| writeln!(to, "| {} |", row.join(" | ")))
}

fn latex(
    header: &[String],
    rows: &[Vec<String>],
    right: &[bool],
    mut to: impl Write,
) -> io::Result<()> {
    let columns: String = right.iter().map(|right| if *right { 'r' } else { 'l' }).collect();
    writeln!(to, "\\begin{{tabular}}{{{columns}}}\n\\hline")?;
    writeln!(to, "{} \\\\\n\\hline", header.join(" & "))?;
    for row in rows {
        writeln!(to, "{} \\\\", row.join(" & "))?;
    }
    writeln!(to, "\\hline\n\\end{{tabular}}")
}
