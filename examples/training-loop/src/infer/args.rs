//! What `infer` is told on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::input::InputFormat;
use crate::args::at_least_one;
use crate::run::{Files, Progress};

/// What to predict, and what to write.
#[derive(Clone, Debug, Args)]
pub struct InferArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// File, for parallel and snips a folder; - is standard input
    #[arg(default_value = "-")]
    pub input: PathBuf,
    /// What the input is [default: the format of the run]
    ///
    /// Text without labels, a sentence a line (blank lines are left out and counted):
    ///   words        words with spaces or tabs between
    ///   characters   each character is a token; so is a space if the run was trained on waybills
    ///                or on columns parted by tabs; other spaces and tabs are passed over
    /// Tokens with labels, or with --unlabelled without:
    ///   conll        columns, the token first, the label last, spaces or tabs between
    ///   wnut17, ncbi token TAB label
    ///   iob2, uner   number TAB token TAB label, more columns, lines of comments
    ///   conlleval    columns, one space between, gold last but one, predicted last
    ///   predictions  token TAB gold TAB predicted, as --columns writes it
    ///   waybill      a header, then records of tokens and labels joined by byte 0x02
    ///   parallel     a folder with seq.in and seq.out
    ///   snips        a folder with seq.in, seq.out and label
    /// Formats of columns take options, for example conll:token=2,gold=-1,delimiter=tab:
    ///   token, gold, predicted   a column, from 1, or from -1 for the last; predicted=none
    ///   delimiter                whitespace, tab, space
    ///   comments                 none, hash, between
    ///   docstart                 boundary, skip, keep
    /// Those of folders take tokens, tags and labels: names of files, labels=none
    #[arg(long, verbatim_doc_comment)]
    pub format: Option<InputFormat>,
    /// Read tokens alone: there are no labels, or they are not gold; do not score
    #[arg(long)]
    pub unlabelled: bool,
    /// What stands between tokens in the text of the JSON Lines; offsets are in that text
    /// [default: none if the run was trained on characters or the input is waybills, else space]
    #[arg(long, value_enum, verbatim_doc_comment)]
    pub join: Option<Join>,
    /// Write token, gold label and predicted label as columns parted by tabs, without gold where
    /// there is none; - is standard output
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub columns: Option<PathBuf>,
    /// Write entities as JSON Lines; - is standard output
    /// [default: standard output, unless --columns is given]
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub entities: Option<PathBuf>,
    /// Sentences in a batch
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = at_least_one,
          allow_negative_numbers = true)]
    pub batch: usize,
    /// Which weights
    #[arg(long, value_enum, default_value_t = Weights::Best)]
    pub weights: Weights,
}

/// What stands between tokens in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Join {
    /// Nothing, as between characters
    None,
    /// A space, as between words
    Space,
}

impl Join {
    pub(super) fn joint(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Space => " ",
        }
    }
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
