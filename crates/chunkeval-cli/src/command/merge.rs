//! `chunkeval merge`: shards that were scored apart, added up.

mod saved;

use std::path::PathBuf;

use clap::Args as Group;

use super::tags;
use super::tell::{Unit, tell};
use crate::output::{OutputArgs, print, save};
use crate::{Exit, Result};

pub(crate) use saved::Saved;

const EXAMPLES: &str = "\
Examples:
  chunkeval tags part1.tsv --save-state part1.state
  chunkeval tags part2.tsv --save-state part2.state
  chunkeval merge part1.state part2.state

The result is that of all sentences scored at once. What was scored in different ways is refused.";

/// Adds up what was scored apart: the result is that of the whole
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// States written by --save-state
    #[arg(required = true, value_name = "STATE")]
    states: Vec<PathBuf>,
    /// Save the sum, too
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Adds up the states and prints the report of the sum.
///
/// # Errors
/// A state cannot be read, or is of another way of scoring than the first one.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let to = args.save_state.as_deref().map(save).transpose()?;
    let sum = saved::merge(&args.states)?;
    if let Some(to) = to {
        to.json(&sum)?;
    }
    let scored = sum.scored()?;
    print(&tags::page(&scored, &tags::Options::default())?, &args.output)?;
    // The adding up went well, whatever the states lack.
    tell(&scored.unusable, Unit::Sentence, scored.interrupted);
    Ok(Exit::Ok)
}
