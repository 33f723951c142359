//! The command line.

use std::path::PathBuf;

use chunkeval::data::Format;
use clap::{Args as Group, CommandFactory, FromArgMatches, Parser};

use crate::corpus;
use crate::error::{Error, Result};
use crate::model::TaggerConfig;
use crate::settings::{DataSource, Length, Settings, Style};

/// Trains a BiGRU-CRF tagger on the CPU and scores it every N steps.
///
/// Without options it trains on Chinese express waybills that it makes itself: who, phone number,
/// province, city, county, street. It prints entity-level precision, recall and F1 of the dev set
/// while it trains, those of the test set at the end, and writes a TensorBoard log, checkpoints
/// and predictions into a folder of the run.
#[derive(Clone, Debug, Parser)]
#[command(version, verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    training: Training,
    #[command(flatten)]
    length: Extent,
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    output: Output,
}

/// What the programs' command lines differ in.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of the program.
    pub name: &'static str,
    /// How to set the number of threads.
    pub threads: &'static str,
}

impl Program {
    fn examples(self) -> String {
        let Self { name, threads } = self;
        format!(
            "\
Examples:
  {name:41} made-up waybills
  {:41} the files train, dev and test of a folder
  {name} --data wnut17-en --format wnut17
  {name} --train a.tsv --dev b.tsv --test c.tsv --format conll:delimiter=tab
  {name} --json --steps 200 > scores.jsonl
  {name} --resume runs/synthetic-1

Ctrl-C finishes the step, saves and says how to go on; a second one ends at once.
{threads}",
            format!("{name} --data waybill-zh"),
        )
    }
}

/// The format of the default corpus.
const WAYBILL: &str = "waybill";

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Data")]
struct Data {
    /// Folder with the files train.*, dev.* (or devel, valid) and test.*
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Training set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Dev set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
    /// Test set, in place of the folder's
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Format of the files: conll, wnut17, ncbi, iob2, uner, conlleval, waybill, parallel, snips
    ///
    /// Formats of columns take options, for example conll:token=1,gold=-1,delimiter=tab.
    /// For parallel and snips, a FILE is a folder.
    /// [default: waybill]
    #[arg(long, value_parser = format, verbatim_doc_comment)]
    format: Option<String>,
    /// Labels are like PER-B [default: found out from the labels]
    #[arg(long, conflicts_with = "prefix")]
    suffix: bool,
    /// Labels are like B-PER [default: found out from the labels]
    #[arg(long)]
    prefix: bool,
    /// Tokens that occur less often in the training set are known by their shape (Xx, 0) only
    /// [default: 1 for waybills, whose tokens are characters; 2 for words]
    #[arg(long, value_name = "N", verbatim_doc_comment)]
    min_count: Option<u64>,
    /// Made-up waybills of the training set; a fifth of that for dev and for test
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = sentences,
          conflicts_with_all = ["data", "train", "dev", "test"])]
    sentences: usize,
    /// Seed of the made-up waybills
    #[arg(long, value_name = "N", default_value_t = 1,
          conflicts_with_all = ["data", "train", "dev", "test"])]
    data_seed: u64,
}

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Training")]
struct Training {
    /// Sentences in a batch
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one)]
    batch: usize,
    /// Highest learning rate; it rises over the first 5% of the steps and then falls
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = positive,
          allow_negative_numbers = true)]
    lr: f64,
    /// Evaluate the dev set every N steps
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Seed of initial weights, order and dropout
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Length (also with --resume)")]
struct Extent {
    /// Rounds over the training set [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "steps",
          value_parser = clap::value_parser!(u64).range(1..))]
    epochs: Option<u64>,
    /// Steps, in place of epochs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// End early after N evaluations in a row that are not the best [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
}

const EPOCHS: u64 = 20;

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Network")]
struct Model {
    /// Size of a token's embedding
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).embedding,
          value_parser = at_least_one)]
    embedding: usize,
    /// Size of the GRU's state, per direction
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).hidden,
          value_parser = at_least_one)]
    hidden: usize,
    /// Bidirectional layers
    #[arg(long, value_name = "N", default_value_t = TaggerConfig::new(1, 1).layers,
          value_parser = at_least_one)]
    layers: usize,
    /// Rate of dropout
    #[arg(long, value_name = "RATE", default_value_t = TaggerConfig::new(1, 1).dropout,
          value_parser = rate, allow_negative_numbers = true)]
    dropout: f32,
    /// Rate at which tokens become unknown in training
    #[arg(long, value_name = "RATE", default_value_t = TaggerConfig::new(1, 1).id_dropout,
          value_parser = rate, allow_negative_numbers = true)]
    token_dropout: f32,
}

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Output")]
struct Output {
    /// Folder of the run, new or empty [default: runs/NAME-NUMBER]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder, with its own settings
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "Data", "Training", "Model"])]
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
}

impl Args {
    /// The command line of this process. One that cannot be read ends it, and so does `--help`.
    pub fn of(program: Program) -> Self {
        let command = Self::command().name(program.name).after_help(program.examples());
        Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }

    /// What to do.
    ///
    /// # Errors
    /// Options that do not go together, or a folder without the three splits.
    pub fn task(&self) -> Result<Task> {
        let Extent { epochs, steps, patience } = self.length;
        let length = steps.map(Length::Steps).or(epochs.map(Length::Epochs));
        if let Some(folder) = &self.output.resume {
            return Ok(Task::Resume { folder: folder.clone(), length, patience });
        }
        let settings = Settings {
            source: self.data.source()?,
            style: match (self.data.prefix, self.data.suffix) {
                (true, _) => Some(Style::Prefix),
                (_, true) => Some(Style::Suffix),
                _ => None,
            },
            min_count: self.data.min_count.unwrap_or(match self.data.format() {
                WAYBILL => 1,
                _ => 2,
            }),
            batch: self.training.batch,
            length: length.unwrap_or(Length::Epochs(EPOCHS)),
            patience,
            every: self.training.every,
            learning_rate: self.training.lr,
            seed: self.training.seed,
        };
        Ok(Task::Start { settings, out: self.output.out.clone() })
    }

    /// The sizes of a new network.
    pub fn network(&self, vocab: usize, labels: usize) -> TaggerConfig {
        let &Model { embedding, hidden, layers, dropout, token_dropout } = &self.model;
        let config = TaggerConfig::new(vocab, labels);
        TaggerConfig { embedding, hidden, layers, dropout, id_dropout: token_dropout, ..config }
    }

    /// For whom standard output is.
    pub fn output(&self) -> crate::console::Output {
        use crate::console::Output;
        if self.output.json { Output::Json } else { Output::Human }
    }
}

impl Data {
    fn format(&self) -> &str {
        self.format.as_deref().unwrap_or(WAYBILL)
    }

    fn source(&self) -> Result<DataSource> {
        let Self { data, train, dev, test, .. } = self;
        let absolute = |path: &PathBuf| std::path::absolute(path).map_err(|e| Error::io(path, e));
        let named = [train, dev, test];
        let paths = match data {
            None if named.iter().all(|path| path.is_none()) => {
                if self.format.is_some() || self.prefix || self.suffix {
                    let reason = "--format, --prefix and --suffix are for files: name some with \
                                  --data, or --train, --dev and --test";
                    return Err(Error::Usage(reason.to_owned()));
                }
                let (sentences, seed) = (self.sentences, self.data_seed);
                return Ok(DataSource::Generated { sentences, seed });
            }
            // Only what is not named by itself has to be in the folder.
            Some(folder) if named.iter().any(|path| path.is_none()) => {
                corpus::find(folder)?.map(Some)
            }
            _ => [None, None, None],
        };
        let [train, dev, test] = [0, 1, 2].map(|i| named[i].as_ref().or(paths[i].as_ref()));
        let (Some(train), Some(dev), Some(test)) = (train, dev, test) else {
            let reason = "--train, --dev and --test go together, unless --data names a folder";
            return Err(Error::Usage(reason.to_owned()));
        };
        // A run is called after its folder: waybill-zh, or that of the training set.
        let train = absolute(train)?;
        let folder = match data {
            Some(folder) => Some(absolute(folder)?),
            None => train.parent().map(PathBuf::from),
        };
        let name = folder.as_deref().and_then(|f| f.file_name()).and_then(|name| name.to_str());
        Ok(DataSource::Files {
            name: name.unwrap_or("data").to_owned(),
            format: self.format().to_owned(),
            dev: absolute(dev)?,
            test: absolute(test)?,
            train,
        })
    }
}

fn format(text: &str) -> chunkeval::Result<String> {
    text.parse::<Format>().map(|_| text.to_owned())
}

fn at_least_one(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

/// Up to what fits any memory this program is for.
fn sentences(text: &str) -> std::result::Result<usize, String> {
    const MOST: usize = 10_000_000;
    match at_least_one(text)? {
        number if number > MOST => Err(format!("must be at most {MOST}")),
        number => Ok(number),
    }
}

fn rate(text: &str) -> std::result::Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..1.0).contains(&number) => Ok(number),
        Ok(_) => Err("must be at least 0 and below 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) => Err("must be above 0 and finite".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
