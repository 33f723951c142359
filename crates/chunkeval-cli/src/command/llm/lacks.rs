//! What lines lack that was to be scored, a type on both sides among it.

use chunkeval_llm::{ExtractionReport, Matching, ReadingReport};
use serde_json::{Value, json};

use super::tables::Tables;
use crate::command::apart::Apart;
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
    if tables.schema_types {
        let words = match of.with_schema {
            0 => "without types that were asked for: --schema-types has no table.",
            _ => {
                "without types that were asked for: in the table over these all their types count."
            }
        };
        lack("without_schema", of.records.saturating_sub(of.with_schema), words);
    }
    lacks.extend(report.readings.first().and_then(|of| no_common_type(of, report)));
    lacks
}

/// Keys that entities stand under, where an answer has others beside.
const KEYS: [&str; 8] =
    ["entities", "output", "result", "answer", "results", "data", "ner", "named_entities"];

/// No type of the answers is one of gold: most likely it was no type.
fn no_common_type(of: &ReadingReport, report: &ExtractionReport) -> Option<Lack> {
    // Types that were asked for are types, if gold has such, too.
    let (listed, unknown) = (of.mentions.listed, of.schema.unknown_type_entities);
    let gold_asked = report.records.gold_not_asked < report.records.gold;
    if report.records.with_schema > 0 && gold_asked && unknown < listed {
        return None;
    }
    let types = &of.count_as_empty.per_type;
    let apart = Apart::of(types.iter().map(|of| (&*of.entity_type, of.scores.counts)))?;
    let key = KEYS.into_iter().find(|key| apart.predicted.contains(key));
    let hint = match key {
        Some(key) => format!(
            "if the entities stand under a key of the answers, beside others, name it: \
             --answer-key {key}"
        ),
        None => "types are compared as they are written, case included".to_owned(),
    };
    let text = format!("{}; {hint}.", apart.words());
    Some(Lack { name: "no_common_type", text, value: apart.value() })
}
