//! The subcommands, a file for each. Each has its `Args` (what `--help` shows) and its `run`.

pub(crate) mod answers;
pub(crate) mod apart;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod form;
pub(crate) mod gate;
pub(crate) mod guide;
pub(crate) mod kind;
pub(crate) mod labels;
mod listed_errors;
pub(crate) mod llm;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod reading;
pub(crate) mod suggested;
pub(crate) mod tag_files;
pub(crate) mod tags;
pub(crate) mod tell;
pub(crate) mod tensorboard;

use crate::cli::Command;
use crate::{Cli, Exit, Result};

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> Result<Exit> {
    match cli.command {
        Command::Tags(args) => tags::run(&args),
        Command::Llm(args) => llm::run(&args),
        Command::Labels(args) => labels::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Tensorboard(args) => tensorboard::run(&args),
        Command::Guide(args) => guide::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
