//! What `tags` has to say, for a browser.

use chunkeval_core::{Chunk, ChunkErrorKind, ChunkErrorReport, Metric, SideBySideReport};
use chunkeval_html::{Errors, Examples, Finding, Group, Groups, Health, Page, Scores};
use chunkeval_stats::IntervalReport;

use super::page::reading;
use crate::output::SENTENCES;
use crate::tags::{Example, Mention, Scored};

/// What the page needs to know besides the result.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    /// The page without parts.
    pub(super) empty: Page,
    /// The file whose lines are named.
    pub(super) file: String,
    pub(super) digits: u16,
}

impl Html {
    /// The page of several files under a title, of which no lines are known.
    pub(crate) fn new(title: &str, digits: u16) -> Self {
        Self { empty: Page::new(title), file: title.to_owned(), digits }
    }
}

/// The page of a result.
pub(super) fn page(
    scored: &Scored,
    modes: &SideBySideReport,
    intervals: Vec<IntervalReport>,
    html: &Html,
) -> Page {
    let mut page = html.empty.clone();
    if scored.interrupted {
        page = page.warning("Interrupted: only what was read so far.");
    }
    if scored.unusable.sentences > 0 {
        let left_out = scored.unusable.sentences;
        page = page.warning(format!("Sentences left out, which the scores lack: {left_out}."));
    }
    let mut intervals = intervals.into_iter();
    for mode in &modes.modes {
        let scores = Scores::of(&mode.report).digits(html.digits);
        let mut scores = scores.called(SENTENCES, "chunks").resampled(scored.unit.plural());
        if modes.modes.len() > 1 {
            scores = scores.titled(format!("Scores, {}", mode.name));
        }
        if let Some(intervals) = intervals.next() {
            scores = scores.intervals(intervals);
        }
        page = page.with(scores);
    }
    if scored.buckets.len() > 1 {
        for at in 0..modes.modes.len() {
            page = page.with(by_length(scored, at, &reading(modes, at)));
        }
    }
    for (at, (counts, examples)) in scored.errors.iter().zip(&scored.examples).enumerate() {
        let reading = reading(modes, at);
        page = page.with(Errors::of(counts).titled(format!("Errors{reading}")));
        if !examples.is_empty() {
            let examples = examples.iter().map(|e| example(e, &html.file));
            let examples = Examples::new(examples).of(errors(counts), "errors");
            page = page.with(examples.titled(format!("Examples of errors{reading}")));
        }
    }
    if scored.unusable.sentences > 0 {
        page = page.with(health(scored, modes, html));
    }
    match &*modes.modes {
        [mode] => page.with(mode.report.protocol.clone()),
        _ => page,
    }
}

/// F1 of short and long sentences in one of the modes.
fn by_length(scored: &Scored, at: usize, reading: &str) -> Groups {
    let title = format!("F1 by length of sentence{reading}");
    let groups = Groups::new(title, "tokens", "sentences");
    scored.buckets.iter().fold(groups, |groups, (name, metric)| {
        match metric.accumulate().modes.get(at) {
            Some(mode) => {
                let (rows, counts) = (mode.report.diagnostics.rows, mode.report.overall.counts);
                groups.with(Group::new(name, rows, counts))
            }
            None => groups,
        }
    })
}

fn errors(counts: &ChunkErrorReport) -> u64 {
    ChunkErrorKind::ALL.iter().fold(0, |sum: u64, kind| sum.saturating_add(counts.count(*kind)))
}

fn example(example: &Example, file: &str) -> chunkeval_html::Example {
    let place = format!("{file}:{}", example.line);
    let (gold, predicted) = (chunks(&example.gold), chunks(&example.predicted));
    chunkeval_html::Example::new(place, &example.tokens, &gold, &predicted)
}

fn chunks(mention: &Option<Mention>) -> Vec<Chunk<'_>> {
    let mentions = mention.iter();
    mentions.map(|m| Chunk { start: m.start, end: m.end, entity_type: &m.entity_type }).collect()
}

/// What was read and what could not be.
fn health(scored: &Scored, modes: &SideBySideReport, html: &Html) -> Health {
    let rows = modes.modes.first().map_or(0, |mode| mode.report.diagnostics.rows);
    let left_out = scored.unusable.sentences;
    let places = scored.unusable.first.iter();
    let places = places.map(|f| format!("{} {}", f.place(&html.file), f.reason));
    Health::new("Sentences", rows.saturating_add(left_out))
        .finding(Finding::new("scored", rows))
        .finding(Finding::new("left out", left_out).ids(places))
}
