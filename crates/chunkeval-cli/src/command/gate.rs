//! `chunkeval gate`: an exit code by thresholds or by a baseline.

mod check;
mod result;
mod table;

use std::io::{Write as _, stderr};
use std::path::PathBuf;

use clap::{ArgGroup, Args as Group};
use serde_json::json;

use crate::output::{OutputArgs, Page, Part, print};
use crate::{Error, Exit, Result};
use check::{Check, Threshold, Verdict};
use result::Scores;

const EXAMPLES: &str = "\
Examples:
  chunkeval tags out.tsv --format json > new.json
  chunkeval gate new.json --min f1=0.9 --min PER.recall=0.8
  chunkeval tags out.tsv --format json | chunkeval gate - --min macro.f1=0.75
  # of two readings side by side
  chunkeval tags out.tsv --scheme IOB2 --both --format json | chunkeval gate - --min IOB2.f1=0.75
  chunkeval llm answers.jsonl --both --format json | chunkeval gate - --min strict.f1=0
  # fails if F1 falls below the interval of an earlier result
  chunkeval tags old.tsv --ci --format json > baseline.json
  chunkeval gate new.json --baseline baseline.json

A score is one of precision, recall and f1, of all entities or behind micro, macro, weighted or a
type and a point. It is that of the first table of the result, in JSON \"scores\": of tags the first
reading, with --both the lenient one; of llm the lenient reading, unless --strict was given, with
unreadable answers counted as empty, unless --on-unreadable skip was given. Other tables are named
before the score by what stands behind \"scores_\" in JSON: IOB2.f1, skip.f1, strict_skip.PER.f1;
of tags, strict is the scheme where there is but one;
strict.f1 of llm --both is strict_count_as_empty.f1, or else strict_skip.f1. --score names them in
the same way: every table of a baseline has intervals.

The exit code is 0 if every check is passed, and 1 if one is not. A result that lacks lines or was
interrupted does not pass: the code is 3, unless --allow-partial is given. Nor does a score that is
undefined (null in JSON), here or in the intervals of the baseline: the code is 3, too. A baseline
of another gold standard is refused with code 5, unless --allow-other-gold is given. One in which
the table of the score was made in another way (its signature says how) is refused with code 5, too.";

/// Fails where scores are too low: for scripts and continuous integration
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("check").required(true).multiple(true).args(["min", "baseline"]))]
pub(crate) struct Args {
    /// Result written with --format json; - for standard input
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// A score and the least it must be: f1=0.9, macro.f1=0.8, PER.recall=0.7, strict.f1=0.6
    #[arg(long, value_name = "SCORE=LEAST")]
    min: Vec<Threshold>,
    /// Earlier result with intervals (--ci --format json): no score may fall below its interval
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Which scores are held against the baseline
    #[arg(long, value_name = "SCORE", default_value = "f1", requires = "baseline")]
    score: Vec<String>,
    /// Pass a result, too, that lacks lines which could not be used, or that was interrupted
    #[arg(long)]
    allow_partial: bool,
    /// Hold a result against a baseline of another gold standard, too: of other sentences or
    /// answers, or with more or fewer gold entities of some type
    #[arg(long, requires = "baseline")]
    allow_other_gold: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// Makes the checks and prints them.
///
/// # Errors
/// A result cannot be read, or lacks a score that is to be checked.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let result = Scores::load(&args.result)?;
    let mut checks = Vec::new();
    for threshold in &args.min {
        checks.push(threshold.check(&result)?);
    }
    if let Some(path) = &args.baseline {
        let baseline = Scores::load(path)?;
        for score in &args.score {
            checks.push(Check::against(score, &result, &baseline)?);
        }
        // What a part lacks is told below.
        let scores = args.score.iter().filter(|_| result.gap().is_none());
        let mut other_gold = scores.map(|score| result.other_gold(&baseline, score));
        match other_gold.find_map(Result::transpose).transpose()? {
            Some(reason) if !args.allow_other_gold => {
                let reason = format!("another gold standard: {reason}");
                let hint = "write the baseline again on the same gold standard, or take both as they \
                            are with --allow-other-gold";
                return Err(Error::Mismatch { reason, hint: Some(hint.to_owned()) });
            }
            Some(reason) => {
                let _ = writeln!(stderr(), "warning: another gold standard: {reason}");
            }
            None => {}
        }
        if let Some(gap) = baseline.gap() {
            let _ = writeln!(stderr(), "warning: {}: the baseline {gap}", path.display());
        }
    }
    let failed = checks.iter().any(|check| check.verdict() == Verdict::Failed);
    let gap = result.gap().filter(|_| !args.allow_partial);
    let undefined = checks.iter().find_map(Check::undefined);
    let open = undefined.or_else(|| gap.map(|gap| format!("the result {gap}")));
    let mut page = Page::default();
    let grid = check::grid(&checks);
    page.push(Part::Grid { name: "checks".into(), heading: "Checks".to_owned(), grid, note: None });
    let (text, exit) = match (failed, open) {
        (true, _) => ("The gate failed.".to_owned(), Exit::GateFailed),
        (false, Some(open)) => (format!("The gate is not passed: {open}."), Exit::BadInput),
        (false, None) => ("The gate passed.".to_owned(), Exit::Ok),
    };
    let passed = exit == Exit::Ok;
    page.push(Part::Fact { name: "passed".into(), text: Some(text), value: json!(passed) });
    page.push(Part::Fact {
        name: "partial".into(),
        text: None,
        value: json!(result.gap().is_some()),
    });
    let digits = check::digits(&checks, args.output.digits);
    print(&page, &OutputArgs { digits, ..args.output.clone() })?;
    if let Some(gap) = result.gap() {
        let _ = writeln!(stderr(), "warning: {}: the result {gap}", result.path().display());
    }
    if gap.is_some() && !failed {
        let _ = writeln!(stderr(), "hint: --allow-partial takes it as it is");
    }
    Ok(exit)
}
