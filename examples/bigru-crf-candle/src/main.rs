//! Trains a BiGRU-CRF tagger and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::io::Write;
use std::process::ExitCode;

use bigru_crf_candle::args::Args;
use bigru_crf_candle::program::{self, Outcome};
use clap::Parser;

fn main() -> ExitCode {
    match program::run(&Args::parse()) {
        Ok(Outcome::Complete) => ExitCode::SUCCESS,
        // As a shell says of a program that SIGINT ended.
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            // Nobody may be there to read it; the exit code says it too.
            let _unread = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
