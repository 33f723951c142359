//! Input: files and standard input, plain or compressed.

mod compression;
mod open;

pub(crate) use open::{Input, STDIN};
