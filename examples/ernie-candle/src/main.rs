//! Fine-tunes an ERNIE or BERT encoder in candle and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::process::ExitCode;

use ernie_candle::network::Ernie;
use training_loop::args::Program;
use training_loop::program;

fn main() -> ExitCode {
    program::main::<Ernie>(Program {
        name: env!("CARGO_BIN_NAME"),
        about: "Fine-tunes an ERNIE or BERT encoder on the CPU and scores it every N steps",
        more: &[("--data wnut17-en --format wnut17 --encoder DIR --crf", "")],
        threads: "The environment variable RAYON_NUM_THREADS sets the number of threads.",
    })
}
