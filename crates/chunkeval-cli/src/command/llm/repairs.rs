//! What had to be mended in the answers.

use chunkeval_html::{Column, Table};
use chunkeval_llm::{ReadingReport, RepairCounts, RepairKind};
use chunkeval_report::{Cell, Grid};
use serde_json::json;

use crate::output::Part;

const HEADING: &str = "Repairs of the answers";

/// How many answers had to be repaired in each way, and how often in all; no table of none. The
/// heading ends as `reading` says.
pub(super) fn repairs(of: &ReadingReport, reading: &str) -> Part {
    if of.repairs.is_empty() {
        return Part::Fact { name: "repairs".into(), text: None, value: json!([]) };
    }
    let mut grid = Grid::new(["answers", "repairs", "kind", "what"]);
    for (kind, &RepairCounts { answers, repairs, .. }) in &of.repairs {
        let texts = [name(*kind), kind.description().to_owned()].map(Cell::text);
        grid.push([Cell::Count(answers), Cell::Count(repairs)].into_iter().chain(texts));
    }
    Part::Grid { name: "repairs".into(), heading: format!("{HEADING}{reading}"), grid, note: None }
}

/// The same for a browser.
pub(super) fn table(of: &ReadingReport, reading: &str) -> Option<Table> {
    let text = |name| Column::text(name);
    let columns =
        [text("kind"), Column::number("answers"), Column::number("repairs"), text("what")];
    let empty = Table::new(format!("{HEADING}{reading}"), columns);
    let table = of.repairs.iter().fold(empty, |table, (kind, counts)| {
        let [answers, repairs] = [counts.answers, counts.repairs].map(|n| n.to_string());
        table.row([name(*kind), answers, repairs, kind.description().to_owned()])
    });
    (!of.repairs.is_empty()).then_some(table)
}

fn name(kind: RepairKind) -> String {
    kind.name().replace('_', " ")
}
