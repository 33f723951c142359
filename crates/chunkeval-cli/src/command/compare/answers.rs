//! Comparing answers of language models.

use std::path::Path;

use chunkeval_llm::{AnswerReading, ExtractionRows, Preset, Treatment};
use chunkeval_stats::Resampling;

use super::found::Found;
use super::{Args, Compared, if_whole};
use crate::input::Input;
use crate::llm::{CheckIds, Labels, Plan, Rows, Said, Scored, Splits, Texts, same_gold, score};
use crate::unusable::Unusable;
use crate::{Error, Result};

/// Answers that cannot be read count as empty. Skipping them would score the systems on different
/// gold entities.
const TREATMENT: Treatment = Treatment::CountAsEmpty;

/// Compares two files of answers in each reading, of which the one that counts comes last; what was
/// left out of both.
///
/// # Errors
/// They have other gold entities, cannot be read, or have fewer than two answers.
pub(super) fn compare(args: &Args, how: &Resampling) -> Result<(Vec<Compared>, Unusable)> {
    let keep_going = args.files.keep_going;
    let found = args.answers.found(&mut Input::open(&args.first)?, keep_going)?;
    // Those of others are prompts with such texts in them.
    let bare = match found.text {
        Some(path) => path == "text",
        None => matches!(found.preset, Preset::Instruction | Preset::Plain),
    };
    let texts = if bare { Texts::Same } else { Texts::Any };
    let readings = args.answers.readings();
    let plan = Plan {
        format: args.answers.format(found)?,
        metric: args.answers.metric(readings, 0)?,
        reading: readings.first().copied().unwrap_or_default(),
        errors: 0,
        rows: Rows::Keep,
        gold: Some(texts),
        labels: Labels::Leave,
        splits: Splits::Leave,
        ids: CheckIds::No,
        keep_going,
    };
    let scored = |path: &Path| {
        if_whole(score(Input::open(path)?, &plan, args.threads(), &mut std::io::sink()))
    };
    let systems = [scored(&args.first)?, scored(&args.second)?];
    let [first, second] = &systems;
    let same = |one: Option<&Said>, other: Option<&Said>| match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        _ => false,
    };
    let alone = first.gold.rows_of_one(&second.gold, same);
    let alone = alone.map_err(|place| differ(args, &plan, &systems, place))?;
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let mut unusable = first.unusable.clone().of_file(&names[0]);
    unusable.add(second.unusable.clone().of_file(&names[1]));
    unusable.sentences = (first.gold.left_out() + alone[0].len()) as u64;
    let readings = readings.iter().enumerate().rev();
    let compared = readings.map(|(at, &reading)| compare_in(&systems, &alone, (at, reading), how));
    Ok((compared.collect::<Result<_>>()?, unusable))
}

/// The error of files that do not have the same gold entities at a place.
fn differ(args: &Args, plan: &Plan, [one, other]: &[Scored; 2], place: usize) -> Error {
    let (first, second) = (&args.first, &args.second);
    let texts = plan.gold.unwrap_or(Texts::Any);
    if let Err(error) = if_whole(same_gold(first, second, &plan.format, texts, plan.keep_going)) {
        return error;
    }
    // That would have been said, but for lines that cannot be used behind the end of one file.
    let reason = match (one.gold.at(place), other.gold.at(place)) {
        (Some(Err(line)), None) => ended(first, line, second),
        (None, Some(Err(line))) => ended(second, line, first),
        _ => {
            format!("answer {} does not have the same gold entities in both files", place + 1)
        }
    };
    let hint = Some("two systems can be compared on the same gold standard only".to_owned());
    Error::Mismatch { reason, hint }
}

fn ended(longer: &Path, line: u64, shorter: &Path) -> String {
    format!("{}:{line}: {} ends before this line", longer.display(), shorter.display())
}

/// Compares the systems in one of the readings, without the rows that one of them lacks.
fn compare_in(
    systems: &[Scored; 2],
    alone: &[Vec<usize>; 2],
    (at, reading): (usize, AnswerReading),
    how: &Resampling,
) -> Result<Compared> {
    let rows = |system: &Scored, alone: &[usize]| -> Result<ExtractionRows> {
        let missing = || Error::Usage("there are no counts of answers".to_owned());
        Ok(system.rows.get(at).cloned().ok_or_else(missing)?.without(alone))
    };
    let [first, second] = systems;
    let (first, second) = (rows(first, &alone[0])?, rows(second, &alone[1])?);
    let pair = ExtractionRows::pair(&first, &second, TREATMENT)?;
    let protocol = pair.0.protocol().clone();
    let found = Found::of(pair, protocol, how)?;
    let unreadable = Some([first.unreadable(), second.unreadable()]);
    Ok(Compared { found, of: "answers", reading: Some(reading), unreadable })
}
