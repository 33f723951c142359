//! A page as one table of comma-separated values: all its scores.

use chunkeval_core::{Average, ChunkCounts, ChunkReport};
use chunkeval_llm::{AnswerReading, Treatment};
use chunkeval_report::{Cell, Grid};
use chunkeval_stats::{Interval, IntervalReport, IntervalRow};

use super::page::{Page, Part, of_answers};

/// What a record says of scores besides the scores.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// Of what they are: a name for each column that tells tables apart.
    pub(crate) of: Vec<(&'static str, String)>,
    /// How sure they are; three columns for each score.
    pub(crate) intervals: Option<IntervalReport>,
    /// How many short and long units there are, and their counts; a record for each.
    pub(crate) lengths: Vec<(String, u64, ChunkCounts)>,
}

impl Sheet {
    /// That of a table of answers.
    pub(crate) fn of_answers(reading: AnswerReading, treatment: Treatment) -> Self {
        let of = vec![("reading", reading.to_string()), ("treatment", treatment.to_string())];
        Self { of, ..Self::default() }
    }
}

/// Everything of one record but the name of its table.
type Record = Vec<Cell>;

/// All scores of a page, those that count first; `None` if it has no scores.
pub(super) fn scores(page: &Page) -> Option<Grid> {
    let tables = page.parts().iter().filter_map(|part| match part {
        Part::Scores { name, report, sheet, .. } => Some((name != "scores", report, sheet)),
        _ => None,
    });
    let mut tables: Vec<_> = tables.collect();
    tables.sort_by_key(|(other, ..)| *other);
    let (_, first, sheet) = tables.first()?;
    let units = if of_answers(first) { "answers" } else { "sentences" };
    let columns = sheet.of.iter().map(|(column, _)| *column).chain(["kind", "name"]);
    let columns = columns.chain(["precision", "recall", "f1", "support", "predicted", "correct"]);
    let mut grid = Grid::new(columns.chain([units, "signature"]));
    for (_, report, sheet) in tables {
        let signature = report.protocol.to_string();
        for record in records(report, sheet) {
            let of = sheet.of.iter().map(|(_, name)| Cell::text(name));
            grid.push(of.chain(record).chain([Cell::text(&signature)]));
        }
    }
    Some(grid)
}

fn records(report: &ChunkReport, sheet: &Sheet) -> Vec<Record> {
    let intervals = |name: &str, average: Option<Average>| {
        let found = sheet.intervals.as_ref();
        found.and_then(|found| average.map_or(found.get(name), |average| found.average(average)))
    };
    let rows = report.diagnostics.rows;
    let types = report.found_types().map(|of| {
        let scores = [of.scores.precision, of.scores.recall, of.scores.f1];
        let counts = of.scores.counts;
        let name = &*of.entity_type;
        record(["type", name], sure(scores, intervals(name, None)), counts, rows)
    });
    let averages = Average::ALL.map(|average| {
        let of = report.average(average);
        let name = average.name();
        let scores = sure([of.precision, of.recall, of.f_score], intervals(name, Some(average)));
        let counts = ChunkCounts { gold: of.support, ..report.overall.counts };
        let mut record = record(["average", name], scores, counts, rows);
        if average != Average::Micro {
            // An average over types has no chunks of its own.
            record.splice(6..8, [Cell::Empty, Cell::Empty]);
        }
        record
    });
    let lengths = sheet.lengths.iter().map(|(name, units, counts)| {
        let scores = [counts.precision(), counts.recall(), counts.f1()].map(Cell::Score);
        record(["length", name], scores, *counts, *units)
    });
    types.chain(averages).chain(lengths).collect()
}

fn record(names: [&str; 2], scores: [Cell; 3], counts: ChunkCounts, units: u64) -> Record {
    let ChunkCounts { gold, predicted, correct } = counts;
    let counts = [gold, predicted, correct, units].map(Cell::Count);
    names.map(Cell::text).into_iter().chain(scores).chain(counts).collect()
}

/// Scores with the ends of their intervals, where those are known.
fn sure(scores: [f64; 3], row: Option<&IntervalRow>) -> [Cell; 3] {
    let [precision, recall, f1] = scores;
    let cell = |point: f64, interval: Option<Interval>| match interval {
        Some(Interval { low, high, .. }) => Cell::interval(point, low, high),
        None => Cell::Score((!point.is_nan()).then_some(point)),
    };
    [
        cell(precision, row.and_then(|row| row.precision)),
        cell(recall, row.and_then(|row| row.recall)),
        cell(f1, row.and_then(|row| row.f1)),
    ]
}

/// What a page says that has no place among its scores.
pub(super) fn rest(page: &Page) -> Vec<String> {
    let mut notes = Vec::new();
    let mut others = Vec::new();
    for part in page.parts() {
        match part {
            Part::Fact { text: Some(text), .. } | Part::Note(text) => notes.push(text.clone()),
            Part::Grid { name, .. } if is_there_or_unasked(name) => {}
            Part::Grid { name, .. } => others.push(&**name),
            Part::Fact { text: None, .. } | Part::Scores { .. } | Part::Missing(..) => {}
        }
    }
    if !others.is_empty() {
        let others = others.join(", ");
        notes.push(format!("CSV has the scores alone; --format json has {others}, too."));
    }
    notes
}

/// Whether the records have it: intervals, lengths, and the gap, which is the difference of two. Nor
/// is missed what nobody asked for.
fn is_there_or_unasked(name: &str) -> bool {
    ["intervals", "by_length", "gap", "health", "repairs", "grounding"]
        .iter()
        .any(|of| name.starts_with(of))
}
