//! What `tags` has to say.

use chunkeval_core::{
    ChunkCounts, ChunkErrorKind, ChunkErrorReport, Metric, ModeReport, SideBySideReport,
};
use chunkeval_report::{Cell, ConllevalLayout, Grid, SeqevalDict, conlleval_text, seqeval_text};
use chunkeval_stats::{Interval, IntervalReport, Resampling};
use serde_json::json;

use super::args::{Args, Style};
use super::html::{self, Html};
use crate::command::apart::Apart;
use crate::command::tell::unless_stopped;
use crate::excerpt;
use crate::output::{Format, Missing, Page, Part, Sheet};
use crate::tags::{By, Detected, Example, Mention, Scored};
use crate::words::counted;
use crate::{Error, Result};

/// What the report says besides the scores.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// How sure the scores are.
    pub(crate) intervals: Option<Resampling>,
    /// Errors by kind, and examples.
    pub(crate) list_errors: bool,
    /// Split by what.
    pub(crate) by: Vec<By>,
    /// The same as an HTML report.
    pub(crate) html: Option<Html>,
}

/// The page of a result.
///
/// # Errors
/// There are no intervals, for example since there are fewer than two sentences.
pub(crate) fn page(scored: &Scored, options: &Options) -> Result<Page> {
    let modes = scored.modes()?;
    let (mut found, mut stopped) = (Vec::new(), false);
    for rows in &scored.rows {
        let Some(how) = options.intervals else { break };
        let Some(mut of_mode) = unless_stopped(how.report(rows))? else {
            stopped = true;
            break;
        };
        of_mode.protocol = of_mode.protocol.with("unit", scored.unit.name());
        found.push(of_mode);
    }
    let both = modes.modes.len() > 1;
    let mut page = Page::default();
    for (at, mode) in modes.modes.iter().enumerate() {
        let name = format!("scores{}", key(&modes, at));
        let heading = both.then(|| format!("Reading: {}", mode.name));
        let mut sheet = Sheet { intervals: found.get(at).cloned(), ..Sheet::default() };
        sheet.of.push(("reading", mode.name.clone()));
        if options.by.contains(&By::Length) {
            sheet.lengths = lengths(scored, at);
        }
        let (report, sheet) = (Box::new(mode.report.clone()), Box::new(sheet));
        page.push(Part::Scores { name, heading, report, sheet });
    }
    let apart = modes.modes.first().and_then(|mode| {
        let types = mode.report.per_type.iter();
        Apart::of(types.map(|of| (&*of.entity_type, of.scores.counts)))
    });
    let no_common_type = apart.as_ref().map(|apart| {
        format!("{}: are the gold and the predicted column what they should be?", apart.words())
    });
    if let (Some(apart), text @ Some(_)) = (&apart, &no_common_type) {
        let (text, value) = (text.clone(), apart.value());
        page.push(Part::Fact { name: "no_common_type".into(), text, value });
    }
    if let Some(Detected { scheme, certainty }) = scored.detected {
        let value = json!({"detected": scheme.name(), "certainty": certainty});
        page.push(Part::Fact { name: "scheme".into(), text: None, value });
    }
    page.push(Part::Fact {
        name: "token_accuracy".into(),
        text: None,
        value: json!(scored.tokens.accuracy()),
    });
    if both {
        page.push(side_by_side(&modes));
    }
    for (at, found) in found.iter().enumerate() {
        let key = key(&modes, at);
        page.push(intervals(found, &key, scored.unit.plural(), &reading(&modes, at)));
        page.push(intervals_signature(found, &key));
    }
    for at in 0..modes.modes.len() {
        let (key, reading) = (key(&modes, at), reading(&modes, at));
        if options.by.contains(&By::Length) {
            page.push(by_length(scored, at, &key, &reading));
        }
        if let (true, Some(errors)) = (options.by.contains(&By::Type), scored.errors.get(at)) {
            page.push(by_type(errors, &key, &reading));
        }
    }
    let errors = scored.errors.iter().zip(&scored.examples).enumerate();
    for (at, (counts, examples)) in errors.filter(|_| options.list_errors) {
        let (key, reading) = (key(&modes, at), reading(&modes, at));
        page.push(by_kind(counts, &key, &reading));
        page.push(listing(examples, &key, &reading));
    }
    if scored.unusable.sentences > 0 {
        page.push(Part::Fact {
            name: "left_out".into(),
            text: None,
            value: json!(scored.unusable),
        });
    }
    if scored.interrupted {
        page.stop(Missing::Input);
    }
    if let Some(html) = &options.html {
        let page_of = html::page(scored, &modes, found, html);
        page.set_html(match &no_common_type {
            Some(text) => page_of.note(text),
            None => page_of,
        });
    }
    if stopped {
        page.stop(Missing::Intervals);
    }
    Ok(page)
}

/// How keys in JSON end that are of one of several modes: those of the first one with nothing.
fn key(modes: &SideBySideReport, at: usize) -> String {
    let other = modes.modes.get(at).filter(|_| at > 0);
    other.map_or(String::new(), |mode| format!("_{}", mode.name))
}

/// How headings end that are of one of several modes.
pub(super) fn reading(modes: &SideBySideReport, at: usize) -> String {
    match modes.modes.get(at) {
        Some(mode) if modes.modes.len() > 1 => format!(", {} reading", mode.name),
        _ => String::new(),
    }
}

/// The report of seqeval or of conlleval.
pub(super) fn reference(scored: &Scored, args: &Args) -> Result<String> {
    let report = scored.report()?;
    let json = args.output.format == Format::Json;
    Ok(match args.report {
        Style::Seqeval if json => {
            let dict = serde_json::to_string_pretty(&SeqevalDict::new(&report));
            dict.map_err(|e| Error::write("the report", e.into()))? + "\n"
        }
        Style::Seqeval => {
            seqeval_text(&report, args.output.digits).map_err(|none| Error::Mismatch {
                reason: none.to_string(),
                hint: Some("seqeval itself fails there; our own report has no such gap".to_owned()),
            })?
        }
        Style::Ours | Style::Conlleval => {
            let layout = match args.output.format {
                Format::Latex => ConllevalLayout::Latex,
                _ => ConllevalLayout::Plain,
            };
            let whole = scored.whole.as_ref().map(|whole| whole.accumulate().modes);
            let whole = whole.and_then(|modes| modes.into_iter().next()).map(|mode| mode.report);
            conlleval_text(whole.as_ref().unwrap_or(&report), &scored.tokens, layout)
        }
    })
}

/// Each score in each mode, and the gap.
fn side_by_side(modes: &SideBySideReport) -> Part {
    let Some((first, others)) = modes.modes.split_first() else {
        return Part::Fact { name: "gap".into(), text: None, value: json!(null) };
    };
    let columns = others.iter().flat_map(|other| {
        ["precision", "recall", "f1"].into_iter().flat_map(move |score| {
            [
                format!("{score} {}", first.name),
                format!("{score} {}", other.name),
                format!("{score} gap"),
            ]
        })
    });
    let mut grid = Grid::new(["type".to_owned()].into_iter().chain(columns));
    let names = first.report.found_types().map(|t| Some(&*t.entity_type)).chain([None]);
    for name in names {
        let scores = |mode: &ModeReport| {
            let of = match name {
                Some(name) => mode.report.get(name).copied(),
                None => Some(mode.report.overall),
            };
            of.map(|s| [s.precision, s.recall, s.f1])
        };
        let of_first = scores(first).unwrap_or_default();
        let cells = others.iter().flat_map(|other| {
            let of_other = scores(other).unwrap_or_default();
            of_first.into_iter().zip(of_other).flat_map(|(a, b)| {
                [a, b, a - b].map(|score| Cell::Score((!score.is_nan()).then_some(score)))
            })
        });
        let cells: Vec<Cell> = cells.collect();
        grid.push([Cell::text(name.unwrap_or("micro"))].into_iter().chain(cells));
    }
    let note = "The gap is what strict reading costs: chunks that only a lenient reader makes of \
                ill-formed tags.";
    let heading = "Side by side".to_owned();
    Part::Grid { name: "gap".into(), heading, grid, note: Some(note.to_owned()) }
}

/// Every score with its interval, over units of that name (`of`). The key in JSON ends with `key`,
/// the heading as `reading` says.
pub(crate) fn intervals(report: &IntervalReport, key: &str, of: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["type", "precision", "recall", "f1"]);
    let cell = |interval: &Option<Interval>| match interval {
        Some(i) => Cell::interval(i.point, i.low, i.high),
        None => Cell::Score(None),
    };
    let (averages, types): (Vec<_>, Vec<_>) =
        report.rows.iter().partition(|row| row.entity_type.is_none());
    for row in types.into_iter().chain(averages) {
        let scores = [&row.precision, &row.recall, &row.f1].map(cell);
        grid.push([Cell::text(&row.name)].into_iter().chain(scores));
    }
    let all = || report.rows.iter().flat_map(|row| [row.precision, row.recall, row.f1]).flatten();
    let note = all().next().map(|any| {
        let Interval { level, method, resamples, units, seed, .. } = any;
        let percent = (level * 1e8).round() / 1e6;
        let resamples = counted(u64::from(resamples), "resample", "resamples");
        let how =
            format!("{percent}% {method} intervals, {resamples} of {units} {of}, seed {seed}");
        match all().map(|interval| interval.undefined).max() {
            None | Some(0) => how + ".",
            Some(most) => format!(
                "{how}; a score is undefined in up to {most} of them: types and the micro average leave \
                 these out, macro and weighted averages take it as 0."
            ),
        }
    });
    let (name, heading) = (format!("intervals{key}").into(), format!("Intervals{reading}"));
    Part::Grid { name, heading, grid, note }
}

/// How intervals were made, for programs; in tables the line below says it.
pub(crate) fn intervals_signature(report: &IntervalReport, key: &str) -> Part {
    let (name, value) = (format!("intervals_signature{key}"), json!(report.protocol.to_string()));
    Part::Fact { name: name.into(), text: None, value }
}

/// How many short and long sentences there are, and their counts in one of the modes.
fn lengths(scored: &Scored, at: usize) -> Vec<(String, u64, ChunkCounts)> {
    let buckets = scored.buckets.iter().filter_map(|(name, metric)| {
        let report = metric.accumulate().modes.into_iter().nth(at)?.report;
        Some((name.clone(), report.diagnostics.rows, report.overall.counts))
    });
    buckets.collect()
}

/// Scores of short and long sentences in one of the modes; the key in JSON ends with `key`, the
/// heading as `reading` says.
fn by_length(scored: &Scored, at: usize, key: &str, reading: &str) -> Part {
    let columns = ["tokens", "sentences", "precision", "recall", "f1", "support", "predicted"];
    let mut grid = Grid::new(columns.into_iter().chain(["correct"]));
    for (name, rows, all) in lengths(scored, at) {
        let scores = [all.precision(), all.recall(), all.f1()].map(Cell::Score);
        let counts = [all.gold, all.predicted, all.correct].map(Cell::Count);
        let cells = [Cell::text(name), Cell::Count(rows)].into_iter().chain(scores).chain(counts);
        grid.push(cells);
    }
    let (name, heading) =
        (format!("by_length{key}").into(), format!("By length of sentence{reading}"));
    Part::Grid { name, heading, grid, note: None }
}

/// What became of the chunks of each type in one of the modes.
fn by_type(report: &ChunkErrorReport, key: &str, reading: &str) -> Part {
    let kinds = ChunkErrorKind::ALL;
    let names = ["type", "gold", "predicted", "correct"].into_iter();
    let mut grid = Grid::new(names.chain(kinds.map(ChunkErrorKind::words)));
    for t in &report.per_type {
        let counts = [t.gold.chunks(), t.predicted.chunks(), t.gold.correct].into_iter();
        let counts = counts.chain(kinds.map(|kind| t.count(kind))).map(Cell::Count);
        grid.push([Cell::text(&t.entity_type)].into_iter().chain(counts));
    }
    let note = "What became of the gold chunks of a type; spurious ones are predicted chunks.";
    let (name, heading) = (format!("by_type{key}").into(), format!("By type{reading}"));
    Part::Grid { name, heading, grid, note: Some(note.to_owned()) }
}

/// How many errors of each kind there are in one of the modes.
fn by_kind(report: &ChunkErrorReport, key: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["error", "count"]);
    for kind in ChunkErrorKind::ALL {
        grid.push([Cell::text(kind.words()), Cell::Count(report.count(kind))]);
    }
    let (name, heading) = (format!("errors_by_kind{key}").into(), format!("Errors{reading}"));
    Part::Grid { name, heading, grid, note: None }
}

/// The first errors of each kind in one of the modes.
fn listing(examples: &[Example], key: &str, reading: &str) -> Part {
    let mut grid = Grid::new(["line", "error", "gold", "predicted", "text"]);
    for example in examples {
        let mention = |m: &Option<Mention>| match m {
            Some(m) => excerpt::beginning(&format!("{} {}", m.entity_type, m.text)),
            None => Cell::Empty,
        };
        let entities = [&example.gold, &example.predicted].into_iter().flatten();
        grid.push([
            Cell::Count(example.line),
            Cell::text(example.kind.words()),
            mention(&example.gold),
            mention(&example.predicted),
            excerpt::around(&example.text, entities.map(|m| &*m.text)),
        ]);
    }
    let (name, heading) =
        (format!("errors{key}").into(), format!("The first errors of each kind{reading}"));
    Part::Grid { name, heading, grid, note: None }
}
