//! What stands above all tables: answers that could not be read, and what lines have or lack.

use chunkeval_llm::{AnswerReading, ExtractionReport, HealthKind, ReadingReport, RecordCounts};
use serde_json::json;

use super::lacks::Lack;
use crate::llm::{Again, Repeated, Scored};
use crate::output::Part;
use crate::words::{counted, is_or_are};

/// All of them, in their order.
pub(super) fn statements(
    scored: &Scored,
    report: &ExtractionReport,
    repeated_in_parts: Option<u64>,
    lacks: &[Lack],
) -> Vec<Part> {
    let readings = report.readings.iter().enumerate();
    let mut parts: Vec<Part> =
        readings.map(|(at, of)| statement(of, at == 0, &report.records)).collect();
    let mut fact = |name: &'static str, text: String, value| {
        parts.push(Part::Fact { name: name.into(), text: Some(text), value });
    };
    if let Some(text) = blank_gold(report) {
        fact("blank_gold", text, json!(report.records.blank_gold));
    }
    if let Some(repeated) = &scored.repeated_ids {
        fact("repeated_ids", repeated_ids(repeated), json!(repeated));
    }
    if let Some(lines) = repeated_in_parts {
        fact("repeated_ids_in_parts", in_parts(lines), json!(lines));
    }
    for Lack { name, text, value } in lacks {
        fact(name, text.clone(), value.clone());
    }
    parts
}

/// Which answers could not be read.
fn statement(of: &ReadingReport, first: bool, records: &RecordCounts) -> Part {
    let name = if first { "unreadable" } else { "unreadable_strict" };
    let unreadable = of.health(HealthKind::Unreadable);
    Part::Fact { name: name.into(), text: Some(unread(of, records)), value: json!(unreadable) }
}

/// The same in words.
pub(super) fn unread(of: &ReadingReport, records: &RecordCounts) -> String {
    let (a, all) = (&of.answers, records.records);
    let unreadable = of.health(HealthKind::Unreadable);
    let mut text = match a.unreadable() {
        0 if all == 0 => "There are no answers".to_owned(),
        0 if all == 1 => "The answer could be read".to_owned(),
        0 => format!("All {all} answers could be read"),
        _ if all == 1 => "The answer could not be read".to_owned(),
        n => format!("{n} of {all} answers could not be read"),
    };
    text += &format!(" ({} reading: ", of.reading);
    // As the table of health has them: an empty answer is clean or repaired, too.
    let [clean, repaired] =
        [HealthKind::Clean, HealthKind::Repaired].map(|kind| of.health(kind).answers);
    text += &match a.empty {
        0 => format!("{clean} clean, {repaired} repaired, 0 empty, "),
        empty => format!("{clean} clean, {repaired} repaired, {empty} of them empty, "),
    };
    text += &format!("{} unparsable, {} of another shape)", a.unparsable, a.wrong_shape);
    if !unreadable.first.is_empty() {
        let ids: Vec<String> = unreadable.first.iter().map(ToString::to_string).collect();
        text += &format!(": {}", ids.join(", "));
        let more = unreadable.answers.saturating_sub(unreadable.first.len() as u64);
        if more > 0 {
            text += &format!(", and {more} more");
        }
    }
    text + "."
}

/// Gold entities without a text or a type, if there are any.
pub(super) fn blank_gold(report: &ExtractionReport) -> Option<String> {
    let RecordCounts { blank_gold: blank, gold, .. } = report.records;
    let (are, all) = (is_or_are(blank), counted(gold, "gold entity", "gold entities"));
    let what_of_them = |of: &ReadingReport| match of.reading {
        AnswerReading::Lenient => "the lenient reading leaves them out, in gold and answers alike",
        AnswerReading::Strict => "the strict reading counts them, as published",
    };
    let readings: Vec<&str> = report.readings.iter().map(what_of_them).collect();
    let readings = readings.join("; ");
    (blank > 0)
        .then(|| format!("{blank} of {all} {are} blank, without a text or a type: {readings}."))
}

/// Which lines have the id of a line before.
pub(super) fn repeated_ids(repeated: &Repeated) -> String {
    let again = |again: &Again| {
        let Again { line, id, before } = again;
        format!("line {line} (id {id}) as line {before}")
    };
    let mut which: Vec<String> = repeated.first.iter().map(again).collect();
    let more = repeated.lines.saturating_sub(which.len() as u64);
    if more > 0 {
        which.push(format!("and {more} more"));
    }
    match repeated.lines {
        0 if repeated.ids == 0 => "No line has an id; --id-field names another field.".to_owned(),
        0 => "No two lines have the same id.".to_owned(),
        lines => {
            let lines = counted(lines, "line has", "lines have");
            format!("{lines} the id of a line before: {}.", which.join(", "))
        }
    }
}

/// The same of parts, each of which was looked at alone.
pub(super) fn in_parts(lines: u64) -> String {
    let what = match lines {
        0 => "no line has".to_owned(),
        lines => counted(lines, "line has", "lines have"),
    };
    format!(
        "Ids were compared within each part that had --check-ids, and not across parts: {what} the \
         id of a line before."
    )
}
