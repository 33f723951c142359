//! Two readings side by side.

use chunkeval_core::{ModeReport, SideBySideReport};
use chunkeval_report::{Cell, Grid};
use serde_json::json;

use crate::output::Part;

/// Each score in each mode, and the gap.
pub(super) fn side_by_side(modes: &SideBySideReport) -> Part {
    let Some((first, others)) = modes.modes.split_first() else {
        return Part::Fact { name: "gap".into(), text: None, value: json!(null) };
    };
    let columns = others.iter().flat_map(|other| {
        ["precision", "recall", "f1"].into_iter().flat_map(move |score| {
            [
                format!("{score} {}", first.name),
                format!("{score} {}", other.name),
                format!("{score} gap"),
            ]
        })
    });
    let mut grid = Grid::new(["type".to_owned()].into_iter().chain(columns));
    let names = first.report.found_types().map(|t| Some(&*t.entity_type)).chain([None]);
    for name in names {
        let scores = |mode: &ModeReport| {
            let of = match name {
                Some(name) => mode.report.get(name).copied(),
                None => Some(mode.report.overall),
            };
            of.map(|s| [s.precision, s.recall, s.f1])
        };
        let of_first = scores(first).unwrap_or_default();
        let cells = others.iter().flat_map(|other| {
            let of_other = scores(other).unwrap_or_default();
            of_first.into_iter().zip(of_other).flat_map(|(a, b)| {
                [a, b, a - b].map(|score| Cell::Score((!score.is_nan()).then_some(score)))
            })
        });
        let cells: Vec<Cell> = cells.collect();
        grid.push([Cell::text(name.unwrap_or("micro"))].into_iter().chain(cells));
    }
    let note = "The gap is what strict reading costs: chunks that only a lenient reader makes of \
                ill-formed tags.";
    let heading = "Side by side".to_owned();
    Part::Grid { name: "gap".into(), heading, grid, note: Some(note.to_owned()) }
}
