//! The errors by kind, and the first ones of each.

use crate::command::listed_errors::{self, Entity, Listed, Whose};
use crate::llm::{Example, ExampleKind, Mention, Scored};
use crate::output::Part;

/// How many there are of each kind.
pub(super) fn by_kind(scored: &Scored, reading: &str) -> Part {
    let count = |kind| scored.errors.get(&kind).copied().unwrap_or(0);
    let counts = ExampleKind::ALL.into_iter().map(|kind| (kind.words(), count(kind)));
    listed_errors::by_kind(counts, Whose { key: "", reading })
}

/// The first ones of each kind.
pub(super) fn listing(examples: &[Example], reading: &str) -> Part {
    let listed = examples.iter().map(|example| {
        let sides = [&example.gold, &example.predicted].map(|side| side.as_ref().map(entity));
        let (line, kind) = (example.id.line, example.kind.words());
        Listed { line, kind, sides, text: &example.text }
    });
    listed_errors::listing(listed, Whose { key: "", reading })
}

fn entity(Mention { entity_type, text }: &Mention) -> Entity<'_> {
    Entity { entity_type, text }
}
