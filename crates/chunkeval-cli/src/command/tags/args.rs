//! The command line of `tags`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chunkeval_stats::Resampling;
use clap::builder::RangedI64ValueParser;
use clap::{Args as Group, ValueEnum};

use crate::command::reading::ReadingArgs;
use crate::command::tag_files::TagFileArgs;
use crate::output::OutputArgs;
use crate::tags::{By, Resampled};

const EXAMPLES: &str = "\
Examples:
  # token, gold tag and predicted tag on each line
  chunkeval tags predictions.tsv
  # gold and predicted tags in two files, as a training program writes them
  chunkeval tags --gold test.conll --pred out.conll
  # the same of parallel files, tokens in seq.in and tags in seq.out of each folder
  chunkeval tags --gold test --pred out
  # a tag on each line and nothing else, with the blank lines of gold
  chunkeval tags --gold test.conll --pred tags.txt
  # lenient and strict, and the gap; the scheme is detected, or named with --scheme IOB2
  chunkeval tags predictions.tsv --both
  # how sure the scores are, and what goes wrong
  chunkeval tags predictions.tsv --ci --errors 5
  # the same where sentences of a document belong together
  chunkeval tags documents.tsv --ci --unit document
  # a report to look at in a browser
  chunkeval tags predictions.tsv --ci --by length --format html > report.html
  # for programs
  zcat predictions.gz | chunkeval tags - --format json

Sentences are separated by blank lines. Files may be packed as .gz or .zst; - is standard input.
Tags are like B-PER, I-PER, O; for PER-B say --suffix.";

/// Precision, recall and F1 of tagged text: one file with gold and predicted tags, or two
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with a token, its gold tag and its predicted tag on each line; - for standard input
    #[arg(required_unless_present = "gold", conflicts_with_all = ["gold", "pred"])]
    pub(crate) file: Option<PathBuf>,
    /// File of gold tags, with the predicted ones in --pred; or a folder of parallel files
    #[arg(long, value_name = "FILE", requires = "pred", help_heading = "Input")]
    pub(crate) gold: Option<PathBuf>,
    /// File of predicted tags for the same tokens; or of tags alone, one on each line of a token
    /// and blank lines between sentences
    #[arg(long, value_name = "FILE", requires = "gold", help_heading = "Input")]
    pub(crate) pred: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: TagFileArgs,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Both readings, lenient and strict, and the gap between them
    #[arg(long, conflicts_with = "mode", help_heading = "Reading of tags")]
    pub(crate) both: bool,

    /// Whose report to print
    #[arg(long, value_enum, default_value_t, value_name = "STYLE", help_heading = "Report")]
    pub(crate) report: Style,
    /// Bootstrap intervals for every score, of each reading; keeps the counts of each sentence in
    /// memory
    #[arg(long, help_heading = "Report")]
    pub(crate) ci: bool,
    /// What is resampled
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "UNIT",
        requires = "ci",
        help_heading = "Report"
    )]
    pub(crate) unit: Resampled,
    /// Level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, requires = "ci",
          value_parser = share, help_heading = "Report")]
    pub(crate) level: f64,
    /// Resamples of the intervals, 1000000 at most
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "ci",
          value_parser = resamples(), help_heading = "Report")]
    pub(crate) resamples: u32,
    /// Seed of the intervals; the same seed gives the same ones
    #[arg(long, value_name = "N", default_value_t = 0, requires = "ci", help_heading = "Report")]
    pub(crate) seed: u64,
    /// Errors by kind, and the first N of each kind with their lines; with --both once for each
    /// reading [default: none; 3 in HTML]
    #[arg(long, value_name = "N", help_heading = "Report")]
    pub(crate) errors: Option<usize>,
    /// Split the report, with --both once for each reading; by several with commas between:
    /// length,type
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', help_heading = "Report")]
    pub(crate) by: Vec<By>,
    /// Save what was counted, for chunkeval merge, in place of a file of that name; with --ci the counts of each sentence, too, which
    /// intervals of a sum need
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) save_state: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Whose report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Our own, with counts, averages and a signature
    #[default]
    Ours,
    /// The text of seqeval's classification_report; its dictionary with --format json
    Seqeval,
    /// The text of conlleval.pl, read as it reads, but for -DOCSTART- lines, which are no tokens here;
    /// its table with --format latex
    Conlleval,
}

/// A number of resamples that can be kept.
pub(crate) fn resamples() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(Resampling::MOST))
}

/// A number between 0 and 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        Ok(_) => Err("must be between 0 and 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
