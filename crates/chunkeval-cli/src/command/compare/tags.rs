//! Comparing tagged files.

use std::path::Path;

use chunkeval_core::{Mode, RowCounts};
use chunkeval_stats::Resampling;

use super::documents::{begins, same};
use super::found::Found;
use super::{Args, Compared, if_whole};
use crate::command::tell;
use crate::tags::{
    Begin, Labelling, Plan, Reading, Resampled, Said, Scored, Sentences, Source, difference, score,
};
use crate::unusable::Unusable;
use crate::{Error, Result};

/// Compares two tagged files; what was left out of both.
///
/// # Errors
/// They have another gold standard, cannot be read, or have fewer than two sentences.
pub(super) fn compare(args: &Args, how: &Resampling) -> Result<(Compared, Unusable)> {
    let source = |path: &Path| args.files.source(args.gold.as_deref(), path);
    let sources = [source(&args.first), source(&args.second)];
    let readings = args.reading.readings(false, (Mode::Lenient, Labelling::Strict))?;
    let plan = Plan {
        units: Some(Resampled::Sentence), // documents are made of what both have
        sentences: true,
        document_start: args.files.document_start.clone().unwrap_or_default(),
        keep_going: args.files.keep_going,
        ..Plan::default()
    };
    let scored = if_whole(score(&sources[0], &readings, &plan, args.threads()))?;
    tell::scheme(scored.detected);
    let reading = scored.reading.clone(); // gold is the same, and so is its scheme
    let other = score(&sources[1], std::slice::from_ref(&reading), &plan, args.threads());
    let other = if_whole(other)?;
    for (source, scored) in sources.iter().zip([&scored, &other]) {
        if scored.bare {
            tell::bare(source);
        }
    }
    let both = [&scored.sentences, &other.sentences];
    let agree = |one: Option<&Said>, other: Option<&Said>| match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        (one, other) => one.is_none() && other.is_none(), // gold tags have a file of their own
    };
    let alone = both[0].rows_of_one(both[1], agree);
    let alone = alone.map_err(|place| differ(&sources, both, &plan.document_start, place))?;
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let mut unusable = scored.unusable.clone().of_file(&names[0]);
    let mut more = other.unusable.clone().of_file(&names[1]);
    more.first.retain(|fault| !unusable.first.contains(fault)); // in a gold file that both have
    unusable.add(more);
    unusable.sentences = (scored.sentences.left_out() + alone[0].len()) as u64;
    let unit = args.unit.unwrap_or_default();
    let protocol = scored.report()?.protocol.with("unit", unit.name());
    let begins = [begins(&scored, &alone[0]), begins(&other, &alone[1])];
    if unit == Resampled::Document {
        let both = scored.rows.first().map_or(0, RowCounts::len) - alone[0].len();
        same([&args.first, &args.second], [&begins[0], &begins[1]], both)?;
    }
    let rows = rows(&reading, [scored, other], &alone)?;
    let found = Found::of(units(rows, &begins[0], unit)?, protocol, how)?;
    let of = unit.plural();
    Ok((Compared { found, of, reading: None, unreadable: None }, unusable))
}

/// The error of files that do not have the same sentence at a place.
fn differ(
    [first, second]: &[Source; 2],
    sentences: [&Sentences; 2],
    document_start: &str,
    place: usize,
) -> Error {
    let line =
        |of: &Sentences| of.at(place).map(|at| at.map_or_else(|line| line, |said| said.line));
    let known = difference(first, second, sentences.map(line), document_start);
    known.unwrap_or_else(|| Error::Mismatch {
        reason: format!("sentence {} is not the same in both files", place + 1),
        hint: Some("two systems can be compared on the same gold standard only".to_owned()),
    })
}

/// The counts of each sentence that both systems have, for the labels that either one has.
fn rows(
    reading: &Reading,
    scored: [Scored; 2],
    alone: &[Vec<usize>; 2],
) -> Result<(RowCounts, RowCounts)> {
    let mut labels: Vec<String> =
        scored.iter().flat_map(|scored| &scored.labels).cloned().collect();
    labels.sort_unstable();
    labels.dedup();
    let whole = reading.metric(&labels)?;
    let missing = || Error::Usage("there are no counts of sentences".to_owned());
    let rows = |mut scored: Scored, alone: &[usize]| -> Result<RowCounts> {
        let metric = scored.metric()?;
        let (part, whole) = (metric.readings().first(), whole.readings().first());
        match (scored.rows.pop(), part, whole) {
            (Some(rows), Some(part), Some(whole)) => Ok(rows.without(alone).moved(part, whole)?),
            _ => Err(missing()),
        }
    };
    let [first, second] = scored;
    Ok((rows(first, &alone[0])?, rows(second, &alone[1])?))
}

/// The counts of each unit of both systems, whose documents are the same.
fn units(
    (first, second): (RowCounts, RowCounts),
    begins: &[Begin],
    unit: Resampled,
) -> Result<(RowCounts, RowCounts)> {
    let begins: Vec<usize> = begins.iter().map(|begin| begin.row).collect();
    Ok((unit.of(first, &begins)?, unit.of(second, &begins)?))
}
