//! Trains a BiGRU-CRF tagger in candle and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::process::ExitCode;

use bigru_crf_candle::network::CandleNetwork;
use training_loop::args::Program;
use training_loop::program;

fn main() -> ExitCode {
    program::main::<CandleNetwork>(Program {
        name: env!("CARGO_BIN_NAME"),
        threads: "The environment variable RAYON_NUM_THREADS sets the number of threads.",
    })
}
