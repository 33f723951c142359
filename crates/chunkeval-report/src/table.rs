//! A report as a table: one model, written in several formats, so that they cannot disagree.

mod csv;
mod json;
mod latex;
mod markdown;
mod terminal;

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use chunkeval_core::{
    Average, AverageScores, Beta, ChunkCounts, ChunkReport, Diagnostics, Error, Protocol, Scores,
};

use crate::memory;
pub(crate) use csv::escape as escape_csv;
pub(crate) use latex::escape as escape_latex;
pub(crate) use markdown::escape as escape_markdown;
pub use terminal::Color;
pub(crate) use terminal::Paint;

/// A report as a table: a row for each type found on either side, then the averages; precision,
/// recall, F score, support (gold chunks), predicted and correct chunks; and the signature.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
/// use chunkeval_report::{Format, Table};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "B-LOC"])?;
/// metric.update(TagBatch::new(&[1, 1, 2], &[1, 0, 2], &[3])?)?;
/// let text = Table::new(&metric.accumulate()).digits(2).render(Format::Markdown);
/// # let text = text.replace(env!("CARGO_PKG_VERSION"), "0.1.0");
/// assert_eq!(text, "\
/// | type | precision | recall | f1 | support | predicted | correct |
/// |---|---:|---:|---:|---:|---:|---:|
/// | LOC | 1.00 | 1.00 | 1.00 | 1 | 1 | 1 |
/// | PER | 1.00 | 0.50 | 0.67 | 2 | 1 | 1 |
/// | **micro** | 1.00 | 0.67 | 0.80 | 3 | 2 | 2 |
/// | **macro** | 1.00 | 0.75 | 0.83 | 3 |  |  |
/// | **weighted** | 1.00 | 0.67 | 0.78 | 3 |  |  |
///
/// `chunkeval:0.1.0|mode:lenient|style:prefix|reading:strict|average:micro+macro+weighted|zero:0`
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Table<'a> {
    report: &'a ChunkReport,
    digits: u16,
    beta: Beta,
    /// One row of what was scored, and several.
    rows: [&'a str; 2],
}

/// How a [`Table`] is written.
///
/// JSON and CSV have every digit of the scores, and `null` or nothing for one that is undefined.
/// The others have as many [digits](Table::digits) as asked for, and a dash.
///
/// JSON has names and texts as they are. In all others hidden characters are spelled out,
/// `\u{1b}`, so that no terminal obeys them; and CSV has an apostrophe before a text that a
/// spreadsheet would take for a formula, since it begins with `=`, `+`, `-` or `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One JSON object.
    Json,
    /// A header and a record for each row, the signature in its last column.
    Csv,
    /// A table of GitHub's Markdown and the signature in a code span.
    Markdown,
    /// A `tabular` that needs no package, the signature in a comment above it.
    Latex,
    /// Aligned columns, in colour or not.
    Terminal(Color),
}

/// A row of the table.
#[derive(Clone, Debug)]
struct Row<'a> {
    name: Name<'a>,
    precision: Option<f64>,
    recall: Option<f64>,
    f_score: Option<f64>,
    support: u64,
    /// Predicted and correct chunks; an average over types has none.
    predicted: Option<u64>,
    correct: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Name<'a> {
    Type(&'a str),
    Average(Average),
}

impl<'a> Table<'a> {
    /// The table of a report, with four digits and F1.
    pub fn new(report: &'a ChunkReport) -> Self {
        Self { report, digits: 4, beta: Beta::ONE, rows: ["row", "rows"] }
    }

    /// How many digits a score has after its point, where the table is for people.
    pub fn digits(self, digits: u16) -> Self {
        Self { digits, ..self }
    }

    /// Another F score than F1. The signature says which.
    pub fn beta(self, beta: Beta) -> Self {
        Self { beta, ..self }
    }

    /// What one row of what was scored is called, and several: `["answer", "answers"]`.
    pub fn rows_are(self, rows: [&'a str; 2]) -> Self {
        Self { rows, ..self }
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
    pub fn write(&self, format: Format, to: impl Write) -> io::Result<()> {
        match format {
            Format::Json => json::write(self, to),
            Format::Csv => csv::write(self, to),
            Format::Markdown => markdown::write(self, to),
            Format::Latex => latex::write(self, to),
            Format::Terminal(color) => terminal::write(self, color, to),
        }
    }

    /// The rows of the types, then those of the averages.
    fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let &Self { report, beta, .. } = self;
        let types = report.found_types().map(move |t| {
            let Scores { precision, recall, counts, .. } = t.scores;
            let f_score = counts.f_beta(beta, report.zero_division);
            Row {
                name: Name::Type(&t.entity_type),
                precision: defined(precision),
                recall: defined(recall),
                f_score: defined(f_score),
                support: counts.gold,
                predicted: Some(counts.predicted),
                correct: Some(counts.correct),
            }
        });
        types.chain(Average::ALL.map(|average| Row::of_average(report, average, beta)))
    }

    /// The name of the F score: `f1`, `f0.5`, `finf`.
    fn f_name(&self) -> String {
        format!("f{}", self.beta)
    }

    /// The names of the columns, that of the row names first.
    fn columns(&self) -> [String; 7] {
        ["type", "precision", "recall", &self.f_name(), "support", "predicted", "correct"]
            .map(str::to_owned)
    }

    /// The cells of a row after its name, with as many digits as asked for.
    fn cells(&self, row: &Row<'_>, undefined: &str) -> [String; 6] {
        let score = |score: Option<f64>| {
            score.map_or(undefined.to_owned(), |s| format!("{s:.*}", usize::from(self.digits)))
        };
        let count = |count: Option<u64>| count.map_or(String::new(), |n| n.to_string());
        [
            score(row.precision),
            score(row.recall),
            score(row.f_score),
            row.support.to_string(),
            count(row.predicted),
            count(row.correct),
        ]
    }

    fn signature(&self) -> Protocol {
        let protocol = self.report.protocol.clone();
        if self.beta == Beta::ONE { protocol } else { protocol.with("beta", self.beta) }
    }

    fn diagnostics(&self) -> &Diagnostics {
        &self.report.diagnostics
    }
}

impl Row<'_> {
    fn of_average(report: &ChunkReport, average: Average, beta: Beta) -> Self {
        let of_average = report.average_by(average, beta);
        let AverageScores { precision, recall, f_score, support, .. } = of_average;
        let ChunkCounts { predicted, correct, .. } = report.overall.counts;
        let micro = average == Average::Micro;
        Row {
            name: Name::Average(average),
            precision: defined(precision),
            recall: defined(recall),
            f_score: defined(f_score),
            support,
            predicted: micro.then_some(predicted),
            correct: micro.then_some(correct),
        }
    }
}

fn defined(score: f64) -> Option<f64> {
    (!score.is_nan()).then_some(score)
}

/// `json`, `csv`, `markdown`, `latex` or `terminal`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Terminal(_) => "terminal",
        })
    }
}

/// `json`, `csv`, `markdown`, `latex` or `terminal` (in colour where that is wanted).
impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let all = [Self::Json, Self::Csv, Self::Markdown, Self::Latex, Self::Terminal(Color::Auto)];
        let known = all.into_iter().find(|format| format.to_string() == name);
        known.ok_or_else(|| {
            let names = all.map(|format| format.to_string()).join(", ");
            Error::config("format", format!("{name:?} is none of {names}"))
        })
    }
}
