//! Comparing tagged files.

use std::path::Path;

use chunkeval_core::{Mode, RowCounts};
use chunkeval_stats::Resampling;

use super::found::Found;
use super::{Args, Compared};
use crate::command::tell;
use crate::tags::{Labelling, Plan, Reading, Scored, same_gold, score};
use crate::{Error, Result};

/// Compares two tagged files.
///
/// # Errors
/// They have another gold standard, cannot be read, or have fewer than two sentences.
pub(super) fn compare(args: &Args, how: &Resampling) -> Result<Compared> {
    let source = |path: &Path| args.files.source(args.gold.as_deref(), path);
    let sources = [source(&args.first), source(&args.second)];
    let readings = args.reading.readings(false, (Mode::Lenient, Labelling::Strict))?;
    let document_start = args.files.document_start.clone().unwrap_or_default();
    same_gold(&sources[0], &sources[1], &document_start)?;
    let plan = Plan { units: Some(args.unit), document_start, ..Plan::default() };
    let scored = score(&sources[0], &readings, &plan, args.threads())?;
    tell::scheme(scored.detected);
    let reading = scored.reading.clone(); // gold is the same, and so is its scheme
    let other = score(&sources[1], std::slice::from_ref(&reading), &plan, args.threads())?;
    for (source, scored) in sources.iter().zip([&scored, &other]) {
        if scored.bare {
            tell::bare(source);
        }
    }
    let protocol = scored.report()?.protocol.with("unit", args.unit.name());
    let found = Found::of(rows(&reading, [&scored, &other])?, protocol, how)?;
    Ok(Compared { found, of: args.unit.plural(), reading: None, unreadable: None })
}

/// The counts of each sentence, for the labels that either system has.
fn rows(reading: &Reading, scored: [&Scored; 2]) -> Result<(RowCounts, RowCounts)> {
    let mut labels: Vec<String> =
        scored.iter().flat_map(|scored| &scored.labels).cloned().collect();
    labels.sort_unstable();
    labels.dedup();
    let whole = reading.metric(&labels)?;
    let missing = || Error::Usage("there are no counts of units".to_owned());
    let rows = |scored: &Scored| -> Result<RowCounts> {
        let metric = scored.metric()?;
        let (part, whole) = (metric.readings().first(), whole.readings().first());
        match (scored.rows.first(), part, whole) {
            (Some(rows), Some(part), Some(whole)) => Ok(rows.clone().moved(part, whole)?),
            _ => Err(missing()),
        }
    };
    Ok((rows(scored[0])?, rows(scored[1])?))
}
