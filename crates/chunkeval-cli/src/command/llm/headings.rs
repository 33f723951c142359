//! How headings name readings and treatments.

use chunkeval_llm::{AnswerReading, ExtractionReport, Treatment};

use super::tables::counts;

/// How headings end that are of the first of several readings.
pub(super) fn reading(report: &ExtractionReport) -> String {
    match &*report.readings {
        [first, _, ..] => format!(", {} reading", first.reading),
        _ => String::new(),
    }
}

/// How headings end that are of the scores of that reading which count: of that treatment, where
/// there are several.
pub(super) fn of_scores(reading: &str, treatments: &[Treatment]) -> String {
    match treatments {
        [_, _, ..] => format!("{reading}, {}", words(counts(treatments))),
        _ => reading.to_owned(),
    }
}

/// The name of a table.
pub(super) fn heading(reading: AnswerReading, treatment: Treatment) -> String {
    format!("{} reading, {}", capital(reading.name()), words(treatment))
}

/// The same where something of a table is named, as in `Intervals, lenient reading, …`.
pub(super) fn whose(reading: AnswerReading, treatment: Treatment) -> String {
    format!(", {reading} reading, {}", words(treatment))
}

/// What becomes of answers that cannot be read.
pub(super) fn words(treatment: Treatment) -> &'static str {
    match treatment {
        Treatment::Skip => "unreadable answers skipped (as published)",
        Treatment::CountAsEmpty => "unreadable answers counted as empty",
        Treatment::SchemaTypesCountAsEmpty => {
            "unreadable answers counted as empty, only the types asked for"
        }
        _ => "unreadable answers skipped, only the types asked for",
    }
}

fn capital(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}
