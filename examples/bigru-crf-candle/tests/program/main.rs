//! The program, run as a user runs it.

#![allow(clippy::unwrap_used)] // clippy knows test functions, not their helpers

mod common;
mod output;
mod refusals;
mod resume;
