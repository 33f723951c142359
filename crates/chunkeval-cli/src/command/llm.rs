//! `chunkeval llm`: scores of a language model's answers.

mod advice;
mod args;
mod errors;
mod headings;
mod health;
mod html;
mod lacks;
mod mentions;
mod page;
mod repairs;
mod resampled;
mod scores;
mod splits;
mod statements;
mod tables;

use std::io::{self, BufWriter, Write as _};

use super::merge::AnswersState;
use super::tell::{Interrupted, Unit, of_part, replaced, tell};
use crate::input::Input;
use crate::llm::score;
use crate::output::{Created, There, no_input, print, save};
use crate::{Error, Exit, Result, interrupt};

pub(crate) use args::Args;
pub(crate) use html::Html;
pub(crate) use page::{Options, page};
pub(crate) use tables::{Tables, counts_first};

/// Scores the file and prints the report; converts its lines, if that is asked for.
///
/// # Errors
/// Options that do not go together, input that cannot be used, output that cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let outputs = [("--save-state", &args.save_state), ("--write-labels", &args.write_labels)];
    for (option, output) in outputs {
        no_input(option, output.as_deref(), [&*args.file])?;
    }
    let state = args.save_state.as_deref().map(save).transpose()?;
    let mut input = Input::open(&args.file)?;
    interrupt::listen()?;
    let plan = args.plan(args.answers.found(&mut input, args.keep_going)?)?;
    let scored = match &args.write_labels {
        None => score(input, &plan, args.threads(), &mut io::sink())?,
        Some(path) => {
            let failed = |e| Error::write(path.display().to_string(), e);
            let (file, created) = Created::new(path, There::forced(args.force)).map_err(failed)?;
            let mut to = BufWriter::new(file);
            let scored = score(input, &plan, args.threads(), &mut to)?;
            to.flush().map_err(failed)?;
            created.keep().map_err(failed)?;
            scored
        }
    };
    if let Some(state) = state {
        state.json(&AnswersState::new(&scored, args.tables(), args.file_name()))?;
    }
    let mut options = args.options();
    if let (Some(_), Some(rows)) = (&args.save_state, scored.rows.first()) {
        options.intervals = of_part(options.intervals, rows.len(), ["answer", "answers"]);
    }
    let page = page(&scored, &options)?;
    print(&page, &args.output)?;
    replaced(&scored.replaced);
    Ok(tell(&scored.unusable, Unit::Line, Interrupted::of(scored.interrupted, &page)))
}
