//! Comparing tagged files.

use std::path::Path;

use chunkeval_core::{Mode, RowCounts};
use chunkeval_stats::Resampling;

use super::found::Found;
use super::{Args, Compared, if_whole};
use crate::command::tell;
use crate::tags::{Labelling, Plan, Reading, Resampled, Scored, Source, same_gold, score};
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
    let alone = scored.sentences.rows_of_one(&other.sentences);
    let whole = scored.sentences.left_out() + other.sentences.left_out() == 0;
    let alone = alone.map_err(|place| match whole {
        true => differ(&sources, &plan.document_start, place),
        false => other_sentence(place), // reading again would begin with what was left out
    })?;
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let mut unusable = scored.unusable.clone().of_file(&names[0]);
    unusable.add(other.unusable.clone().of_file(&names[1]));
    unusable.sentences = (scored.sentences.left_out() + alone[0].len()) as u64;
    let protocol = scored.report()?.protocol.with("unit", args.unit.name());
    let found = Found::of(rows(&reading, [scored, other], &alone, args.unit)?, protocol, how)?;
    let of = args.unit.plural();
    Ok((Compared { found, of, reading: None, unreadable: None }, unusable))
}

/// The error of files that do not have the same sentence at a place.
fn differ(sources: &[Source; 2], document_start: &str, place: usize) -> Error {
    match same_gold(&sources[0], &sources[1], document_start) {
        Err(error) => error,
        Ok(()) => other_sentence(place),
    }
}

fn other_sentence(place: usize) -> Error {
    Error::Mismatch {
        reason: format!("sentence {} is not the same in both files", place + 1),
        hint: Some("two systems can be compared on the same gold standard only".to_owned()),
    }
}

/// The counts of each unit that both systems have, for the labels that either one has.
fn rows(
    reading: &Reading,
    scored: [Scored; 2],
    alone: &[Vec<usize>; 2],
    unit: Resampled,
) -> Result<(RowCounts, RowCounts)> {
    let mut labels: Vec<String> =
        scored.iter().flat_map(|scored| &scored.labels).cloned().collect();
    labels.sort_unstable();
    labels.dedup();
    let whole = reading.metric(&labels)?;
    let missing = || Error::Usage("there are no counts of units".to_owned());
    let rows = |mut scored: Scored, alone: &[usize]| -> Result<RowCounts> {
        let metric = scored.metric()?;
        let (part, whole) = (metric.readings().first(), whole.readings().first());
        match (scored.rows.pop(), part, whole) {
            (Some(rows), Some(part), Some(whole)) => {
                let begins = scored.begins.iter();
                let begins = begins.map(|row| row - alone.partition_point(|gone| gone < row));
                let begins: Vec<usize> = begins.collect();
                unit.of(rows.without(alone).moved(part, whole)?, &begins)
            }
            _ => Err(missing()),
        }
    };
    let [first, second] = scored;
    Ok((rows(first, &alone[0])?, rows(second, &alone[1])?))
}
