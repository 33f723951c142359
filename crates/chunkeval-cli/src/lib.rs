//! The program `chunkeval`: scores of named-entity recognition and sequence labelling, from files.
//!
//! ```sh
//! cargo install --path crates/chunkeval-cli
//! chunkeval tags predictions.tsv
//! ```
//!
//! People use the program; as a library this crate is for its own tests and benches.
//!
//! # Where things are
//!
//! | to | look at |
//! |---|---|
//! | add a subcommand | `cli` (the list of them), `command` (a file for each) |
//! | read files | `input`: files, standard input, `.gz` and `.zst` |
//! | print a result | `output`: a `Page` of parts in every format; `docs/json.md` has the keys of JSON |
//! | score answers of language models | `llm`: from bytes to counts, on any number of threads |
//! | score tagged rows | [`tags`]: from bytes to counts, on any number of threads |
//! | fail | `error` (messages and hints), `exit` (the exit codes) |
//! | show progress, be interrupted | `progress`, `interrupt` |
//! | go on behind what cannot be used, and say so | `unusable`, `command::tell` |
//! | hold two files against each other | `alignment`, `difference` of [`tags`], `same_gold` of `llm` |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod alignment;
mod cli;
mod command;
mod error;
mod excerpt;
mod exit;
mod input;
mod interrupt;
mod llm;
mod output;
mod progress;
mod run;
pub mod tags;
mod threads;
mod unusable;
mod words;

pub use cli::Cli;
pub use error::{Error, Result};
pub use exit::Exit;
pub use run::main;
