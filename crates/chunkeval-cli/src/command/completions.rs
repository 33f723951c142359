//! `chunkeval completions`: completions for shells.

use clap::Args as Group;
use clap_complete::Shell;

use crate::output::print_with;
use crate::{Cli, Exit, Result};

const EXAMPLES: &str = "\
Examples:
  chunkeval completions bash > ~/.local/share/bash-completion/completions/chunkeval
  chunkeval completions zsh > ~/.zfunc/_chunkeval
  chunkeval completions fish > ~/.config/fish/completions/chunkeval.fish";

/// Prints completions for a shell
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints them.
///
/// # Errors
/// They cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let mut text = Vec::new(); // the generator panics where it cannot write
    clap_complete::generate(args.shell, &mut Cli::told(), "chunkeval", &mut text);
    print_with(|to| to.write_all(&text))?;
    Ok(Exit::Ok)
}
