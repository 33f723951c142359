//! The program, run as a user runs it.

mod common;
mod output;
mod refusals;
mod resume;
