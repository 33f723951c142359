//! What `infer` is told on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::at_least_one;
use crate::run::{Files, Progress};

/// Predicts a file or standard input with the network of a run.
///
/// Entities are printed as JSON Lines, one object a sentence, with character offsets; where there
/// are gold labels, scores go to standard error.
#[derive(Clone, Debug, Args)]
pub struct InferArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// File, for parallel and snips a folder; - is standard input
    #[arg(default_value = "-")]
    pub input: PathBuf,
    /// A format of training, or, for text without labels, a sentence a line:
    /// words (white space between them) or characters (each is a token)
    /// [default: that of the run]
    #[arg(long, value_parser = super::documents::format, verbatim_doc_comment)]
    pub format: Option<String>,
    /// The labels in the file are not gold: do not score, do not show them
    #[arg(long)]
    pub unlabelled: bool,
    /// Write tokens, gold and predicted labels as columns; - is standard output
    #[arg(long, value_name = "FILE")]
    pub columns: Option<PathBuf>,
    /// Write entities as JSON Lines [default: standard output, unless --columns is given]
    #[arg(long, value_name = "FILE")]
    pub entities: Option<PathBuf>,
    /// Sentences in a batch
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = at_least_one)]
    pub batch: usize,
    /// Which weights
    #[arg(long, value_enum, default_value_t = Weights::Best)]
    pub weights: Weights,
}

/// Which weights of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Weights {
    /// Those that were best on dev; the last ones if dev was never evaluated
    Best,
    /// The last ones
    Last,
}

impl Weights {
    /// Their file.
    pub fn file(self, files: &Files, progress: &Progress) -> PathBuf {
        match (self, progress.best_step()) {
            (Self::Best, Some(step)) => files.best(step),
            _ => files.last(progress.step),
        }
    }
}
