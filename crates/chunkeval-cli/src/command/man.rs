//! `chunkeval man`: manual pages.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args as Group;
use clap_mangen::Man;

use crate::output::print_with;
use crate::{Cli, Error, Exit, Result};

const EXAMPLES: &str = "\
Examples:
  chunkeval man | man -l -
  chunkeval man --dir ~/.local/share/man/man1";

/// Prints the manual page, or writes those of all subcommands
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder for the pages chunkeval.1, chunkeval-tags.1 and so on; it is made if it is missing
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Prints or writes them.
///
/// # Errors
/// They cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    match &args.dir {
        Some(dir) => {
            let failed = |e| Error::write(format!("manual pages to {}", dir.display()), e);
            std::fs::create_dir_all(dir).map_err(|e| match e.kind() {
                // Something else than a folder.
                ErrorKind::AlreadyExists => failed(ErrorKind::NotADirectory.into()),
                _ => failed(e),
            })?;
            clap_mangen::generate_to(Cli::told(), dir).map_err(failed)?;
        }
        None => print_with(|to| Man::new(Cli::told()).render(to))?,
    }
    Ok(Exit::Ok)
}
