//! How the answers are: their health, what had to be mended, what they say besides.

use chunkeval_llm::{ExtractionReport, HealthKind, Matching, ReadingReport};
use chunkeval_report::{Cell, Grid};
use serde_json::json;

use super::mentions;
use super::repairs::repairs;
use crate::output::Part;

/// The tables of the first reading and of the places of entities, and counts for programs. Headings
/// end as `reading` says.
pub(super) fn of_answers(
    report: &ExtractionReport,
    matching: Matching,
    reading: &str,
    list_clean: bool,
) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(of) = report.readings.first() {
        let fact = |name: &'static str, value| Part::Fact { name: name.into(), text: None, value };
        parts.extend([
            health(of, reading, list_clean),
            repairs(of, reading),
            fact("answers", json!(of.answers)),
            fact("schema", json!(of.schema)),
            fact("mentions", mentions::value(&of.mentions, matching)),
        ]);
    }
    parts.extend(mentions::table(report, matching));
    parts
}

/// How many answers are of each kind, and which; the clean ones only if they are to be listed.
fn health(of: &ReadingReport, reading: &str, list_clean: bool) -> Part {
    let mut grid = Grid::new(["answers", "health", "which"]);
    for kind in HealthKind::ALL {
        let health = of.health(kind);
        let which = match kind {
            HealthKind::Clean if !list_clean => Cell::Empty,
            _ => Cell::list(&health.first),
        };
        let name = kind.name().replace('_', " ");
        grid.push([Cell::Count(health.answers), Cell::text(name), which]);
    }
    let heading = format!("Health of the answers{reading}");
    Part::Grid { name: "health".into(), heading, grid, note: Some(HEALTH.to_owned()) }
}

/// What the kinds of health mean.
pub(super) const HEALTH: &str = "wrong schema: a type is missing, a value is null, or an item is no entity; invented: an entity \
     that does not stand in the text.";
