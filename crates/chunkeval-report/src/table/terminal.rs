//! A table for a terminal.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use chunkeval_core::visible_name;
use unicode_width::UnicodeWidthStr;

use super::{Name, Table};

/// Whether a table for a terminal is in colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// If standard output is a terminal and the variable `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    fn wanted(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                // See no-color.org: an empty value does not count.
                let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
                !refused && io::stdout().is_terminal()
            }
        }
    }
}

const PLAIN: Style = Style::new();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Columns are aligned by the width of their characters, so that wide ones take two places.
pub(super) fn write(table: &Table<'_>, color: Color, mut to: impl Write) -> io::Result<()> {
    let paint = Paint::new(color);
    let header = table.columns();
    let rows: Vec<_> = table
        .rows()
        .map(|row| {
            let name = match row.name {
                Name::Type(name) => visible_name(name),
                Name::Average(average) => average.to_string(),
            };
            (row.name, row.f_score, name, table.cells(&row, "–"))
        })
        .collect();
    let mut widths = header.each_ref().map(|cell| cell.width());
    for (_, _, name, cells) in &rows {
        let all = std::iter::once(name).chain(cells);
        widths.iter_mut().zip(all).for_each(|(width, cell)| *width = cell.width().max(*width));
    }
    let rule = "─".repeat(widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1));

    let [first, others @ ..] = &header;
    let line = Line { widths, paint };
    line.write(&mut to, first, others, [BOLD; 7])?;
    paint.line(&mut to, DIM, &rule)?;
    let mut averages = false;
    for (kind, f_score, name, cells) in &rows {
        let mut styles = [PLAIN; 7];
        if let Name::Average(_) = kind {
            if !averages {
                paint.line(&mut to, DIM, &rule)?;
            }
            averages = true;
            styles[0] = BOLD;
        }
        styles[F_SCORE] = f_score.map_or(DIM, by_value);
        line.write(&mut to, name, cells, styles)?;
    }
    write_notes(table, paint, &mut to)?;
    paint.line(&mut to, DIM, &table.signature().to_string())
}

const GAP: &str = "  ";
/// The column of the F score.
const F_SCORE: usize = 3;

/// Red, yellow, green: below a half, below four fifths, above.
fn by_value(score: f64) -> Style {
    let color = match score {
        ..0.5 => AnsiColor::Red,
        ..0.8 => AnsiColor::Yellow,
        _ => AnsiColor::Green,
    };
    Style::new().fg_color(Some(color.into()))
}

/// What was seen, and what the scores cannot say by themselves.
fn write_notes(table: &Table<'_>, paint: Paint, to: &mut impl Write) -> io::Result<()> {
    let d = table.diagnostics();
    // Entities that were extracted from texts have no tokens.
    let [one, many] = table.rows;
    let rows = format!("{} {}", d.rows, if d.rows == 1 { one } else { many });
    let mut seen = match d.tokens {
        0 => rows,
        1 => format!("{rows}, 1 token"),
        tokens => format!("{rows}, {tokens} tokens"),
    };
    for (count, what) in [
        (d.ignored, "ignored"),
        (d.unknown_predicted, "with an unknown prediction, read as O"),
        (d.missing_predicted, "without a prediction, read as O"),
    ] {
        if count > 0 {
            seen += &format!("; {count} {what}");
        }
    }
    paint.line(to, DIM, &seen)?;
    for (what, undefined) in [
        ("nothing predicted", (|row: &super::Row<'_>| row.predicted == Some(0)) as fn(&_) -> _),
        ("nothing gold", |row| row.support == 0),
    ] {
        let names = table.rows().filter(undefined).filter_map(|row| match row.name {
            Name::Type(name) => Some(visible_name(name)),
            Name::Average(_) => None,
        });
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            paint.line(to, DIM, &format!("{what}: {}", names.join(", ")))?;
        }
    }
    Ok(())
}

/// Puts colours on text, where they are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    wanted: bool,
}

impl Paint {
    pub(crate) fn new(color: Color) -> Self {
        Self { wanted: color.wanted() }
    }

    /// A line of names.
    pub(crate) fn bold(self, to: &mut impl Write, text: &str) -> io::Result<()> {
        self.line(to, BOLD, text)
    }

    /// A line that is less than others.
    pub(crate) fn dim(self, to: &mut impl Write, text: &str) -> io::Result<()> {
        self.line(to, DIM, text)
    }

    fn cell(self, style: Style, text: &str) -> String {
        match self.wanted && style != PLAIN {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    fn line(self, to: &mut impl Write, style: Style, text: &str) -> io::Result<()> {
        writeln!(to, "{}", self.cell(style, text))
    }
}

struct Line {
    widths: [usize; 7],
    paint: Paint,
}

impl Line {
    /// The name to the left, numbers to the right.
    fn write(
        &self,
        to: &mut impl Write,
        name: &str,
        cells: &[String],
        styles: [Style; 7],
    ) -> io::Result<()> {
        let padding = |width: usize, text: &str| " ".repeat(width.saturating_sub(text.width()));
        let [name_width, widths @ ..] = self.widths;
        let [name_style, cell_styles @ ..] = styles;
        let mut line = self.paint.cell(name_style, name) + &padding(name_width, name);
        for ((cell, width), style) in cells.iter().zip(widths).zip(cell_styles) {
            line += GAP;
            line += &padding(width, cell);
            line += &self.paint.cell(style, cell);
        }
        writeln!(to, "{}", line.trim_end())
    }
}
