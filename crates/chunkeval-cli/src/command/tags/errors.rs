//! Errors by kind, and the first of each kind, in one of the modes.

use chunkeval_core::{ChunkErrorKind, ChunkErrorReport};

use crate::command::listed_errors::{self, Entity, Listed, Whose};
use crate::output::Part;
use crate::tags::{Example, Mention};

/// How many errors of each kind there are.
pub(super) fn by_kind(report: &ChunkErrorReport, whose: Whose<'_>) -> Part {
    let counts = ChunkErrorKind::ALL.into_iter().map(|kind| (kind.words(), report.count(kind)));
    listed_errors::by_kind(counts, whose)
}

/// The first errors of each kind.
pub(super) fn listing(examples: &[Example], whose: Whose<'_>) -> Part {
    let listed = examples.iter().map(|example| {
        let sides = [&example.gold, &example.predicted].map(|side| side.as_ref().map(entity));
        let (line, kind) = (example.line, example.kind.words());
        Listed { line, kind, sides, text: &example.text }
    });
    listed_errors::listing(listed, whose)
}

fn entity(Mention { entity_type, text, .. }: &Mention) -> Entity<'_> {
    Entity { entity_type, text }
}
