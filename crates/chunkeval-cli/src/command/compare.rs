//! `chunkeval compare`: whether two systems differ.

mod found;
mod page;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chunkeval_core::Mode;
use chunkeval_stats::Resampling;
use clap::Args as Group;

use crate::command::reading::ReadingArgs;
use crate::input::STDIN;
use crate::output::{OutputArgs, print};
use crate::tags::{Labelling, Layout, Plan, Source, same_gold, score};
use crate::{Error, Exit, Result, threads};
use found::Found;

const EXAMPLES: &str = "\
Examples:
  # each file has a token, its gold tag and the tag of one system on each line
  chunkeval compare new.tsv old.tsv
  # predicted tags in files of their own
  chunkeval compare --gold test.conll new.conll old.conll
  # to look at in a browser
  chunkeval compare new.tsv old.tsv --format html > compared.html

A difference is that of the first file less that of the second. Its interval and the first p come
from a paired bootstrap over sentences, the second p from approximate randomisation; the p of entity
types are corrected after Holm, since many are tested. Files with another gold standard are refused.";

/// Whether two systems differ by more than luck, on the same gold standard
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File of the first system
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// File of the second system
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// File of gold tags; the two others have predicted tags only then
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    gold: Option<PathBuf>,
    /// Layout of the files, as for chunkeval tags [default: auto]
    #[arg(long, value_name = "LAYOUT", help_heading = "Input")]
    layout: Option<Layout>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, help_heading = "Report")]
    level: f64,
    /// Resamples of each test
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Report",
          value_parser = clap::value_parser!(u32).range(1..))]
    resamples: u32,
    /// Seed of the tests; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Report")]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Compares the systems and prints the differences.
///
/// # Errors
/// The files have another gold standard, cannot be read, or have fewer than two sentences.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let [first, second] = [&args.first, &args.second];
    for path in [Some(first), Some(second), args.gold.as_ref()].into_iter().flatten() {
        if path.as_os_str() == STDIN {
            let reason = "files are read twice here, so standard input cannot be compared";
            return Err(Error::Usage(reason.to_owned()));
        }
    }
    let (sources, threads) = ([args.source(first), args.source(second)], args.threads());
    let reading = args.reading.reading(false, (Mode::Lenient, Labelling::Strict))?;
    same_gold(&sources[0], &sources[1])?;
    let plan = Plan { rows: true, ..Plan::default() };
    let scored = score(&sources[0], &reading, &plan, threads)?;
    let other = score(&sources[1], &reading, &plan, threads)?;
    let how = Resampling::new(args.resamples).seed(args.seed).level(args.level);
    let found = Found::of(&reading, [&scored, &other], &how.threads(threads.get()))?;
    let names = [first, second].map(|path| path.display().to_string());
    print(&page::page(&found, &names), &args.output)?;
    Ok(Exit::Ok)
}

impl Args {
    fn source(&self, path: &Path) -> Source {
        let layout = self.layout.clone().unwrap_or_default();
        match &self.gold {
            None => Source::File { path: path.to_owned(), layout },
            Some(gold) => Source::Pair {
                gold: gold.clone(),
                gold_layout: layout.clone(),
                predicted: path.to_owned(),
                predicted_layout: layout,
            },
        }
    }

    fn threads(&self) -> NonZeroUsize {
        threads::number(self.threads)
    }
}
