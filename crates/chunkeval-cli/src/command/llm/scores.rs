//! The scores of each reading and treatment, and how sure they are.

use std::collections::BTreeMap;

use chunkeval_core::Average;
use chunkeval_llm::{ExtractionReport, ExtractionScores, Treatment};
use chunkeval_stats::IntervalReport;
use serde_json::json;

use super::args::By;
use super::headings::{heading, whose, words};
use super::page::Options;
use super::resampled;
use super::tables::counts as counts_of;
use crate::Result;
use crate::command::tags::{intervals, intervals_signature};
use crate::command::tell::unless_stopped;
use crate::llm::Scored;
use crate::output::{Part, Sheet};

/// The tables and what goes with them.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Strict before lenient.
    pub(super) parts: Vec<Part>,
    /// The intervals, by the end of their heading.
    pub(super) intervals: BTreeMap<String, IntervalReport>,
    /// Whether Ctrl-C ended resampling.
    pub(super) stopped: bool,
}

/// The tables of all readings.
///
/// # Errors
/// There are no intervals, for example since there are fewer than two records.
pub(super) fn scores(
    scored: &Scored,
    report: &ExtractionReport,
    options: &Options,
    treatments: &[Treatment],
) -> Result<Shown> {
    let mut shown = Shown::default();
    for (at, of) in report.readings.iter().enumerate().rev() {
        for &treatment in treatments {
            let Some(scores) = of.scores(treatment) else { continue };
            let counts = at == 0 && treatment == counts_of(treatments);
            let key = match at {
                0 if counts => String::new(),
                0 => format!("_{treatment}"),
                _ => format!("_{}_{treatment}", of.reading),
            };
            let mut sheet = Sheet::of_answers(of.reading, treatment);
            if counts && options.by.contains(&By::Length) {
                sheet.lengths = scored.lengths.buckets(treatment)?;
            }
            let mut sure = Vec::new();
            if let (Some(how), Some(rows)) = (options.intervals, scored.rows.get(at)) {
                let whose = whose(of.reading, treatment);
                match unless_stopped(how.report(&rows.row_counts(treatment)?))? {
                    Some(found) => {
                        let of_table = intervals(&found, &key, "answers", &whose);
                        sure.push(match resampled::unread(of, treatment) {
                            Some(more) => of_table.with_note(&more),
                            None => of_table,
                        });
                        sure.push(intervals_signature(&found, &key));
                        sheet.intervals = Some(found.clone());
                        shown.intervals.insert(whose, found);
                    }
                    None => shown.stopped = true,
                }
            }
            shown.parts.push(Part::Scores {
                name: format!("scores{key}"),
                heading: Some(heading(of.reading, treatment)),
                report: Box::new(scores.chunk_report(of.scored(treatment))?),
                sheet: Box::new(sheet),
            });
            shown.parts.extend(sure);
            shown.parts.extend(if at == 0 { macro_f1(scores, options.digits) } else { None });
        }
    }
    Ok(shown)
}

/// The macro F1 of the published loop, as a part; of the first reading alone.
fn macro_f1(scores: &ExtractionScores, digits: u16) -> Option<Part> {
    let name = match scores.treatment {
        Treatment::Skip => "published_macro_f1",
        Treatment::CountAsEmpty => "published_macro_f1_count_as_empty",
        _ => return None,
    };
    let value = json!(scores.macro_average.f1);
    Some(Part::Fact { name: name.into(), text: published_macro(scores, digits), value })
}

/// The macro F1 of the published loop, where it is another one than that of the table.
pub(super) fn published_macro(scores: &ExtractionScores, digits: u16) -> Option<String> {
    let (theirs, ours) = (scores.macro_average, scores.average(Average::Macro));
    let over_all = scores.treatment != scores.treatment.of_schema_types();
    let differs = over_all && (theirs.f1 - ours.f_score).abs() > 1e-9;
    differs.then(|| {
        format!(
            "Macro F1 as published scripts take it, {}: {:.*}. It is over all types that are \
             named ({}), those without an entity among them, which the macro average of the table \
             lacks.",
            words(scores.treatment).trim_end_matches(" (as published)"),
            usize::from(digits),
            theirs.f1,
            theirs.types,
        )
    })
}
