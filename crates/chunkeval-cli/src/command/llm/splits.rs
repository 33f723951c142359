//! Answers counted apart.

use chunkeval_core::ChunkCounts;
use chunkeval_llm::Treatment;
use chunkeval_report::{Cell, Grid};
use serde_json::json;

use crate::Result;
use crate::llm::{Confusion, Lengths};
use crate::output::Part;
use crate::words::{counted, is_or_are};

/// What is a pair of types.
pub(super) const PAIRS: &str =
    "Equal and near entities are pairs; answers that could not be read have none.";

/// Scores of short and long texts, and what is in none of the rows; `of` says of what they are.
pub(super) fn by_length(lengths: &Lengths, treatment: Treatment, of: &str) -> Result<[Part; 2]> {
    let (buckets, without) = (lengths.buckets(treatment)?, lengths.without_text(treatment));
    let columns = ["characters", "answers", "precision", "recall", "f1", "support", "predicted"];
    let mut grid = Grid::new(columns.into_iter().chain(["correct"]));
    for (name, answers, all) in &buckets {
        let scores = [all.precision(), all.recall(), all.f1()].map(Cell::Score);
        let counts = [all.gold, all.predicted, all.correct].map(Cell::Count);
        let cells = [Cell::text(name), Cell::Count(*answers)].into_iter().chain(scores);
        grid.push(cells.chain(counts));
    }
    let note = match buckets.is_empty() {
        true => Some("There are no texts.".to_owned()),
        false => without_text(&buckets, without),
    };
    let heading = format!("By length of text{of}");
    let value = json!(without);
    Ok([
        Part::Grid { name: "by_length".into(), heading, grid, note },
        Part::Fact { name: "by_length_without_text".into(), text: None, value },
    ])
}

/// How many answers are in no row, if any are.
pub(super) fn without_text(buckets: &[(String, u64, ChunkCounts)], without: u64) -> Option<String> {
    let all = buckets.iter().map(|(_, answers, _)| answers).sum::<u64>() + without;
    let (have, all) =
        (if without == 1 { "has" } else { "have" }, counted(all, "answer", "answers"));
    let are = is_or_are(without);
    (without > 0).then(|| format!("{without} of {all} {have} no text and {are} in no row."))
}

/// Which types were taken for which; `of` says in what.
pub(super) fn by_type(confusion: &Confusion, of: &str) -> Part {
    let mut grid = Grid::new(["gold", "predicted", "entities"]);
    for (gold, predicted, count) in confusion.pairs() {
        let types = [gold, predicted].map(|name| name.map_or(Cell::Empty, Cell::text));
        grid.push(types.into_iter().chain([Cell::Count(count)]));
    }
    let note = format!("{PAIRS} Without a gold type: spurious; without a predicted one: missed.");
    let heading = format!("By type{of}");
    Part::Grid { name: "by_type".into(), heading, grid, note: Some(note) }
}
