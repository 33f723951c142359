//! The program `chunkeval`; what it does is in the library beside it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    chunkeval_cli::main().into()
}
