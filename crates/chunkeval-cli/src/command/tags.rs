//! `chunkeval tags`: scores of tagged files.

mod args;
mod html;
mod options;
mod page;

use crate::output::{no_input, print, print_with, save};
use crate::tags::score;
use crate::{Error, Exit, Result, interrupt};

pub(crate) use args::{Args, share};
pub(crate) use page::{Options, intervals, page};

use super::merge::TagsState;
use super::tell::{self, Unit, tell};
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
    let scored = score(&source, &readings, &plan, args.threads())?;
    tell::scheme(scored.detected);
    if let Some(state) = state {
        state.json(&TagsState::new(&scored)?)?;
    }
    match args.report {
        Style::Ours => print(&page(&scored, &args.options())?, &args.output)?,
        Style::Seqeval | Style::Conlleval => {
            let text = page::reference(&scored, args)?;
            print_with(|to| to.write_all(text.as_bytes()))?;
        }
    }
    Ok(tell(&scored.unusable, Unit::Sentence, scored.interrupted))
}

/// Options that do not go together.
fn usage(reason: impl Into<String>) -> Error {
    Error::Usage(reason.into())
}
