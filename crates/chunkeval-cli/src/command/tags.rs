//! `chunkeval tags`: scores of tagged files.

mod args;
mod html;
mod options;
mod page;

use std::io::Write as _;

use crate::output::{print, print_with, save};
use crate::tags::{Scored, score};
use crate::{Error, Exit, Result, interrupt};

pub(crate) use args::Args;
pub(crate) use page::{Options, intervals, page};

use super::merge::Saved;
use args::Style;

/// Scores what the options name and prints the report.
///
/// # Errors
/// Options that do not go together, input that cannot be used, output that cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let (source, reading, plan) = (args.source()?, args.reading()?, args.plan()?);
    let state = args.save_state.as_deref().map(save).transpose()?;
    interrupt::listen()?;
    let scored = score(&source, &reading, &plan, args.threads())?;
    if let Some(state) = state {
        state.json(&Saved::new(&reading, &scored)?)?;
    }
    match args.report {
        Style::Ours => print(&page(&scored, &args.options())?, &args.output)?,
        Style::Seqeval | Style::Conlleval => {
            let text = page::reference(&scored, args)?;
            print_with(|to| to.write_all(text.as_bytes()))?;
        }
    }
    Ok(tell(&scored))
}

/// Says on standard error what the scores do not cover, and how that ends.
pub(crate) fn tell(scored: &Scored) -> Exit {
    let mut stderr = std::io::stderr().lock();
    let unusable = &scored.unusable;
    if unusable.sentences > 0 {
        let n = unusable.sentences;
        let sentences = if n == 1 { "sentence was" } else { "sentences were" };
        let _ = writeln!(stderr, "warning: {n} {sentences} left out, and the scores lack them:");
        for fault in &unusable.first {
            let _ = writeln!(stderr, "  line {}:{}: {}", fault.line, fault.column, fault.reason);
        }
        if unusable.first.len() < usize::try_from(n).unwrap_or(usize::MAX) {
            let _ = writeln!(stderr, "  …");
        }
    }
    if scored.interrupted {
        let _ = writeln!(stderr, "interrupted: these are the scores of what was read so far");
        return Exit::Interrupted;
    }
    if unusable.sentences > 0 { Exit::BadInput } else { Exit::Ok }
}

/// Options that do not go together.
fn usage(reason: impl Into<String>) -> Error {
    Error::Usage(reason.into())
}
