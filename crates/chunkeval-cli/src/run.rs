//! One way in and one way out.

use std::io::Write as _;

use clap::FromArgMatches as _;

use crate::{Cli, Exit, Result, command};

/// The program: reads the command line, does what it says, tells how it ended.
pub fn main() -> Exit {
    let parsed = Cli::told().try_get_matches();
    let parsed = parsed.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    match parsed.map_err(|error| error.format(&mut Cli::told())) {
        Ok(cli) => exit_of(command::run(cli)),
        Err(error) => {
            // Help goes to standard output, and may be piped into a pager that is closed.
            let printed = error.print();
            match (error.use_stderr(), printed) {
                (false, Ok(())) => Exit::Ok,
                (false, Err(error)) => exit_of(Err(crate::Error::write("the help", error))),
                (true, _) => Exit::Usage,
            }
        }
    }
}

fn exit_of(result: Result<Exit>) -> Exit {
    let error = match result {
        Ok(exit) => return exit,
        Err(error) => error,
    };
    if !matches!(error, crate::Error::ClosedPipe) {
        let mut stderr = std::io::stderr().lock();
        // If standard error is closed there is nobody left to tell.
        let _ = writeln!(stderr, "error: {error}");
        if let Some(hint) = error.hint() {
            let _ = writeln!(stderr, "hint: {hint}");
        }
    }
    error.exit()
}
