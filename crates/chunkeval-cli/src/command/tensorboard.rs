//! `chunkeval tensorboard`: the results of a folder of checkpoints as a TensorBoard run.

mod files;
mod run;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use chunkeval_core::{ChunkReport, Mode};
use chunkeval_report::{Cell, Grid};
use clap::Args as Group;
use serde_json::json;

use crate::command::merge::{TagsState, load};
use crate::command::reading::ReadingArgs;
use crate::command::tell;
use crate::output::{OutputArgs, Page, Part, print};
use crate::tags::{self, Labelling, Layout, Plan, Reading, Source, score};
use crate::{Error, Exit, Result};
use files::Checkpoint;

const EXAMPLES: &str = "\
Examples:
  # outputs/dev-100.tsv, outputs/dev-200.tsv, …: token, gold tag and predicted tag on each line
  chunkeval tensorboard outputs --logdir runs/tagger
  # predicted tags only
  chunkeval tensorboard predicted --gold test.conll --split test --logdir runs/tagger
  tensorboard --logdir runs

The step is the last number in a file's name, the split what stands before it. Besides files of tags
there may be states, written by chunkeval tags --save-state. Run it again when there are more
checkpoints: what it wrote for a split before is replaced, and nothing else in the run is touched.";

/// Results of a folder of checkpoints as a TensorBoard run
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder with a file for each checkpoint
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    logdir: PathBuf,
    /// What the points are called: dev/f1, for example [default: what stands before the step in the
    /// file's name]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// File of gold tags; the files of the folder have predicted tags only then
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    gold: Option<PathBuf>,
    /// Layout of the files, as for chunkeval tags [default: auto]
    #[arg(long, value_name = "LAYOUT", help_heading = "Input")]
    layout: Option<Layout>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A checkpoint with its result.
struct Scored<'c> {
    checkpoint: &'c Checkpoint,
    report: ChunkReport,
}

/// Scores the files of the folder and writes an event file for each split.
///
/// # Errors
/// A file cannot be read or scored, or two are of one step: nothing is written then. Or an event
/// file cannot be written: what the run has of that split is then as it was.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let mut readings = args.reading.readings(false, (Mode::Lenient, Labelling::Strict))?;
    let (checkpoints, others) = files::find(&args.folder, args.split.as_deref())?;
    for (names, why) in [
        (others.no_step, "no step in the name"),
        (others.too_large, "the step in the name is too large"),
    ] {
        if !names.is_empty() {
            // If standard error is closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "note: {why}, left out: {}", names.join(", "));
        }
    }
    let mut splits: BTreeMap<&str, Vec<Scored<'_>>> = BTreeMap::new();
    for checkpoint in &checkpoints {
        let scored = args.score(checkpoint, &readings)?;
        if scored.detected.is_some() {
            tell::scheme(scored.detected);
            readings = vec![scored.reading.clone()]; // and so all others
        }
        let report = scored.report()?;
        splits.entry(&checkpoint.split).or_default().push(Scored { checkpoint, report });
    }
    let mut page = Page::default();
    page.push(table(&splits));
    let mut written = Vec::new();
    for (split, scored) in &splits {
        written.push(run::write(&args.logdir, split, scored)?.display().to_string());
    }
    let text = format!("Look at it: tensorboard --logdir {}", args.logdir.display());
    page.push(Part::Fact { name: "written", text: Some(text), value: json!(written) });
    print(&page, &args.output)?;
    Ok(Exit::Ok)
}

impl Args {
    fn score(&self, checkpoint: &Checkpoint, readings: &[Reading]) -> Result<tags::Scored> {
        let path = &checkpoint.path;
        if checkpoint.is_state()? {
            return load::<TagsState>(path)?.scored();
        }
        let layout = self.layout.clone().unwrap_or_default();
        let source = match &self.gold {
            None => Source::File { path: path.clone(), layout },
            Some(gold) => Source::Pair {
                gold: gold.clone(),
                gold_layout: layout.clone(),
                predicted: path.clone(),
                predicted_layout: layout,
            },
        };
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(all);
        score(&source, readings, &Plan::default(), threads)
    }
}

/// What was found, for people and programs.
fn table(splits: &BTreeMap<&str, Vec<Scored<'_>>>) -> Part {
    let mut grid = Grid::new(["split", "step", "precision", "recall", "f1", "support", "file"]);
    for Scored { checkpoint, report } in splits.values().flatten() {
        let counts = report.overall.counts;
        grid.push([
            Cell::text(&checkpoint.split),
            Cell::Count(checkpoint.step),
            Cell::Score(counts.precision()),
            Cell::Score(counts.recall()),
            Cell::Score(counts.f1()),
            Cell::Count(counts.gold),
            Cell::text(checkpoint.path.display().to_string()),
        ]);
    }
    Part::Grid { name: "checkpoints", heading: "Checkpoints".to_owned(), grid, note: None }
}

/// A run that cannot be written.
fn failed(error: chunkeval_core::Error) -> Error {
    Error::Core(error)
}
