//! Answers counted apart.

use chunkeval_core::ChunkCounts;
use chunkeval_report::{Cell, Grid};

use crate::llm::Confusion;
use crate::output::Part;

/// What is a pair of types.
pub(super) const PAIRS: &str =
    "Equal and near entities are pairs; answers that could not be read have none.";

/// Scores of short and long texts.
pub(super) fn by_length(lengths: &[(String, u64, ChunkCounts)]) -> Part {
    let columns = ["characters", "answers", "precision", "recall", "f1", "support", "predicted"];
    let mut grid = Grid::new(columns.into_iter().chain(["correct"]));
    for (name, answers, all) in lengths {
        let scores = [all.precision(), all.recall(), all.f1()].map(Cell::Score);
        let counts = [all.gold, all.predicted, all.correct].map(Cell::Count);
        let cells = [Cell::text(name), Cell::Count(*answers)].into_iter().chain(scores);
        grid.push(cells.chain(counts));
    }
    let note = lengths.is_empty().then(|| "There are no texts.".to_owned());
    Part::Grid { name: "by_length", heading: "By length of text".to_owned(), grid, note }
}

/// Which types were taken for which.
pub(super) fn by_type(confusion: &Confusion) -> Part {
    let mut grid = Grid::new(["gold", "predicted", "entities"]);
    for (gold, predicted, count) in confusion.pairs() {
        let types = [gold, predicted].map(|name| name.map_or(Cell::Empty, Cell::text));
        grid.push(types.into_iter().chain([Cell::Count(count)]));
    }
    let note = format!("{PAIRS} Without a gold type: wrong; without a predicted one: missed.");
    let heading = "By type".to_owned();
    Part::Grid { name: "by_type", heading, grid, note: Some(note) }
}
