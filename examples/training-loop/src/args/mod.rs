//! The command line.
//!
//! | file | what it holds |
//! |---|---|
//! | `data` | which sentences |
//! | `training` | batch, learning rate, length |
//! | `numbers` | numbers that can work |

mod data;
mod numbers;
mod training;

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args as Group, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::Result;
use crate::infer::InferArgs;
use crate::network::Options;
use crate::settings::{Length, Settings};
use data::Data;
pub(crate) use numbers::number;
pub use numbers::{at_least_one, at_least_zero, positive, rate};
use training::{Extent, Training};

/// Trains a network, or predicts with one.
#[derive(Clone, Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, verbatim_doc_comment)]
pub struct Args<O: Options> {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    training: Training,
    #[command(flatten)]
    length: Extent,
    /// What the network adds.
    #[command(flatten)]
    pub network: O,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Predict a file or standard input with the network of a run
    ///
    /// Entities are printed as JSON Lines, an object a sentence:
    ///   {"line":3,"text":"Ada ran","entities":[{"type":"PER","start":0,"end":3,"text":"Ada"}]}
    /// line is that of the input in which the sentence begins, from 1; start and end count the
    /// characters (Unicode code points) of the text beside them, from 0, and end is the first one
    /// behind. Where there are gold labels, scores go to standard error.
    #[command(verbatim_doc_comment)]
    Infer(InferArgs),
}

/// What the programs' command lines differ in, besides the options of their networks.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of the program.
    pub name: &'static str,
    /// What it does, in a line without a full stop.
    pub about: &'static str,
    /// Further examples: arguments and what they do.
    pub more: &'static [(&'static str, &'static str)],
    /// How to set the number of threads.
    pub threads: &'static str,
}

/// What every program does without options.
const DEFAULT: &str = "
Without options it trains on Chinese express waybills that it makes itself: who, phone number,
province, city, county, street. It prints entity-level precision, recall and F1 of the dev set
while it trains, those of the test set at the end, and writes a TensorBoard log, checkpoints
and predictions into a folder of the run.";

const EXAMPLES: [(&str, &str); 7] = [
    ("", "made-up waybills"),
    ("--data waybill-zh", "the files train, dev and test of a folder"),
    ("--data wnut17-en --format wnut17", ""),
    ("--train a.tsv --dev b.tsv --test c.tsv --format conll:delimiter=tab", ""),
    ("--json --steps 200 > scores.jsonl", ""),
    ("--resume runs/synthetic-1", ""),
    ("infer runs/synthetic-1 test.txt", "predict, and score where there are labels"),
];

impl Program {
    fn examples(self) -> String {
        let line = |(arguments, what): &(&str, &str)| {
            let command = format!("{} {arguments}", self.name);
            format!("  {command:50}  {what}").trim_end().to_owned()
        };
        let lines: Vec<String> = EXAMPLES.iter().chain(self.more).map(line).collect();
        format!(
            "Examples:\n{}\n\n\
             Ctrl-C finishes the step, saves and says how to go on; a second one ends at once.\n{}",
            lines.join("\n"),
            self.threads
        )
    }
}

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Output")]
struct Output {
    /// Folder of the run, new or empty [default: runs/NAME-NUMBER]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder, with its own settings; only --epochs, --steps and
    /// --patience may change (another length is another course of the learning rate)
    #[arg(long, value_name = "DIR", verbatim_doc_comment,
          conflicts_with_all = ["out", "Data", "Training", "Network"])]
    resume: Option<PathBuf>,
    /// Print one JSON object for each evaluation on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// What to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// A new run.
    Start {
        /// What to make it with.
        settings: Settings,
        /// Its folder, if the user named one.
        out: Option<PathBuf>,
    },
    /// A run that goes on.
    Resume {
        /// Its folder.
        folder: PathBuf,
        /// Another length than before.
        length: Option<Length>,
        /// Another patience than before.
        patience: Option<u64>,
    },
    /// Predictions of a network that is trained.
    Infer(InferArgs),
}

impl<O: Options> Args<O> {
    /// The command line of this process. One that cannot be read ends it, and so does `--help`.
    pub fn of(program: Program) -> Self {
        let about = format!("{}.\n{DEFAULT}", program.about);
        let default = |value: &'static str| {
            move |arg: clap::Arg| {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{help}\n[default: {value}]"))
            }
        };
        let command = Self::command()
            .name(program.name)
            .about(program.about)
            .long_about(about)
            .mut_arg("lr", default(O::LEARNING_RATE))
            .mut_arg("epochs", default(O::EPOCHS))
            .after_help(program.examples());
        let matches = command.try_get_matches().unwrap_or_else(|error| explained(error).exit());
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// What to do.
    ///
    /// # Errors
    /// Options that do not go together, or a folder without the three splits.
    pub fn task(&self) -> Result<Task> {
        if let Some(Command::Infer(args)) = &self.command {
            return Ok(Task::Infer(args.clone()));
        }
        let Extent { patience, .. } = self.length;
        let length = self.length.length();
        if let Some(folder) = &self.output.resume {
            return Ok(Task::Resume { folder: folder.clone(), length, patience });
        }
        let settings = Settings {
            source: self.data.source()?,
            style: self.data.style(),
            labels: self.data.labels(),
            more_labels: self.network.labels().iter().map(|&label| label.to_owned()).collect(),
            batch: self.training.batch,
            length: length.unwrap_or(Length::Epochs(self.network.epochs())),
            patience,
            every: self.training.every,
            learning_rate: self.training.lr.unwrap_or(self.network.learning_rate()),
            seed: self.training.seed,
        };
        Ok(Task::Start { settings, out: self.output.out.clone() })
    }

    /// For whom standard output is.
    pub fn output(&self) -> crate::console::Output {
        use crate::console::Output;
        if self.output.json { Output::Json } else { Output::Human }
    }
}

/// An error of the command line; with what `--resume` can do, where it was asked for more.
fn explained(mut error: clap::Error) -> clap::Error {
    let names = |kind| error.get(kind).is_some_and(|said| said.to_string().contains("--resume"));
    let of_resume = names(ContextKind::InvalidArg) || names(ContextKind::PriorArg);
    if error.kind() == ErrorKind::ArgumentConflict && of_resume {
        let tip = "a run goes on with its own settings; only --epochs, --steps and --patience may \
                   change, and --json may be given";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bigru;

    type Args = super::Args<bigru::Options>;

    fn parse(args: &[&str]) -> std::result::Result<Args, clap::Error> {
        Args::try_parse_from([&["program"], args].concat())
    }

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_resumed_run_takes_its_settings_from_its_folder() {
        assert!(parse(&["--resume", "x", "--json", "--steps", "5", "--patience", "2"]).is_ok());
        for other in [["--lr", "0.1"], ["--hidden", "8"], ["--data", "y"], ["--out", "z"]] {
            assert!(parse(&[&["--resume", "x"], &other[..]].concat()).is_err(), "{other:?}");
        }
    }

    #[test]
    fn a_split_alone_is_not_enough() {
        let error = parse(&["--train", "a", "--test", "b"]).unwrap().task().unwrap_err();
        assert_eq!(error.exit_code(), 2);
        let task = parse(&["--train", "x/a", "--dev", "b", "--test", "c"]).unwrap().task();
        let Ok(Task::Start { settings, .. }) = task else { panic!() };
        assert_eq!(settings.source.name(), "x");
        assert_eq!((settings.learning_rate, settings.length), (0.002, Length::Epochs(20)));
    }

    #[test]
    fn options_for_files_want_files() {
        for args in [&["--format", "wnut17"][..], &["--suffix"]] {
            assert_eq!(parse(args).unwrap().task().unwrap_err().exit_code(), 2, "{args:?}");
        }
    }

    #[test]
    fn numbers_that_cannot_work_are_refused() {
        for bad in [
            ["--batch", "0"],
            ["--lr", "-1"],
            ["--lr", "inf"],
            ["--every", "0"],
            ["--format", "xml"],
            ["--hidden", "0"],
            ["--dropout", "1"],
            ["--token-dropout", "-0.5"],
            ["--sentences", "18446744073709551615"],
        ] {
            assert!(parse(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_number_below_0_is_refused_by_the_name_of_its_option() {
        let command = Args::command();
        let infer = command.find_subcommand("infer").unwrap();
        let takes_number = |arg: &&clap::Arg| {
            let names = arg.get_value_names().unwrap_or_default();
            names.iter().any(|name| ["N", "RATE"].contains(&name.as_str()))
        };
        let mut checked = 0;
        for (start, of) in [(&[][..], &command), (&["infer", "run"], infer)] {
            for arg in of.get_arguments().filter(takes_number) {
                let option = format!("--{}", arg.get_long().unwrap());
                let error = parse(&[start, &[&option, "-1"]].concat()).unwrap_err().to_string();
                let named = format!("invalid value '-1' for '{option} <");
                assert!(error.contains(&named) && error.contains(": must be "), "{error}");
                checked += 1;
            }
        }
        assert_eq!(checked, 16);
    }

    #[test]
    fn predicting_is_a_command_of_its_own() {
        let task = parse(&["infer", "run", "file"]).unwrap().task();
        assert!(matches!(task, Ok(Task::Infer(_))));
        assert!(parse(&["--lr", "0.1", "infer", "run", "file"]).is_err());
    }
}
