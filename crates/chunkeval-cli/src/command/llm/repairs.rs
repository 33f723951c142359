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
        return Part::Fact { name: "repairs", text: None, value: json!([]) };
    }
    let mut grid = Grid::new(["answers", "repairs", "kind", "what"]);
    for (kind, &RepairCounts { answers, repairs, .. }) in &of.repairs {
        let texts = [name(*kind), meaning(*kind).to_owned()].map(Cell::text);
        grid.push([Cell::Count(answers), Cell::Count(repairs)].into_iter().chain(texts));
    }
    Part::Grid { name: "repairs", heading: format!("{HEADING}{reading}"), grid, note: None }
}

/// The same for a browser.
pub(super) fn table(of: &ReadingReport, reading: &str) -> Option<Table> {
    let text = |name| Column::text(name);
    let columns =
        [text("kind"), Column::number("answers"), Column::number("repairs"), text("what")];
    let empty = Table::new(format!("{HEADING}{reading}"), columns);
    let table = of.repairs.iter().fold(empty, |table, (kind, counts)| {
        let [answers, repairs] = [counts.answers, counts.repairs].map(|n| n.to_string());
        table.row([name(*kind), answers, repairs, meaning(*kind).to_owned()])
    });
    (!of.repairs.is_empty()).then_some(table)
}

fn name(kind: RepairKind) -> String {
    kind.name().replace('_', " ")
}

/// A kind of repair in a few words.
fn meaning(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Thought => "a <think> block was dropped",
        RepairKind::Fence => "the answer stood in a code fence",
        RepairKind::Surroundings => "text around the answer was passed over",
        RepairKind::OpenedString => "the answer stood in a string",
        RepairKind::Joined => "objects or lists side by side were joined",
        RepairKind::MissingBrace => "the first brace was missing",
        RepairKind::Truncated => "the answer ends before its last bracket",
        RepairKind::Bracket => "brackets other than {} and []",
        RepairKind::Closer => "a closing bracket of another kind, or one too many",
        RepairKind::KeyInList => "a key in a list, which it closes",
        RepairKind::Separator => "not one comma between two items",
        RepairKind::Colon => "not one colon after a key",
        RepairKind::Unpaired => "a key without a value, or a value without a key: left out",
        RepairKind::Comment => "a comment",
        RepairKind::Quotes => "quotes other than \"",
        RepairKind::Unescaped => "a quote or control character without its backslash",
        RepairKind::Escape => "an escape that JSON does not have, or half of a surrogate pair",
        RepairKind::BareWord => "a word without quotes",
        RepairKind::Trimmed => "space around a type or entity",
        RepairKind::EqualKeys => "a type twice: its lists were joined",
        _ => "",
    }
}
