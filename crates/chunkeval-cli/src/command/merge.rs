//! `chunkeval merge`: shards that were scored apart, added up.

mod answers;
mod state;
mod tags;

use std::path::PathBuf;

use chunkeval_stats::Resampling;
use clap::Args as Group;

use super::tags::{resamples, share};
use super::tell::{Interrupted, tell};
use crate::output::{OutputArgs, is_same, no_input, print, save};
use crate::{Error, Exit, Result, interrupt, threads};

pub(crate) use answers::AnswersState;
pub(crate) use state::{State, is, load};
pub(crate) use tags::TagsState;

const EXAMPLES: &str = "\
Examples:
  chunkeval tags part1.tsv --save-state part1.state
  chunkeval tags part2.tsv --save-state part2.state
  chunkeval merge part1.state part2.state
  # with intervals, which need the counts of each sentence or answer
  chunkeval tags part1.tsv --ci --save-state part1.state
  chunkeval tags part2.tsv --ci --save-state part2.state
  chunkeval merge part1.state part2.state --ci
  # answers of a language model, the sum saved, too
  chunkeval llm part1.jsonl --save-state answers1.state
  chunkeval llm part2.jsonl --save-state answers2.state
  chunkeval merge answers1.state answers2.state --save-state answers.state

The result is that of all sentences or answers scored at once. What was scored in different ways is
refused. Where parts lack something (lines left out with --keep-going, an interrupt), so does the sum:
it is printed, and the exit code is 3. Answers and lines that are listed have the name of the file that they stand in; parts that
list more and fewer answers (llm --errors) give a sum that lists as many as the fewest.";

/// Adds up what was scored apart: the result is that of the whole
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// States written by --save-state
    #[arg(required = true, value_name = "STATE")]
    states: Vec<PathBuf>,
    /// Save the sum, too, in place of a file of that name
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    /// Bootstrap intervals for every score, where all parts were scored with --ci: those of the whole,
    /// if the parts are named in its order
    #[arg(long, help_heading = "Report")]
    ci: bool,
    /// Level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, requires = "ci",
          value_parser = share, help_heading = "Report")]
    level: f64,
    /// Resamples of the intervals, 1000000 at most
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "ci",
          value_parser = resamples(), help_heading = "Report")]
    resamples: u32,
    /// Seed of the intervals; the same seed gives the same ones
    #[arg(long, value_name = "N", default_value_t = 0, requires = "ci", help_heading = "Report")]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

/// Adds up the states and prints the report of the sum.
///
/// # Errors
/// A state is named twice, or would be written over; one cannot be read, or is of another way of
/// scoring than the first one.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    no_input("--save-state", args.save_state.as_deref(), args.states.iter().map(PathBuf::as_path))?;
    for (at, state) in args.states.iter().enumerate() {
        if let Some(before) = args.states.iter().take(at).find(|before| is_same(before, state)) {
            let reason = match before == state {
                true => format!(
                    "{} is named twice, and would count twice; name it once",
                    state.display()
                ),
                false => {
                    let (before, state) = (before.display(), state.display());
                    format!(
                        "{before} and {state} are the same file, which would count twice; name one of \
                         them"
                    )
                }
            };
            return Err(Error::Usage(reason));
        }
    }
    let of_answers = args.states.first().map(|path| state::is::<AnswersState>(path));
    match of_answers.transpose()? {
        Some(true) => sum::<AnswersState>(args),
        _ => sum::<TagsState>(args),
    }
}

/// What is added up, in a few words.
fn title(states: &[PathBuf]) -> String {
    match states {
        [] | [_] | [_, _] => {
            let names: Vec<String> = states.iter().map(|path| path.display().to_string()).collect();
            names.join(" + ")
        }
        [first, .., last] => {
            format!("{} states, {} to {}", states.len(), first.display(), last.display())
        }
    }
}

fn sum<S: State>(args: &Args) -> Result<Exit> {
    let to = args.save_state.as_deref().map(save).transpose()?;
    let sum: S = state::merge(&args.states)?;
    let how = || Resampling::new(args.resamples).seed(args.seed).level(args.level);
    let intervals =
        args.ci.then(|| how().threads(threads::number(None).get()).stop_if(interrupt::asked));
    interrupt::listen()?;
    let mut page = sum.page(&title(&args.states), &args.output, intervals)?;
    page.note(S::LACKS);
    if let Some(to) = to {
        to.json(&sum)?;
    }
    print(&page, &args.output)?;
    let (unusable, unit, interrupted) = sum.gap();
    let exit = tell(&unusable, unit, Interrupted::of(interrupted, &page));
    // If a part was interrupted, the adding up was not: the sum is of a part only.
    Ok(if interrupted && page.stopped().is_none() { Exit::BadInput } else { exit })
}
