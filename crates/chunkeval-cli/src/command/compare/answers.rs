//! Comparing answers of language models.

use std::path::Path;

use chunkeval_llm::{AnswerReading, ExtractionRows, Preset, RecordFormat, Treatment};
use chunkeval_stats::Resampling;

use super::found::Found;
use super::{Args, Compared, if_whole};
use crate::input::Input;
use crate::llm::{CheckIds, Labels, Plan, Rows, Scored, Splits, Texts, same_gold, score};
use crate::{Error, Result};

/// Answers that cannot be read count as empty. Skipping them would score the systems on different
/// gold entities.
const TREATMENT: Treatment = Treatment::CountAsEmpty;

/// Compares two files of answers in each reading; the one that counts comes last.
///
/// # Errors
/// They have other gold entities, cannot be read, or have fewer than two answers.
pub(super) fn compare(args: &Args, how: &Resampling) -> Result<Vec<Compared>> {
    let found = args.answers.found(&mut Input::open(&args.first)?, false)?;
    // Those of others are prompts with such texts in them.
    let bare = match found.text {
        Some(path) => path == "text",
        None => matches!(found.preset, Preset::Instruction | Preset::Plain),
    };
    let (format, texts) =
        (args.answers.format(found)?, if bare { Texts::Same } else { Texts::Any });
    if_whole(same_gold(&args.first, &args.second, &format, texts))?;
    let readings = args.answers.readings().iter().rev();
    readings.map(|&reading| compare_in(args, &format, reading, how)).collect()
}

fn compare_in(
    args: &Args,
    format: &RecordFormat,
    reading: AnswerReading,
    how: &Resampling,
) -> Result<Compared> {
    let plan = Plan {
        format: format.clone(),
        metric: args.answers.metric(&[reading], 0)?,
        reading,
        errors: 0,
        rows: Rows::Keep,
        labels: Labels::Leave,
        splits: Splits::Leave,
        ids: CheckIds::No,
        keep_going: false,
    };
    let scored = |path: &Path| {
        if_whole(score(Input::open(path)?, &plan, args.threads(), &mut std::io::sink()))
    };
    let (first, second) = (scored(&args.first)?, scored(&args.second)?);
    let rows = |scored: &Scored| -> Result<ExtractionRows> {
        let missing = || Error::Usage("there are no counts of answers".to_owned());
        scored.rows.first().cloned().ok_or_else(missing)
    };
    let pair = ExtractionRows::pair(&rows(&first)?, &rows(&second)?, TREATMENT)?;
    let protocol = pair.0.protocol().clone();
    let found = Found::of(pair, protocol, how)?;
    let unreadable = [&first, &second]
        .map(|scored| scored.report().readings.first().map_or(0, |of| of.answers.unreadable()));
    Ok(Compared { found, of: "answers", reading: Some(reading), unreadable: Some(unreadable) })
}
