//! What `llm` has to say.

use std::collections::BTreeMap;

use chunkeval_core::Average;
use chunkeval_llm::{
    AnswerReading, ExtractionReport, ExtractionScores, HealthKind, ReadingReport, RecordCounts,
    Treatment,
};
use chunkeval_report::{Cell, Grid};
use chunkeval_stats::Resampling;
use serde_json::json;

use serde::{Deserialize, Serialize};

use super::advice::advice;
use super::args::{By, OnUnreadable};
use super::html::{self, Html};
use super::lacks::lacks;
use super::mentions;
use super::repairs::repairs;
use super::{resampled, splits};
use crate::Result;
use crate::command::tags::intervals;
use crate::command::tell::{NO_INTERVALS, unless_stopped};
use crate::llm::{Again, Example, ExampleKind, Repeated, Scored};
use crate::output::{Page, Part, Sheet};
use crate::unusable::Unusable;
use crate::words::{counted, is_or_are};

/// What the report says, and in which tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) tables: Tables,
    /// How sure the scores are.
    pub(crate) intervals: Option<Resampling>,
    /// Errors by kind, and examples.
    pub(crate) list_errors: bool,
    /// Whether clean answers are listed like those of other kinds of health: for programs, since
    /// people look them up the least.
    pub(crate) list_clean: bool,
    /// Split by what.
    pub(crate) by: Vec<By>,
    /// Lines with the id of a line before in their own part, where those of parts were compared.
    pub(crate) repeated_in_parts: Option<u64>,
    /// The same as an HTML report.
    pub(crate) html: Option<Html>,
}

/// The tables that are printed of each reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    pub(super) on_unreadable: OnUnreadable,
    /// The one over the types that each line asked for, too.
    pub(super) schema_types: bool,
}

/// The page of a result.
///
/// # Errors
/// There are no intervals, for example since there are fewer than two records.
pub(crate) fn page(scored: &Scored, options: &Options) -> Result<Page> {
    let report = scored.report();
    let mut page = Page::default();
    let treatments = options.tables.treatments();
    let first = treatments.last().copied().unwrap_or(Treatment::CountAsEmpty);
    let reading = reading(&report);
    for (at, of) in report.readings.iter().enumerate() {
        page.push(statement(of, at == 0, &report.records));
    }
    if let Some(text) = blank_gold(&report) {
        let value = json!(report.records.blank_gold);
        page.push(Part::Fact { name: "blank_gold", text: Some(text), value });
    }
    if let Some(repeated) = &scored.repeated_ids {
        let (text, value) = (Some(repeated_ids(repeated)), json!(repeated));
        page.push(Part::Fact { name: "repeated_ids", text, value });
    }
    let mut notes = Vec::new();
    if let Some(lines) = options.repeated_in_parts {
        let text = in_parts(lines);
        notes.push(text.clone());
        let name = "repeated_ids_in_parts";
        page.push(Part::Fact { name, text: Some(text), value: json!(lines) });
    }
    let lacks = lacks(scored, &report, options.tables);
    for lack in &lacks {
        let (text, value) = (Some(lack.text.clone()), lack.value.clone());
        page.push(Part::Fact { name: lack.name, text, value });
    }
    let matching = scored.metric.matching();
    if let Some(of) = report.readings.first() {
        page.push(health(of, &reading, options.list_clean));
        page.push(repairs(of, &reading));
        page.push(Part::Fact { name: "answers", text: None, value: json!(of.answers) });
        page.push(Part::Fact { name: "schema", text: None, value: json!(of.schema) });
        let value = mentions::value(&of.mentions, matching);
        page.push(Part::Fact { name: "mentions", text: None, value });
    }
    mentions::table(&report, matching).into_iter().for_each(|table| page.push(table));
    let by = |what| options.by.contains(&what);
    let (mut intervals_of, mut stopped) = (BTreeMap::new(), false);
    for (at, of) in report.readings.iter().enumerate().rev() {
        for &treatment in &treatments {
            let Some(scores) = of.scores(treatment) else { continue };
            let key = match at {
                0 if treatment == first => String::new(),
                0 => format!("_{treatment}"),
                _ => format!("_{}_{treatment}", of.reading),
            };
            let (name, heading) = (format!("scores{key}"), heading(of.reading, treatment));
            let report = Box::new(scores.chunk_report(of.scored(treatment))?);
            let mut sheet = Sheet::of_answers(of.reading, treatment);
            let mut table = None;
            if let (Some(how), Some(rows)) = (options.intervals, scored.rows.get(at)) {
                let whose = whose(of.reading, treatment);
                match unless_stopped(how.report(&rows.row_counts(treatment)?))? {
                    Some(found) => {
                        let of_table = intervals(&found, &key, "answers", &whose);
                        table = Some(match resampled::unread(of, treatment) {
                            Some(more) => of_table.with_note(&more),
                            None => of_table,
                        });
                        sheet.intervals = Some(found.clone());
                        intervals_of.insert(whose, found);
                    }
                    None => stopped = true,
                }
            }
            if (at, treatment) == (0, first) && by(By::Length) {
                sheet.lengths = scored.lengths.buckets(first)?;
            }
            let (heading, sheet) = (Some(heading), Box::new(sheet));
            page.push(Part::Scores { name, heading, report, sheet });
            table.into_iter().for_each(|table| page.push(table));
            let mean = scores.macro_average;
            let name = match (at, treatment) {
                (0, Treatment::Skip) => "published_macro_f1",
                (0, Treatment::CountAsEmpty) => "published_macro_f1_count_as_empty",
                _ => continue,
            };
            page.push(Part::Fact { name, text: published_macro(scores), value: json!(mean.f1) });
        }
    }
    if by(By::Length) {
        let of = of_scores(&reading, &treatments);
        for part in splits::by_length(&scored.lengths, first, &of)? {
            page.push(part);
        }
    }
    if by(By::Type) {
        page.push(splits::by_type(&scored.confusion, &reading));
    }
    page.push(Part::Fact { name: "records", text: None, value: json!(report.records) });
    if options.list_errors {
        page.push(by_kind(scored, &reading));
        page.push(listing(&scored.examples, &reading));
    }
    if scored.unusable.sentences > 0 {
        let Unusable { sentences: lines, first } = &scored.unusable;
        let value = json!({"lines": lines, "first": first});
        page.push(Part::Fact { name: "left_out", text: None, value });
    }
    if scored.interrupted {
        let text = Some("Interrupted: only what was read so far.".to_owned());
        page.push(Part::Fact { name: "interrupted", text, value: json!(true) });
    }
    let advice = advice(&report, &treatments);
    if let Some(text) = &advice {
        page.push(Part::Note(text.clone()));
    }
    if let Some(html) = &options.html {
        let notes = notes.into_iter().chain(lacks.into_iter().map(|lack| lack.text));
        let of_first = report.readings.iter().take(1);
        let shown = of_first.flat_map(|of| treatments.iter().filter_map(|&how| of.scores(how)));
        let macros = shown.filter_map(published_macro);
        let notes: Vec<String> = notes.chain(macros).chain(advice).collect();
        page.set_html(html::page(scored, &report, notes, (&treatments, intervals_of), html)?);
    }
    if stopped {
        page.stop(NO_INTERVALS);
    }
    Ok(page)
}

impl Tables {
    /// In what two differ, by the names of the options.
    pub(crate) fn difference(self, other: Self) -> Option<String> {
        let how = |tables: Self| match tables.on_unreadable {
            OnUnreadable::Skip => "skip",
            OnUnreadable::Count => "count",
            OnUnreadable::Both => "both",
        };
        if self.on_unreadable != other.on_unreadable {
            return Some(format!("--on-unreadable {} and {}", how(self), how(other)));
        }
        let with = |tables: Self| if tables.schema_types { "with" } else { "without" };
        (self != other).then(|| format!("{} and {} --schema-types", with(self), with(other)))
    }

    /// What they are of; the last one is the one that counts.
    pub(crate) fn treatments(self) -> Vec<Treatment> {
        let schema = self.schema_types.then_some(Treatment::SchemaTypesOnly);
        let others = match self.on_unreadable {
            OnUnreadable::Skip => [schema, None, Some(Treatment::Skip)],
            OnUnreadable::Count => [schema, None, Some(Treatment::CountAsEmpty)],
            OnUnreadable::Both => [schema, Some(Treatment::Skip), Some(Treatment::CountAsEmpty)],
        };
        others.into_iter().flatten().collect()
    }
}

/// Which answers could not be read.
fn statement(of: &ReadingReport, first: bool, records: &RecordCounts) -> Part {
    let name = if first { "unreadable" } else { "unreadable_strict" };
    let unreadable = of.health(HealthKind::Unreadable);
    Part::Fact { name, text: Some(unread(of, records)), value: json!(unreadable) }
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
    text += &format!("{} clean, {} repaired, {} empty, ", a.clean, a.repaired, a.empty);
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
fn in_parts(lines: u64) -> String {
    let what = match lines {
        0 => "no line has".to_owned(),
        lines => counted(lines, "line has", "lines have"),
    };
    format!(
        "Ids were compared within each part that had --check-ids, and not across parts: {what} the \
         id of a line before."
    )
}

/// How headings end that are of the first of several readings.
pub(super) fn reading(report: &ExtractionReport) -> String {
    match &*report.readings {
        [first, _, ..] => format!(", {} reading", first.reading),
        _ => String::new(),
    }
}

/// How headings end that are of the scores of that reading which count: of the last treatment, where
/// there are several.
pub(super) fn of_scores(reading: &str, treatments: &[Treatment]) -> String {
    match treatments {
        [_, .., last] => format!("{reading}, {}", words(*last)),
        _ => reading.to_owned(),
    }
}

/// How many answers are of each kind, and which; the clean ones only if they are to be listed.
fn health(of: &ReadingReport, reading: &str, list_clean: bool) -> Part {
    let mut grid = Grid::new(["answers", "health", "which"]);
    for kind in HealthKind::ALL {
        let health = of.health(kind);
        let ids: Vec<String> = health.first.iter().map(ToString::to_string).collect();
        let which = match kind {
            HealthKind::Clean if !list_clean => Cell::Empty,
            _ if ids.is_empty() => Cell::Empty,
            _ => Cell::text(ids.join(", ")),
        };
        let name = kind.name().replace('_', " ");
        grid.push([Cell::Count(health.answers), Cell::text(name), which]);
    }
    let heading = format!("Health of the answers{reading}");
    Part::Grid { name: "health".into(), heading, grid, note: Some(health_note(of)) }
}

/// What the kinds of health mean.
pub(super) fn health_note(of: &ReadingReport) -> String {
    match of.answers.empty {
        0 => HEALTH.to_owned(),
        1 => format!("clean, repaired: the answer that is empty above is one of them; {HEALTH}"),
        n => format!(
            "clean, repaired: the {n} answers that are empty above are among them; {HEALTH}"
        ),
    }
}

const HEALTH: &str = "wrong schema: a type is missing, a value is null, or an item is no entity; invented: an entity \
     that does not stand in the text.";

/// The name of a table.
pub(super) fn heading(reading: AnswerReading, treatment: Treatment) -> String {
    format!("{} reading, {}", capital(reading.name()), words(treatment))
}

/// The same where something of a table is named, as in `Intervals, lenient reading, …`.
pub(super) fn whose(reading: AnswerReading, treatment: Treatment) -> String {
    format!(", {reading} reading, {}", words(treatment))
}

/// The macro F1 of the published loop, where it is another one than that of the table.
fn published_macro(scores: &ExtractionScores) -> Option<String> {
    let (theirs, ours) = (scores.macro_average, scores.average(Average::Macro));
    let differs =
        scores.treatment != Treatment::SchemaTypesOnly && (theirs.f1 - ours.f_score).abs() > 1e-9;
    differs.then(|| {
        format!(
            "Macro F1 as published scripts take it, {}: {:.4}. It is over all types that are \
             named ({}), those without an entity among them, which the macro average of the table \
             lacks.",
            words(scores.treatment).trim_end_matches(" (as published)"),
            theirs.f1,
            theirs.types,
        )
    })
}

fn by_kind(scored: &Scored, reading: &str) -> Part {
    let mut grid = Grid::new(["error", "count"]);
    for kind in ExampleKind::ALL {
        let count = scored.errors.get(&kind).copied().unwrap_or(0);
        grid.push([Cell::text(kind.words()), Cell::Count(count)]);
    }
    let heading = format!("Errors{reading}");
    Part::Grid { name: "errors_by_kind".into(), heading, grid, note: None }
}

fn listing(examples: &[Example], reading: &str) -> Part {
    let mut grid = Grid::new(["line", "error", "gold", "predicted", "text"]);
    for example in examples {
        let mention = |m: &Option<crate::llm::Mention>| match m {
            Some(m) => Cell::text(format!("{} {}", m.entity_type, m.text)),
            None => Cell::Empty,
        };
        grid.push([
            Cell::Count(example.id.line),
            Cell::text(example.kind.words()),
            mention(&example.gold),
            mention(&example.predicted),
            if example.text.is_empty() { Cell::Empty } else { Cell::text(&example.text) },
        ]);
    }
    let heading = format!("The first errors of each kind{reading}");
    Part::Grid { name: "errors".into(), heading, grid, note: None }
}

fn words(treatment: Treatment) -> &'static str {
    match treatment {
        Treatment::Skip => "unreadable answers skipped (as published)",
        Treatment::CountAsEmpty => "unreadable answers counted as empty",
        _ => "unreadable answers skipped, types asked for alone",
    }
}

fn capital(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().map_or(String::new(), |first| first.to_uppercase().chain(signs).collect())
}
