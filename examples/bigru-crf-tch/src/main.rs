//! Trains a BiGRU-CRF tagger in tch and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::process::ExitCode;

use bigru_crf_tch::network::TchNetwork;
use training_loop::bigru::{self, BiGru};
use training_loop::program;

fn main() -> ExitCode {
    if std::env::var_os("OMP_NUM_THREADS").is_none() {
        tch::set_num_threads(THREADS);
    }
    program::main::<BiGru<TchNetwork>>(bigru::program(
        env!("CARGO_BIN_NAME"),
        "The environment variable OMP_NUM_THREADS sets the number of threads (1 if not set).",
    ))
}

/// The matrices of a time step are so small that more threads wait for each other longer than they
/// compute; the README has the measurement.
const THREADS: i32 = 1;
