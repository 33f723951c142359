//! `chunkeval compare`: whether two systems differ.

mod answers;
mod documents;
mod found;
mod page;
mod tags;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chunkeval_llm::AnswerReading;
use chunkeval_stats::Resampling;
use clap::Args as Group;

use crate::command::answers::AnswerArgs;
use crate::command::kind::Kind;
use crate::command::reading::ReadingArgs;
use crate::command::tag_files::TagFileArgs;
use crate::command::tags::{resamples, share};
use crate::command::tell::{Interrupted, Unit, tell};
use crate::input::STDIN;
use crate::output::{OutputArgs, print};
use crate::tags::Resampled;
use crate::{Error, Exit, Result, interrupt, threads};
use found::Found;

const EXAMPLES: &str = "\
Examples:
  # each file has a token, its gold tag and the tag of one system on each line
  chunkeval compare new.tsv old.tsv
  # predicted tags in files of their own
  chunkeval compare --gold test.conll new.conll old.conll
  # answers of two language models on the same lines
  chunkeval compare new.jsonl old.jsonl
  # to look at in a browser
  chunkeval compare new.tsv old.tsv --format html > compared.html

A difference is that of the first file less that of the second. Its interval and the first p come
from a paired bootstrap over sentences or answers, the second p from approximate randomisation; the p
of entity types are corrected after Holm, since many are tested. Files with another gold standard are
refused. Answers that cannot be read count as empty: skipped, they would leave the systems with
different gold entities, on which they do not compare. A line of answers without gold entities that
can be read ends the run; with --keep-going it is left out of both.

The counts of each sentence or answer are kept in memory, about 120 bytes of each system for a
sentence with one or two types: a million sentences take some 240 MB.";

/// Whether two systems differ by more than luck, on the same gold standard: two files of tags, or two
/// of answers
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File of the first system
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// File of the second system
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// File of gold tags; the two others have predicted tags only then, with the tokens or alone
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    gold: Option<PathBuf>,
    #[command(flatten)]
    files: TagFileArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    answers: AnswerArgs,
    /// Level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = share,
          help_heading = "Report")]
    level: f64,
    /// Resamples of each test, 1000000 at most
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Report",
          value_parser = resamples())]
    resamples: u32,
    /// What is resampled in files of tags [default: sentence]
    #[arg(long, value_enum, value_name = "UNIT", help_heading = "Report")]
    unit: Option<Resampled>,
    /// Seed of the tests; the same seed gives the same results
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Report")]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A comparison, and what it is of.
#[derive(Debug)]
struct Compared {
    found: Found,
    /// The name of what was resampled.
    of: &'static str,
    /// How answers were read, if they are compared.
    reading: Option<AnswerReading>,
    /// How many answers of each system could not be read.
    unreadable: Option<[u64; 2]>,
}

/// Compares the systems and prints the differences.
///
/// # Errors
/// The files have another gold standard, cannot be read, or have fewer than two sentences or
/// answers.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let how = Resampling::new(args.resamples).seed(args.seed).level(args.level);
    let how = how.threads(args.threads().get()).stop_if(interrupt::asked);
    interrupt::listen()?;
    let kind = args.kind()?;
    let (compared, unusable) = match kind {
        Kind::Tags => {
            let (compared, unusable) = tags::compare(args, &how)?;
            (vec![compared], unusable)
        }
        Kind::Answers => answers::compare(args, &how)?,
    };
    let unit = match kind {
        Kind::Tags => Unit::Sentence,
        Kind::Answers => Unit::Line,
    };
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let page = page::page(&compared, &names, (&unusable, unit));
    print(&page, &args.output)?;
    Ok(tell(&unusable, unit, Interrupted::of(false, &page)))
}

/// What was read, unless Ctrl-C ended reading: parts of two files cannot be compared.
fn if_whole<T>(read: Result<T>) -> Result<T> {
    if interrupt::asked() { Err(Error::Interrupted) } else { read }
}

impl Args {
    /// What the files hold.
    fn kind(&self) -> Result<Kind> {
        let usage = |reason: &str| Error::Usage(reason.to_owned());
        for path in [Some(&self.first), Some(&self.second), self.gold.as_ref()] {
            if path.is_some_and(|path| path.as_os_str() == STDIN) {
                let reason = "each file is opened again to look at its kind, so standard input cannot be compared";
                return Err(usage(reason));
            }
        }
        let [first, second] = [&self.first, &self.second];
        let kinds = match self.gold {
            Some(_) => {
                self.no_answers()?;
                [Kind::Tags; 2]
            }
            None => {
                let kinds = [Kind::of(first)?, Kind::of(second)?];
                let any = kinds[0].or(kinds[1]).unwrap_or(Kind::Tags);
                kinds.map(|kind| kind.unwrap_or(any)) // an empty file is of either kind
            }
        };
        if kinds[0] != kinds[1] {
            let [one, other] = kinds.map(Kind::words);
            let (first, second) = (first.display(), second.display());
            let reason = format!("{first} is {one}, but {second} is {other}");
            let hint = Some("two files of the same kind can be compared".to_owned());
            return Err(Error::Mismatch { reason, hint });
        }
        match kinds[0] {
            Kind::Tags if self.answers.any() && self.gold.is_some() => {
                Err(usage("--gold names a file of gold tags; options of answers do not go with it"))
            }
            Kind::Tags if self.answers.any() => {
                Err(usage("these files are tagged text; options of answers are for JSON Lines"))
            }
            Kind::Answers if self.files.any_of_tags() || self.reading.any() => {
                Err(usage("these files are JSON Lines; options of tags are for tagged text"))
            }
            Kind::Answers if self.unit.is_some() => Err(usage(
                "these files are JSON Lines, of which answers are resampled: --unit is for tagged text",
            )),
            kind => Ok(kind),
        }
    }

    /// That the files beside one of gold tags are no answers.
    fn no_answers(&self) -> Result<()> {
        for path in [&self.first, &self.second].into_iter().chain(&self.gold) {
            // Parallel files stand in folders.
            if self.answers.any() || path.is_dir() || Kind::of(path)? != Some(Kind::Answers) {
                continue;
            }
            let what = Kind::Answers.words();
            let reason =
                format!("{} is {what}, but --gold names a file of gold tags", path.display());
            let hint =
                "answers have their gold entities on their lines: chunkeval compare FIRST SECOND";
            return Err(Error::Mismatch { reason, hint: Some(hint.to_owned()) });
        }
        Ok(())
    }

    fn threads(&self) -> NonZeroUsize {
        threads::number(self.threads)
    }
}
