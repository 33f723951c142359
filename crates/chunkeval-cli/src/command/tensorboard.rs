//! `chunkeval tensorboard`: the results of a folder of checkpoints as a TensorBoard run.

mod answers;
mod files;
mod found;
mod run;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use chunkeval_core::Mode;
use chunkeval_llm::Treatment;
use chunkeval_report::{Cell, Grid};
use clap::Args as Group;
use serde_json::json;

use crate::command::answers::AnswerArgs;
use crate::command::llm::Tables;
use crate::command::merge::{AnswersState, TagsState, is, load};
use crate::command::reading::ReadingArgs;
use crate::command::suggested::{LAYOUTS, suggested};
use crate::command::tell;
use crate::output::{OutputArgs, Page, Part, print};
use crate::tags::{self, Labelling, Layout, Plan, Reading, Source, score};
use crate::{Error, Exit, Result, threads};
use answers::Answers;
use files::{Checkpoint, Holds};
use found::{Found, Series};

const EXAMPLES: &str = "\
Examples:
  # outputs/dev-100.tsv, outputs/dev-200.tsv, …: token, gold tag and predicted tag on each line
  chunkeval tensorboard outputs --logdir runs/tagger
  # predicted tags only
  chunkeval tensorboard predicted --gold test.conll --split test --logdir runs/tagger
  tensorboard --logdir runs
  # checkpoint-100/pred.tsv, checkpoint-200/pred.tsv, … among the files of a training program
  chunkeval tensorboard trainer --file pred.tsv --split dev --logdir runs/trainer
  # answers of a language model: answers/dev-100.jsonl, answers/dev-200.jsonl, …
  chunkeval tensorboard answers --logdir runs/extractor
  # the same of states, which are small
  chunkeval llm answers-100.jsonl --save-state states/dev-100.state
  chunkeval llm answers-200.jsonl --save-state states/dev-200.state
  chunkeval tensorboard states --logdir runs/extractor

The step is the last number in a file's name, the split what stands before it, but for step or
checkpoint; if nothing does, it is dev. So it is with folders, if no file has a step. Besides files of
tags there may be states, written by chunkeval tags --save-state; or all are JSON Lines with an answer
on each line, scored as chunkeval llm scores them, and states of chunkeval llm. All files of answers
have the form of the first one. A line that cannot be used ends the run. Of answers, each reading and each treatment of unreadable ones has points of its own,
dev/lenient/count_as_empty/f1 and dev/lenient/skip/f1, and dev/lenient/health/invented is how many
answers are of that kind. States of chunkeval tags --both have dev/f1 and dev/IOB2/f1. Run it again
when there are more checkpoints: what it wrote for a split before is replaced, and nothing else in the
run is touched.";

/// Results of a folder of checkpoints as a TensorBoard run
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder with a file for each checkpoint, dev-100.tsv, or a folder for each with the file in
    /// it, checkpoint-100/pred.tsv
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Name of the file in the folder of each checkpoint, where there are others, too: pred.tsv
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    file: Option<PathBuf>,
    /// Folder of the run
    #[arg(long, value_name = "DIR")]
    logdir: PathBuf,
    /// What the points are called: dev/f1, for example [default: what stands before the step in the
    /// file's name]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// File of gold tags; the files of the folder have predicted tags only then, with the tokens or
    /// alone
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    gold: Option<PathBuf>,
    /// Layout of the files, as for chunkeval tags [default: auto]
    #[arg(long, value_name = "LAYOUT", help_heading = "Input", hide_possible_values = true,
          value_parser = suggested::<Layout>(&LAYOUTS))]
    layout: Option<Layout>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    answers: AnswerArgs,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    output: OutputArgs,
    /// Threads; the result is the same on any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A checkpoint with its result.
struct Scored<'c> {
    checkpoint: &'c Checkpoint,
    found: Found,
}

/// Scores the files of the folder and writes an event file for each split.
///
/// # Errors
/// A file cannot be read or scored, some are of tags and some of answers, or two are of one step or
/// were scored in different ways: nothing is written then. Or an event file cannot be written: what
/// the run has of that split is then as it was.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let mut readings = args.reading.readings(false, (Mode::Lenient, Labelling::Strict))?;
    let (checkpoints, others) =
        files::find(&args.folder, args.split.as_deref(), args.file.as_deref())?;
    for (names, why) in [
        (others.no_step, "no step in the name"),
        (others.too_large, "the step in the name is too large"),
        (others.no_result, "no result in the folder"),
    ] {
        if !names.is_empty() {
            // If standard error is closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "note: {why}, left out: {}", names.join(", "));
        }
    }
    let of_answers = of_answers(&checkpoints)?;
    args.check(&checkpoints, of_answers)?;
    let mut answers = Answers::new(args);
    let mut splits: BTreeMap<&str, Vec<Scored<'_>>> = BTreeMap::new();
    for checkpoint in &checkpoints {
        let found = if of_answers {
            answers.found(checkpoint)?
        } else {
            let scored = args.score(checkpoint, &readings)?;
            if scored.detected.is_some() {
                tell::scheme(scored.detected);
                readings = vec![scored.reading.clone()]; // and so all others
            }
            Found::of_tags(scored.modes()?)
        };
        splits.entry(&checkpoint.split).or_default().push(Scored { checkpoint, found });
    }
    splits.values().try_for_each(|scored| same_way(scored))?;
    let mut page = Page::default();
    page.push(table(&splits, of_answers));
    let mut written = Vec::new();
    for (split, scored) in &splits {
        written.push(run::write(&args.logdir, split, scored)?.display().to_string());
    }
    let text = format!("Look at it: tensorboard --logdir {}", args.logdir.display());
    page.push(Part::Fact { name: "written".into(), text: Some(text), value: json!(written) });
    print(&page, &args.output)?;
    Ok(Exit::Ok)
}

impl Args {
    /// That the options are for what the checkpoints hold.
    ///
    /// # Errors
    /// They are not.
    fn check(&self, checkpoints: &[Checkpoint], of_answers: bool) -> Result<()> {
        let usage = |reason: &str| Err(Error::Usage(reason.to_owned()));
        if of_answers && (self.gold.is_some() || self.layout.is_some() || self.reading.any()) {
            return usage("--gold, --layout and how tags are read: the folder has answers");
        }
        if !self.answers.any() && self.tables == Tables::default() {
            return Ok(());
        }
        if !of_answers {
            return usage("the folder has tags, and options of answers are for JSON Lines");
        }
        for checkpoint in checkpoints {
            if checkpoint.holds()? == Holds::Answers {
                return Ok(());
            }
        }
        usage(
            "the folder has states alone: how their answers are read was said when they were saved",
        )
    }

    fn threads(&self) -> NonZeroUsize {
        threads::number(self.threads)
    }

    fn score(&self, checkpoint: &Checkpoint, readings: &[Reading]) -> Result<tags::Scored> {
        let path = &checkpoint.path;
        if checkpoint.holds()? == Holds::State {
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
        score(&source, readings, &Plan::default(), self.threads())
    }
}

/// Whether the checkpoints are answers, or states of answers.
///
/// # Errors
/// Some are and some are not; or one cannot be read.
fn of_answers(checkpoints: &[Checkpoint]) -> Result<bool> {
    let (mut answers, mut tags) = (None, None);
    for checkpoint in checkpoints {
        let is_answers = match checkpoint.holds()? {
            Holds::Tags => false,
            Holds::Answers => true,
            Holds::State => is::<AnswersState>(&checkpoint.path)?,
        };
        let first = if is_answers { &mut answers } else { &mut tags };
        first.get_or_insert(&checkpoint.path);
    }
    if let (Some(answers), Some(tags)) = (answers, tags) {
        let (answers, tags) = (answers.display(), tags.display());
        let reason = format!("{answers} is of answers, and {tags} is of tags");
        let hint = Some("put them into folders of their own".to_owned());
        return Err(Error::Mismatch { reason, hint });
    }
    Ok(answers.is_some())
}

/// That the points of each curve were scored in the same way.
///
/// # Errors
/// They were not; the first two and the difference are named.
fn same_way(scored: &[Scored<'_>]) -> Result<()> {
    let mut first: BTreeMap<&str, (&Checkpoint, &Series)> = BTreeMap::new();
    for Scored { checkpoint, found } in scored {
        for series in &found.series {
            let before = first.entry(&series.prefix).or_insert((checkpoint, series));
            if let Some(difference) = before.1.difference(series) {
                let paths = [before.0, checkpoint].map(|of| of.path.display());
                let [a, b] = paths;
                let reason = format!("{a} and {b} were scored in different ways: {difference}");
                let hint = Some("score all of a split with the same options".to_owned());
                return Err(Error::Mismatch { reason, hint });
            }
        }
    }
    Ok(())
}

/// What was found, for people and programs.
fn table(splits: &BTreeMap<&str, Vec<Scored<'_>>>, of_answers: bool) -> Part {
    let several = splits.values().flatten().any(|scored| scored.found.series.len() > 1);
    let how: &[&str] = match (of_answers, several) {
        (true, _) => &["reading", "treatment"],
        (false, true) => &["reading"],
        (false, false) => &[],
    };
    let columns = [&["split", "step"], how, &["precision", "recall", "f1", "support", "file"]];
    let mut grid = Grid::new(columns.concat());
    for Scored { checkpoint, found } in splits.values().flatten() {
        for series in &found.series {
            let mut cells = vec![Cell::text(&checkpoint.split), Cell::Count(checkpoint.step)];
            let names = [&*series.reading, series.treatment.map_or("", Treatment::name)];
            cells.extend(names.into_iter().take(how.len()).map(Cell::text));
            let counts = series.report.overall.counts;
            cells.extend([counts.precision(), counts.recall(), counts.f1()].map(Cell::Score));
            cells.extend([Cell::Count(counts.gold)]);
            cells.extend([Cell::text(checkpoint.path.display().to_string())]);
            grid.push(cells);
        }
    }
    Part::Grid { name: "checkpoints".into(), heading: "Checkpoints".to_owned(), grid, note: None }
}
