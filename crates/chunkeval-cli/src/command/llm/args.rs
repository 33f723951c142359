//! The command line of `llm`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chunkeval_stats::Resampling;
use clap::{Args as Group, ValueEnum};

use super::html::Html;
use super::page::Options;
use super::tables::Tables;
use crate::command::answers::AnswerArgs;
use crate::command::tags::{resamples, share};
use crate::input::STDIN;
use crate::llm::{CheckIds, Guess, Labels, Plan, Rows, Splits};
use crate::output::{Format, OutputArgs};
use crate::{Result, interrupt, threads};

const EXAMPLES: &str = "\
Examples:
  # lines like {\"instruction\": …, \"label\": [{\"entity\": …, \"entity_type\": …}], \"output\": …}
  chunkeval llm answers.jsonl
  # lines like {\"text\": …, \"gold\": {\"PER\": [\"Ada\"]}, \"prediction\": …}
  chunkeval llm plain.jsonl
  # the same, whatever the first line has
  chunkeval llm plain.jsonl --preset plain
  # the answer is elsewhere
  chunkeval llm api.jsonl --answer-field 'choices[0].message.content'
  chunkeval llm chats.jsonl --preset chat --answer-field 'conversations[from=gpt].value'
  # the entities are only a part of the answer: {\"reasoning\": …, \"entities\": […]}
  chunkeval llm plain.jsonl --answer-key entities
  # as published scripts count: eval of the answer, unreadable ones skipped
  chunkeval llm answers.jsonl --strict --on-unreadable skip
  # what goes wrong, and how sure the scores are
  chunkeval llm answers.jsonl --errors 5 --ci
  # how well short and long texts go
  chunkeval llm answers.jsonl --by length
  # a report to look at in a browser, with errors marked in the texts
  chunkeval llm answers.jsonl --ci --format html > report.html
  # a part of many, to be added up with chunkeval merge
  chunkeval llm part1.jsonl --save-state part1.state

Answers are read leniently unless --strict is given: code fences, prose, stray commas, quotes of any
kind and cut ends are mended, and all mending is counted, by kind. Answers that cannot be read are counted and
listed. They are left out by published scripts, together with their gold entities, which flatters
recall; so the score with them as empty answers stands beside. Nothing in an answer is ever executed.

Gold entities (label, or --gold-field) are, as JSON or as a string with it:
  [{\"entity\": \"Ada\", \"entity_type\": \"PER\"}]    a list of objects
  {\"PER\": [\"Ada\"], \"LOC\": []}                  type to list
  [[\"Ada\", \"PER\"]]                             a list of pairs, in either order
Objects may have the names that answers use (text, name, …; type, label, …), or start and end in
characters of the text instead of the entity; of pairs, the types asked for or else the text tell
which side is the type, and a line that does not tell is refused. A string may be written as Python
prints it. A line in which a field that is read stands twice, or a type in type to list, or a field
of an item, is refused; of equal keys of a Python dict the last one counts, as in Python. NaN and
Infinity, which Python writes, are passed over in fields that are not read. Read leniently, outer
space and blank texts go on both sides; blank gold entities are counted, and reported.";

/// Precision, recall and F1 of entities that a language model extracted: a JSON Lines file of answers
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// JSON Lines file with an answer on each line, plain or packed as .gz or .zst; - for standard
    /// input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    /// Leave lines out that cannot be used (no JSON, no gold entities), rather than stop at the
    /// first one; they are counted and listed, and the exit code is 3. Answers need no such option:
    /// any text is an answer
    #[arg(long, help_heading = "Input")]
    pub(crate) keep_going: bool,
    /// Count and list lines that have the id of a line before, as where a file was written twice;
    /// keeps some 30 bytes of each id in memory
    #[arg(long, help_heading = "Input")]
    pub(crate) check_ids: bool,

    #[command(flatten)]
    tables: Tables,

    /// Errors by kind, and the first N of each kind with their lines [default: none; 3 in HTML]; N
    /// answers of each kind of health, too [default: 10], clean ones only in JSON and HTML
    #[arg(long, value_name = "N", help_heading = "Report")]
    pub(crate) errors: Option<usize>,
    /// Split the report; by several with commas between: length,type
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', help_heading = "Report")]
    pub(crate) by: Vec<By>,
    /// Bootstrap intervals for every score of every table; keeps the counts of each line in memory
    #[arg(long, help_heading = "Report")]
    pub(crate) ci: bool,
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
    /// Write the lines with the field extra_label added (type → list of gold entities) to a new file;
    /// chunkeval labels does it without answers
    #[arg(long, value_name = "OUT", help_heading = "Report")]
    pub(crate) write_labels: Option<PathBuf>,
    /// Replace the file of --write-labels, if there is one
    #[arg(long, requires = "write_labels", help_heading = "Report")]
    pub(crate) force: bool,
    /// Save what was counted, for chunkeval merge, in place of a file of that name; with --ci the counts of each answer, too, which
    /// intervals of a sum need
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) save_state: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// What the report is split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Texts by their number of characters
    Length,
    /// Types against types: which were taken for which
    Type,
}

/// How many errors of each kind an HTML report shows, if it is not said.
const IN_HTML: usize = 3;

/// How many unreadable answers are listed if nothing is said.
const LISTED: usize = 10;

impl Args {
    /// How a file of that form is scored.
    ///
    /// # Errors
    /// A path of the guess is none.
    pub(crate) fn plan(&self, found: Guess) -> Result<Plan> {
        let readings = self.answers.readings();
        Ok(Plan {
            format: self.answers.format(found)?,
            metric: self.answers.metric(readings, self.errors.unwrap_or(LISTED))?,
            reading: readings.first().copied().unwrap_or_default(),
            errors: self.errors.unwrap_or(if self.output.format == Format::Html {
                IN_HTML
            } else {
                0
            }),
            rows: if self.ci { Rows::Keep } else { Rows::Forget },
            gold: None,
            labels: if self.write_labels.is_some() { Labels::Write } else { Labels::Leave },
            splits: if self.by.is_empty() { Splits::Leave } else { Splits::Count },
            ids: if self.check_ids { CheckIds::Yes } else { CheckIds::No },
            keep_going: self.keep_going,
        })
    }

    /// The tables that are printed.
    pub(super) fn tables(&self) -> Tables {
        self.tables
    }

    /// What the report says.
    pub(super) fn options(&self) -> Options {
        let how = Resampling::new(self.resamples).seed(self.seed).level(self.level);
        let how = how.stop_if(interrupt::asked);
        Options {
            tables: self.tables(),
            intervals: self.ci.then(|| how.threads(self.threads().get())),
            list_errors: self.errors.is_some(),
            list_clean: self.output.format == Format::Json,
            by: self.by.clone(),
            repeated_in_parts: None,
            digits: self.output.digits,
            html: (self.output.format == Format::Html).then(|| self.html()),
        }
    }

    /// What an HTML report needs to know besides.
    fn html(&self) -> Html {
        let name = self.file_name().unwrap_or_else(|| "standard input".to_owned());
        Html::of_file(&name, self.output.digits)
    }

    /// The name of the file, if it is one.
    pub(super) fn file_name(&self) -> Option<String> {
        (self.file.as_os_str() != STDIN).then(|| self.file.display().to_string())
    }

    /// As many threads as asked for, or as there are processors.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        threads::number(self.threads)
    }
}
