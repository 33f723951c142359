//! Trains a BiGRU-CRF tagger in candle and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::process::ExitCode;

use bigru_crf_candle::network::CandleNetwork;
use training_loop::bigru::{self, BiGru};
use training_loop::program;

fn main() -> ExitCode {
    program::main::<BiGru<CandleNetwork>>(bigru::program(
        env!("CARGO_BIN_NAME"),
        "The environment variable RAYON_NUM_THREADS sets the number of threads.",
    ))
}
