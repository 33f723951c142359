//! The exit codes.

use std::process::ExitCode;

/// How the program ends. Scripts rely on these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done. A reader that closes our output early is no failure.
    Ok = 0,
    /// A `gate` was not passed.
    GateFailed = 1,
    /// The command line cannot be used.
    Usage = 2,
    /// Input that cannot be used: a line that cannot be read, an empty or damaged file. With
    /// `--keep-going` also when the rest was scored; of a `gate` that such a result would pass, or
    /// one of which a score is undefined.
    BadInput = 3,
    /// A file cannot be opened, read or written.
    Io = 4,
    /// Results that do not belong together: other options, another gold standard.
    Mismatch = 5,
    /// Stopped by Ctrl-C, after printing what was counted so far.
    Interrupted = 130,
}

/// The exit codes, for `--help` of the program and of `gate`.
pub(crate) const HELP: &str = "\
Exit codes:
    0  done
    1  a gate was not passed
    2  the command line cannot be used
    3  input that cannot be used (with --keep-going: some of it; the rest was scored); of a gate:
       the result is of a part only, or a score is undefined
    4  a file cannot be opened, read or written
    5  results that do not belong together
  130  stopped by Ctrl-C; what was counted so far was printed";

/// The same for subcommands without a gate.
pub(crate) const WITHOUT_GATE: &str = "\
Exit codes:
    0  done
    2  the command line cannot be used
    3  input that cannot be used (with --keep-going: some of it; the rest was scored)
    4  a file cannot be opened, read or written
    5  results that do not belong together
  130  stopped by Ctrl-C; what was counted so far was printed";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
