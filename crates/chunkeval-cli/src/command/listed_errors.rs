//! The tables of errors, of tags and of answers alike: how many of each kind, and the first of each.

use chunkeval_report::{Cell, Grid};

use crate::excerpt;
use crate::output::Part;

/// Which of the tables of a page: the end of its key and of its heading, both empty where there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose<'a> {
    pub(super) key: &'a str,
    pub(super) reading: &'a str,
}

/// An error that is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub(super) line: u64,
    /// The words for its kind.
    pub(super) kind: &'static str,
    /// The gold entity and the predicted one.
    pub(super) sides: [Option<Entity<'a>>; 2],
    /// What they stand in; empty if that is not known.
    pub(super) text: &'a str,
}

/// An entity of either side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entity<'a> {
    pub(super) entity_type: &'a str,
    pub(super) text: &'a str,
}

impl Entity<'_> {
    fn cell(entity: Option<Self>) -> Cell {
        entity.map_or(Cell::Empty, |Entity { entity_type, text }| {
            excerpt::beginning(&format!("{entity_type} {text}"))
        })
    }
}

/// How many errors there are of each kind, which its words name.
pub(super) fn by_kind(counts: impl Iterator<Item = (&'static str, u64)>, whose: Whose<'_>) -> Part {
    let mut grid = Grid::new(["error", "count"]);
    for (kind, count) in counts {
        grid.push([Cell::text(kind), Cell::Count(count)]);
    }
    part("errors_by_kind", "Errors", whose, grid)
}

/// The first errors of each kind.
pub(super) fn listing<'a>(errors: impl Iterator<Item = Listed<'a>>, whose: Whose<'_>) -> Part {
    let mut grid = Grid::new(["line", "error", "gold", "predicted", "text"]);
    for Listed { line, kind, sides, text } in errors {
        let entities = sides.into_iter().flatten();
        let text = match text {
            "" => Cell::Empty,
            text => excerpt::around(text, entities.map(|entity| entity.text)),
        };
        let [gold, predicted] = sides.map(Entity::cell);
        grid.push([Cell::Count(line), Cell::text(kind), gold, predicted, text]);
    }
    part("errors", "The first errors of each kind", whose, grid)
}

fn part(name: &str, heading: &str, Whose { key, reading }: Whose<'_>, grid: Grid) -> Part {
    let (name, heading) = (format!("{name}{key}").into(), format!("{heading}{reading}"));
    Part::Grid { name, heading, grid, note: None }
}
