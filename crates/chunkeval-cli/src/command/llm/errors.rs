//! The errors by kind, and the first ones of each.

use chunkeval_report::{Cell, Grid};

use crate::excerpt;
use crate::llm::{Example, ExampleKind, Mention, Scored};
use crate::output::Part;

/// How many there are of each kind.
pub(super) fn by_kind(scored: &Scored, reading: &str) -> Part {
    let mut grid = Grid::new(["error", "count"]);
    for kind in ExampleKind::ALL {
        let count = scored.errors.get(&kind).copied().unwrap_or(0);
        grid.push([Cell::text(kind.words()), Cell::Count(count)]);
    }
    let heading = format!("Errors{reading}");
    Part::Grid { name: "errors_by_kind".into(), heading, grid, note: None }
}

/// The first ones of each kind.
pub(super) fn listing(examples: &[Example], reading: &str) -> Part {
    let mut grid = Grid::new(["line", "error", "gold", "predicted", "text"]);
    for example in examples {
        let mention = |m: &Option<Mention>| match m {
            Some(m) => excerpt::beginning(&format!("{} {}", m.entity_type, m.text)),
            None => Cell::Empty,
        };
        let entities = [&example.gold, &example.predicted].into_iter().flatten();
        let text = excerpt::around(&example.text, entities.map(|m| &*m.text));
        grid.push([
            Cell::Count(example.id.line),
            Cell::text(example.kind.words()),
            mention(&example.gold),
            mention(&example.predicted),
            if example.text.is_empty() { Cell::Empty } else { text },
        ]);
    }
    let heading = format!("The first errors of each kind{reading}");
    Part::Grid { name: "errors".into(), heading, grid, note: None }
}
