//! What lines lack that was to be scored.

use chunkeval_llm::{ExtractionReport, Matching};
use serde_json::{Value, json};

use super::tables::Tables;
use crate::llm::Scored;
use crate::words::counted;

/// What is said of the lines that lack something.
pub(super) struct Lack {
    /// The key in JSON.
    pub(super) name: &'static str,
    pub(super) text: String,
    pub(super) value: Value,
}

/// What lines lack: answers, texts to ground entities in, types for a table over them.
pub(super) fn lacks(scored: &Scored, report: &ExtractionReport, tables: Tables) -> Vec<Lack> {
    let of = &report.records;
    let mut lacks = Vec::new();
    let mut lack = |name, number: u64, words: &str| {
        if number > 0 {
            let lines = counted(of.records, "line", "lines");
            let text = format!("{number} of {lines} {words}");
            lacks.push(Lack { name, text, value: json!(number) });
        }
    };
    lack("unanswered", of.unanswered, "without an answer: they count as unreadable.");
    let number = of.records.saturating_sub(of.with_text);
    if of.with_text == 0 {
        let words = "without a text: which entities are invented cannot be told. --text-field names \
                     the field.";
        lack("without_text", number, words);
    } else if scored.metric.matching() == Matching::Grounded {
        lack("without_text", number, "without a text: there entities are compared by their texts.");
    }
    if tables.schema_types && of.with_schema == 0 {
        let words = "without types that were asked for: --schema-types has no table.";
        lack("without_schema", of.records, words);
    }
    lacks
}
