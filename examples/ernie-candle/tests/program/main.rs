//! The program, run as a user runs it: the tests that all such programs share, and its own.
#![allow(clippy::unwrap_used, reason = "clippy knows test functions, not their helpers")]

mod encoder;
mod fields;
#[path = "../../../training-loop/shared_tests/program/mod.rs"]
mod program;
mod unknown;
mod windows;

const NAME: &str = "ernie-candle";
const PROGRAM: &str = env!("CARGO_BIN_EXE_ernie-candle");

/// A step takes milliseconds without optimisation.
const SIZES: &[&str] = &["--layers", "1", "--hidden", "16"];
