//! Scores by length of sentence, and errors by type.

use chunkeval_core::{ChunkCounts, ChunkErrorKind, ChunkErrorReport, Metric as _};
use chunkeval_report::{Cell, Grid};

use crate::output::Part;
use crate::tags::Scored;

/// How many short and long sentences there are, and their counts in one of the modes.
pub(super) fn lengths(scored: &Scored, at: usize) -> Vec<(String, u64, ChunkCounts)> {
    let buckets = scored.buckets.iter().filter_map(|(name, metric)| {
        let report = metric.accumulate().modes.into_iter().nth(at)?.report;
        Some((name.clone(), report.diagnostics.rows, report.overall.counts))
    });
    buckets.collect()
}

/// Scores of short and long sentences in one of the modes; the key in JSON ends with `key`, the
/// heading as `reading` says.
pub(super) fn by_length(scored: &Scored, at: usize, key: &str, reading: &str) -> Part {
    let columns = ["tokens", "sentences", "precision", "recall", "f1", "support", "predicted"];
    let mut grid = Grid::new(columns.into_iter().chain(["correct"]));
    for (name, rows, all) in lengths(scored, at) {
        let scores = [all.precision(), all.recall(), all.f1()].map(Cell::Score);
        let counts = [all.gold, all.predicted, all.correct].map(Cell::Count);
        let cells = [Cell::text(name), Cell::Count(rows)].into_iter().chain(scores).chain(counts);
        grid.push(cells);
    }
    let (name, heading) =
        (format!("by_length{key}").into(), format!("By length of sentence{reading}"));
    Part::Grid { name, heading, grid, note: None }
}

/// What became of the chunks of each type in one of the modes.
pub(super) fn by_type(report: &ChunkErrorReport, key: &str, reading: &str) -> Part {
    let kinds = ChunkErrorKind::ALL;
    let names = ["type", "gold", "predicted", "correct"].into_iter();
    let mut grid = Grid::new(names.chain(kinds.map(ChunkErrorKind::words)));
    for t in &report.per_type {
        let counts = [t.gold.chunks(), t.predicted.chunks(), t.gold.correct].into_iter();
        let counts = counts.chain(kinds.map(|kind| t.count(kind))).map(Cell::Count);
        grid.push([Cell::text(&t.entity_type)].into_iter().chain(counts));
    }
    let note = "What became of the gold chunks of a type; spurious ones are predicted chunks.";
    let (name, heading) = (format!("by_type{key}").into(), format!("By type{reading}"));
    Part::Grid { name, heading, grid, note: Some(note.to_owned()) }
}
