//! Errors by kind, and the first of each kind.

use chunkeval_core::{ChunkErrorKind, ChunkErrorReport};
use chunkeval_report::{Cell, Grid};

use crate::excerpt;
use crate::output::Part;
use crate::tags::{Example, Mention};

/// How many errors of each kind there are in one of the modes.
pub(super) fn by_kind(report: &ChunkErrorReport, key: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["error", "count"]);
    for kind in ChunkErrorKind::ALL {
        grid.push([Cell::text(kind.words()), Cell::Count(report.count(kind))]);
    }
    let (name, heading) = (format!("errors_by_kind{key}").into(), format!("Errors{reading}"));
    Part::Grid { name, heading, grid, note: None }
}

/// The first errors of each kind in one of the modes.
pub(super) fn listing(examples: &[Example], key: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["line", "error", "gold", "predicted", "text"]);
    for example in examples {
        let mention = |m: &Option<Mention>| match m {
            Some(m) => excerpt::beginning(&format!("{} {}", m.entity_type, m.text)),
            None => Cell::Empty,
        };
        let entities = [&example.gold, &example.predicted].into_iter().flatten();
        grid.push([
            Cell::Count(example.line),
            Cell::text(example.kind.words()),
            mention(&example.gold),
            mention(&example.predicted),
            excerpt::around(&example.text, entities.map(|m| &*m.text)),
        ]);
    }
    let (name, heading) =
        (format!("errors{key}").into(), format!("The first errors of each kind{reading}"));
    Part::Grid { name, heading, grid, note: None }
}
