//! The command line: the list of subcommands.

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::command::{
    compare, completions, gate, guide, labels, llm, man, merge, tags, tensorboard,
};
use crate::exit;

/// Precision, recall and F1 of named-entity recognition and sequence labelling, from files
#[derive(Clone, Debug, Parser)]
#[command(name = "chunkeval", version, after_help = exit::HELP, arg_required_else_help = true)]
#[command(max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command line with the exit codes in the help of every subcommand.
    pub(crate) fn told() -> clap::Command {
        Self::command().mut_subcommands(|command| {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let codes = match command.get_name() {
                "gate" => exit::HELP,
                _ => exit::WITHOUT_GATE,
            };
            command.after_help(format!("{examples}\n\n{codes}"))
        })
    }
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Command {
    Tags(Box<tags::Args>),
    Llm(Box<llm::Args>),
    Labels(Box<labels::Args>),
    Compare(Box<compare::Args>),
    Merge(merge::Args),
    Gate(gate::Args),
    Tensorboard(Box<tensorboard::Args>),
    Guide(guide::Args),
    Completions(completions::Args),
    Man(man::Args),
}
