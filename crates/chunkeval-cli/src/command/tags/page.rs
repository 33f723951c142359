//! What `tags` has to say.

use chunkeval_core::SideBySideReport;
use chunkeval_stats::Resampling;
use serde_json::json;

use super::errors::{by_kind, listing};
use super::gap::side_by_side;
use super::html::{self, Html};
use super::intervals::{intervals, intervals_signature};
use super::splits::{by_length, by_type, lengths};
use crate::Result;
use crate::command::apart::Apart;
use crate::command::listed_errors::Whose;
use crate::command::tell::unless_stopped;
use crate::output::{Missing, Page, Part, Sheet};
use crate::tags::{By, Detected, Scored};

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
        let (key, reading) = (&*key(&modes, at), &*reading(&modes, at));
        page.push(by_kind(counts, Whose { key, reading }));
        page.push(listing(examples, Whose { key, reading }));
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
