//! What `llm` has to say, in its order.

use chunkeval_llm::{ExtractionReport, Treatment};
use chunkeval_stats::Resampling;
use serde_json::json;

use super::advice::advice;
use super::args::By;
use super::headings::{of_scores, reading};
use super::html::{self, Html};
use super::lacks::lacks;
use super::scores::{published_macro, scores};
use super::statements::{in_parts, statements};
use super::tables::{Tables, counts};
use super::{errors, health, splits};
use crate::Result;
use crate::llm::Scored;
use crate::output::{Missing, Page, Part};
use crate::unusable::Unusable;

/// What the report says, and in which tables.
#[derive(Clone, Debug)]
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
    /// How many digits scores have in sentences.
    pub(crate) digits: u16,
    /// The same as an HTML report.
    pub(crate) html: Option<Html>,
}

/// The page of a result.
///
/// # Errors
/// There are no intervals, for example since there are fewer than two records.
pub(crate) fn page(scored: &Scored, options: &Options) -> Result<Page> {
    let report = scored.report();
    let (reading, treatments) = (reading(&report), options.tables.treatments());
    let (lacks, matching) = (lacks(scored, &report, options.tables), scored.metric.matching());
    let mut page = Page::default();
    page.extend(statements(scored, &report, options.repeated_in_parts, &lacks));
    page.extend(health::of_answers(&report, matching, &reading, options.list_clean));
    let shown = scores(scored, &report, options, &treatments)?;
    page.extend(shown.parts);
    page.extend(split(scored, options, &treatments, &reading)?);
    page.push(Part::Fact { name: "records".into(), text: None, value: json!(report.records) });
    if options.list_errors {
        page.push(errors::by_kind(scored, &reading));
        page.push(errors::listing(&scored.examples, &reading));
    }
    page.extend(lacking(scored));
    if scored.interrupted {
        page.stop(Missing::Input);
    }
    let advice = advice(&report, &treatments, options.digits);
    page.extend(advice.clone().map(Part::Note));
    if let Some(html) = &options.html {
        let warnings = lacks.into_iter().map(|lack| lack.text).collect();
        let notes = options.repeated_in_parts.map(in_parts).into_iter();
        let notes = notes.chain(macros(&report, &treatments, options.digits)).chain(advice);
        let notes = [warnings, notes.collect()];
        let tables = (&*treatments, shown.intervals);
        page.set_html(html::page(scored, &report, notes, tables, html)?);
    }
    if shown.stopped {
        page.stop(Missing::Intervals);
    }
    Ok(page)
}

/// Answers counted apart, as the options say; headings end as `reading` says.
fn split(
    scored: &Scored,
    options: &Options,
    treatments: &[Treatment],
    reading: &str,
) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    if options.by.contains(&By::Length) {
        let of = of_scores(reading, treatments);
        parts.extend(splits::by_length(&scored.lengths, counts(treatments), &of)?);
    }
    if options.by.contains(&By::Type) {
        parts.push(splits::by_type(&scored.confusion, reading));
    }
    Ok(parts)
}

/// What the scores do not cover.
fn lacking(scored: &Scored) -> Option<Part> {
    let Unusable { sentences: lines, first } = &scored.unusable;
    let value = json!({"lines": lines, "first": first});
    (*lines > 0).then_some(Part::Fact { name: "left_out".into(), text: None, value })
}

/// What is said of the macro F1 of the tables of the first reading.
fn macros(report: &ExtractionReport, treatments: &[Treatment], digits: u16) -> Vec<String> {
    let of_first = report.readings.iter().take(1);
    let shown = of_first.flat_map(|of| treatments.iter().filter_map(|&how| of.scores(how)));
    shown.filter_map(|scores| published_macro(scores, digits)).collect()
}
