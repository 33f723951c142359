//! The program, run as a user runs it: the tests that all such programs share.
#![allow(clippy::unwrap_used, reason = "clippy knows test functions, not their helpers")]

#[path = "../../../training-loop/shared_tests/bigru.rs"]
mod bigru;
#[path = "../../../training-loop/shared_tests/program/mod.rs"]
mod program;

use bigru::SIZES;

const NAME: &str = "bigru-crf-tch";
const PROGRAM: &str = env!("CARGO_BIN_EXE_bigru-crf-tch");
