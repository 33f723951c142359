//! What `llm` has to say, for a browser.

use std::collections::{BTreeMap, HashSet};

use chunkeval_core::{Chunk, ChunkCounts};
use chunkeval_html::{
    Column, Confusion, Example as Shown, Examples, Finding, Group, Groups, Health, Joined, Page,
    Scores, Table,
};
use chunkeval_llm::{ExtractionReport, HealthKind, Matching, ReadingReport, RecordId, Treatment};
use chunkeval_stats::IntervalReport;

use super::headings::{heading, of_scores, reading, whose};
use super::health::HEALTH;
use super::splits::{PAIRS, without_text};
use super::statements::{blank_gold, repeated_ids, unread};
use super::tables::{counts, counts_first};
use super::{repairs, resampled};
use crate::Result;
use crate::llm::{Example, ExampleKind, Marks, Mention, PairError, Scored, Side};
use crate::output::{ANSWERS, of_files};

/// What the page needs to know besides the result.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    /// The page without parts.
    empty: Page,
    /// The file whose lines are named.
    file: String,
    digits: u16,
}

impl Html {
    /// The page of several files under a title.
    pub(crate) fn new(title: &str, digits: u16) -> Self {
        Self { empty: Page::new(title), file: title.to_owned(), digits }
    }

    /// The page of a file.
    pub(super) fn of_file(file: &str, digits: u16) -> Self {
        Self { empty: of_files(&[file]), file: file.to_owned(), digits }
    }
}

/// So many characters of a text are looked at for the page; of them those near entities are shown.
const MOST: usize = 20_000;

/// So many of them before the first entity that is wrong, where a text is longer.
const BEFORE: usize = 200;

/// Why an entity has no place, where others like it took them all.
const OFTEN: &str = "listed more often than it stands in the text";

/// The page of a result with the tables of these treatments, in their order, and their
/// intervals.
///
/// # Errors
/// A sum of counts overflows.
pub(super) fn page(
    scored: &Scored,
    report: &ExtractionReport,
    [warnings, notes]: [Vec<String>; 2],
    (treatments, mut intervals): (&[Treatment], BTreeMap<String, IntervalReport>),
    html: &Html,
) -> Result<Page> {
    let mut page = html.empty.clone();
    let reading = reading(report);
    for of in &report.readings {
        let statement = unread(of, &report.records);
        page = match of.answers.unreadable() {
            0 => page.note(statement),
            _ => page.warning(statement),
        };
    }
    page = blank_gold(report).into_iter().fold(page, Page::warning);
    if let Some(repeated) = &scored.repeated_ids {
        let statement = repeated_ids(repeated);
        page = if repeated.lines > 0 { page.warning(statement) } else { page.note(statement) };
    }
    page = warnings.into_iter().fold(page, Page::warning);
    page = notes.into_iter().fold(page, Page::note);
    if scored.interrupted {
        page = page.warning("Interrupted: only what was read so far.");
    }
    if scored.unusable.sentences > 0 {
        let left_out = scored.unusable.sentences;
        page = page.warning(format!("Lines left out, which the scores lack: {left_out}."));
    }
    for of in &report.readings {
        for treatment in counts_first(treatments) {
            let Some(scores) = of.scores(treatment) else { continue };
            let table = Scores::of(&scores.chunk_report(of.scored(treatment))?);
            let table = table.digits(html.digits).titled(heading(of.reading, treatment));
            let table = table.called(ANSWERS, "entities");
            page = page.with(match intervals.remove(&whose(of.reading, treatment)) {
                Some(intervals) => {
                    let table = table.intervals(intervals);
                    match resampled::unread(of, treatment) {
                        Some(more) => table.note(more),
                        None => table,
                    }
                }
                None => table,
            });
        }
    }
    let counts = counts(treatments);
    let lengths = scored.lengths.buckets(counts)?;
    if !lengths.is_empty() {
        if let Some(without) = without_text(&lengths, scored.lengths.without_text(counts)) {
            page = page.warning(format!("By length of text: {without}"));
        }
        page = page.with(by_length(&lengths, &of_scores(&reading, treatments)));
    }
    for of in &report.readings {
        page = page.with(health(of, report));
    }
    if let Some(of) = report.readings.first() {
        if let Some(repairs) = repairs::table(of, &reading) {
            page = page.with(repairs);
        }
        page = page.with(asked(of, &reading, scored.metric.matching()));
    }
    if !scored.examples.is_empty() {
        page = page.with(by_kind(scored, &reading));
        if !scored.confusion.is_empty() {
            let map = Confusion::of(scored.confusion.pairs(), scored.confusion.right(), PAIRS);
            page = page.with(map.titled(format!("Types taken for others{reading}")));
        }
        let examples = examples(scored, &html.file);
        page = page.with(examples.titled(format!("Examples of errors{reading}")));
        let without_text = scored.examples.iter().filter(|example| example.marks.is_none());
        let without_text: Vec<&Example> = without_text.collect();
        if !without_text.is_empty() {
            page = page.with(listing(&without_text, &html.file, &reading));
        }
    }
    if scored.unusable.sentences > 0 {
        page = page.with(left_out(scored, report, html));
    }
    Ok(page)
}

/// How many answers are of each kind, and which.
fn health(of: &ReadingReport, report: &ExtractionReport) -> Health {
    let title = match report.readings.len() {
        1 => "Health of the answers".to_owned(),
        _ => format!("Health of the answers, {} reading", of.reading),
    };
    let health = Health::new(title, report.records.records).note(HEALTH);
    HealthKind::ALL.into_iter().fold(health, |health, kind| {
        let found = of.health(kind);
        let finding = Finding::new(kind.name().replace('_', " "), found.answers);
        health.finding(finding.ids(found.first.iter().map(ToString::to_string)))
    })
}

/// What answers had that was not asked for, and the other way round.
fn asked(of: &ReadingReport, reading: &str, matching: Matching) -> Table {
    let (schema, mentions) = (&of.schema, &of.mentions);
    let columns = [Column::text("what"), Column::number("number")];
    let places = [
        ("of them in the text, in a place that is known", mentions.grounded),
        ("of them more often in the text than listed", mentions.ambiguous),
    ];
    let places = places.into_iter().filter(|_| matching == Matching::Grounded);
    let listed = [
        ("entities as they were listed", mentions.listed),
        ("of them in their list a second time", mentions.repeated),
        ("of them not in the text", mentions.invented),
    ];
    let rows = [
        ("types that were not asked for", schema.unknown_types),
        ("entities of these types", schema.unknown_type_entities),
        ("types that were asked for and are missing", schema.missing_types),
        ("values that are null instead of a list", schema.nulls),
        ("items that are no entity", schema.malformed),
    ];
    listed.into_iter().chain(places).chain(rows).fold(
        Table::new(format!("What the answers say{reading}"), columns),
        |table, (what, number)| table.row([what.to_owned(), number.to_string()]),
    )
}

/// Scores by the lengths of texts.
fn by_length(lengths: &[(String, u64, ChunkCounts)], reading: &str) -> Groups {
    let groups = Groups::new(format!("F1 by length of text{reading}"), "characters", "answers");
    lengths.iter().fold(groups, |groups, (name, answers, counts)| {
        groups.with(Group::new(name, *answers, *counts))
    })
}

fn by_kind(scored: &Scored, reading: &str) -> Table {
    let columns = [Column::text("error"), Column::number("count"), Column::text("which")];
    let empty = Table::new(format!("Errors{reading}"), columns);
    ExampleKind::ALL.into_iter().fold(empty, |table, kind| {
        let count = scored.errors.get(&kind).copied().unwrap_or(0);
        table.row([kind.words().to_owned(), count.to_string(), kind.meaning().to_owned()])
    })
}

/// The records with the listed errors, by line, with all their entities marked.
fn examples(scored: &Scored, file: &str) -> Examples {
    let mut records: BTreeMap<&RecordId, (&Marks, Option<&str>)> = BTreeMap::new();
    for example in &scored.examples {
        if let Some(marks) = &example.marks {
            let unreadable = example.kind == ExampleKind::Unreadable;
            let reason = unreadable.then_some(&*example.text);
            records.entry(&example.id).or_insert((marks, reason));
        }
    }
    let shown = records.into_iter().map(|(id, (marks, reason))| {
        let place = match &id.id {
            Some(own) => format!("{file}:{} (id {own})", id.line),
            None => format!("{file}:{}", id.line),
        };
        marked(&place, marks, reason)
    });
    Examples::new(shown).of(scored.wrong_answers, "answers with errors")
}

/// A text with the entities of both sides.
fn marked(place: &str, marks: &Marks, unreadable: Option<&str>) -> Shown {
    let wrong = |one: &Side, other: &Side| {
        let other: HashSet<_> = other.placed.iter().collect();
        let only = one.placed.iter().filter(|placed| !other.contains(placed));
        only.map(|(_, place)| place.start).min()
    };
    let (gold, predicted) = (&marks.gold, &marks.predicted);
    let first = [wrong(gold, predicted), wrong(predicted, gold)].into_iter().flatten().min();
    let start = first.map_or(0, |byte| marks.text.get(..byte).map_or(0, |t| t.chars().count()));
    let from = match marks.text.chars().nth(MOST) {
        Some(_) => start.saturating_sub(BEFORE),
        None => 0,
    };
    let characters: Vec<(usize, char)> = marks.text.char_indices().skip(from).take(MOST).collect();
    let tokens = characters.iter().map(|&(_, c)| match c {
        '\n' | '\r' => "↵".to_owned(),
        '\t' => " ".to_owned(),
        c => c.to_string(),
    });
    let (gold_chunks, predicted_chunks) =
        (chunks(gold, &characters), chunks(predicted, &characters));
    let shown = Shown::new(place, tokens, &gold_chunks, &predicted_chunks).joined(Joined::Closely);
    match unreadable {
        Some(reason) => shown.errors([format!("{}: {reason}", ExampleKind::Unreadable.words())]),
        None => shown.errors(marks.errors.iter().map(|error| told(error, marks))),
    }
}

/// An error in words, of the kind that it is counted as: `LOC “Rome” as PER: other type`; and where
/// it has no mark, why.
fn told(error: &PairError, marks: &Marks) -> String {
    let named = |m: &Mention| format!("{} “{}”", m.entity_type, m.text);
    let what = match (&error.gold, &error.predicted) {
        (Some(gold), Some(predicted)) if gold.text == predicted.text => {
            format!("{} as {}", named(gold), predicted.entity_type)
        }
        (Some(gold), Some(predicted)) => format!("{} as {}", named(gold), named(predicted)),
        (gold, predicted) => gold.as_ref().or(predicted.as_ref()).map_or_else(String::new, named),
    };
    let sides =
        [(&error.gold, &marks.gold, "gold"), (&error.predicted, &marks.predicted, "predicted")];
    let unplaced = sides.into_iter().filter_map(|(mention, side, name)| {
        let mention = mention.as_ref()?;
        let why = match side {
            _ if side.elsewhere.contains(mention) => "not in the text",
            _ if side.repeated.contains(mention) => OFTEN,
            _ => return None,
        };
        let both = error.gold.is_some() && error.predicted.is_some();
        Some(if both { format!(", the {name} one {why}") } else { format!(", {why}") })
    });
    format!("{what}: {}{}", error.kind.words(), unplaced.collect::<String>())
}

/// The chunks of a side whose places are shown, in shown characters.
fn chunks<'s>(side: &'s Side, characters: &[(usize, char)]) -> Vec<Chunk<'s>> {
    let end = characters.last().map_or(0, |&(byte, c)| byte + c.len_utf8());
    let begin = characters.first().map_or(end, |&(byte, _)| byte);
    let index = |byte: usize| characters.partition_point(|&(at, _)| at < byte);
    let shown = side.placed.iter().filter(|(_, place)| place.start >= begin && place.end <= end);
    let chunk = |(entity_type, place): &'s (String, chunkeval_llm::Location)| Chunk {
        start: index(place.start),
        end: index(place.end),
        entity_type,
    };
    shown.map(chunk).collect()
}

/// Errors of records that have no text to mark them in.
fn listing(examples: &[&Example], file: &str, reading: &str) -> Table {
    let columns = ["where", "error", "gold", "predicted", "reason"].map(Column::text);
    let mention = |m: &Option<Mention>| {
        m.as_ref().map_or(String::new(), |m| format!("{} {}", m.entity_type, m.text))
    };
    let empty = Table::new(format!("Errors of lines without a text{reading}"), columns);
    examples.iter().fold(empty, |table, example| {
        let (gold, predicted) = (mention(&example.gold), mention(&example.predicted));
        let place = format!("{file}:{}", example.id.line);
        table.row([place, example.kind.words().to_owned(), gold, predicted, example.text.clone()])
    })
}

/// What was read and what could not be.
fn left_out(scored: &Scored, report: &ExtractionReport, html: &Html) -> Health {
    let (records, left_out) = (report.records.records, scored.unusable.sentences);
    let places = scored.unusable.first.iter();
    let places = places.map(|f| format!("{} {}", f.place(&html.file), f.reason));
    Health::new("Lines", records.saturating_add(left_out))
        .finding(Finding::new("scored", records))
        .finding(Finding::new("left out", left_out).ids(places))
}
