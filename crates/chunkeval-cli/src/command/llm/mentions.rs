//! Where the entities of the answers stand in the texts.

use chunkeval_llm::{ExtractionReport, Matching, MentionCounts};
use chunkeval_report::{Cell, Grid};
use serde_json::{Value, json};

use crate::output::Part;

const NOTE: &str = "grounded: their place is known; ambiguous: the text has them more often than the answer, \
     and the first places are taken; invented: they do not stand in the text. Repeated ones are \
     listed more often than the text has them, or twice for one place; they count once.";

/// The counts as JSON; places were looked for in grounded matching alone.
pub(super) fn value(mentions: &MentionCounts, matching: Matching) -> Value {
    let mut value = json!(mentions);
    if matching != Matching::Grounded
        && let Some(counts) = value.as_object_mut()
    {
        counts.retain(|name, _| name != "grounded" && name != "ambiguous");
    }
    value
}

/// The same in each reading as a table, in grounded matching.
pub(super) fn table(report: &ExtractionReport, matching: Matching) -> Option<Part> {
    let mut grid =
        Grid::new(["reading", "entities", "grounded", "ambiguous", "invented", "repeated"]);
    for of in report.readings.iter().rev() {
        let MentionCounts { listed, grounded, ambiguous, invented, repeated, .. } = of.mentions;
        let counts = [listed, grounded, ambiguous, invented, repeated].map(Cell::Count);
        grid.push([Cell::text(of.reading.name())].into_iter().chain(counts));
    }
    let heading = "Entities of the answers in the texts".to_owned();
    let (name, note) = ("grounding".into(), Some(NOTE.to_owned()));
    (matching == Matching::Grounded).then_some(Part::Grid { name, heading, grid, note })
}
