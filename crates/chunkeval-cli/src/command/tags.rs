//! `chunkeval tags`: scores of tagged files.

mod args;
mod errors;
mod gap;
mod html;
mod intervals;
mod options;
mod page;
mod reference;
mod splits;

use std::path::Path;

use crate::output::{no_input, print, print_with, save};
use crate::tags::{Source, score};
use crate::{Error, Exit, Result, interrupt};

pub(crate) use args::{Args, resamples, share};
pub(crate) use html::Html;
pub(crate) use intervals::{intervals, intervals_signature};
pub(crate) use page::{Options, page};

use super::kind::Kind;
use super::merge::TagsState;
use super::tell::{self, Interrupted, Unit, tell};
use args::Style;

/// Scores what the options name and prints the report.
///
/// # Errors
/// Options that do not go together, input that cannot be used, output that cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let (source, readings, plan) = (args.source()?, args.readings()?, args.plan()?);
    no_input("--save-state", args.save_state.as_deref(), source.files())?;
    let state = args.save_state.as_deref().map(save).transpose()?;
    interrupt::listen()?;
    let scored = score(&source, &readings, &plan, args.threads());
    let scored = scored.map_err(|error| of_answers(error, &source))?;
    tell::scheme(scored.detected);
    if scored.bare {
        tell::bare(&source);
    }
    if let Some(state) = state {
        state.json(&TagsState::new(&scored, args.file_name())?)?;
    }
    let mut interrupted = Interrupted::reading(scored.interrupted);
    match args.report {
        Style::Ours => {
            let mut options = args.options();
            if let (Some(_), Some(rows)) = (&args.save_state, scored.rows.first()) {
                let words = [scored.unit.name(), scored.unit.plural()];
                options.intervals = tell::of_part(options.intervals, rows.len(), words);
            }
            let page = page(&scored, &options)?;
            print(&page, &args.output)?;
            interrupted = Interrupted::of(scored.interrupted, &page);
        }
        Style::Seqeval | Style::Conlleval => {
            let text = reference::report(&scored, args)?;
            print_with(|to| to.write_all(text.as_bytes()))?;
        }
    }
    Ok(tell(&scored.unusable, Unit::Sentence, interrupted))
}

/// The error of a file of answers, which have a subcommand of their own.
fn of_answers(error: Error, source: &Source) -> Error {
    let is_json = |path: &Path| {
        path.is_file() && Kind::of(path).is_ok_and(|kind| kind == Some(Kind::Answers))
    };
    match source.files().into_iter().find(|path| is_json(path)) {
        Some(path) => {
            let hint = format!(
                "{} is {}: chunkeval llm scores that",
                path.display(),
                Kind::Answers.words()
            );
            error.with_hint(hint)
        }
        None => error,
    }
}

/// Options that do not go together.
fn usage(reason: impl Into<String>) -> Error {
    Error::Usage(reason.into())
}
