//! `chunkeval llm`: scores of a language model's answers.

mod args;
mod page;

use std::fs::File;
use std::io::{self, BufWriter, Write as _};

use crate::input::Input;
use crate::llm::{Scored, score};
use crate::output::print;
use crate::{Error, Exit, Result, interrupt};

pub(crate) use args::Args;

/// Scores the file and prints the report; converts its lines, if that is asked for.
///
/// # Errors
/// Options that do not go together, input that cannot be used, output that cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    let plan = args.plan()?;
    let input = Input::open(&args.file)?;
    interrupt::listen()?;
    let scored = match &args.write_labels {
        None => score(input, &plan, args.threads(), &mut io::sink())?,
        Some(path) => {
            let failed = |e| Error::write(path.display().to_string(), e);
            // A file that is there already is not lost to a slip of the pen.
            let mut to = BufWriter::new(File::create_new(path).map_err(failed)?);
            let scored = score(input, &plan, args.threads(), &mut to)?;
            to.flush().map_err(failed)?;
            scored
        }
    };
    print(&page::page(&scored, args)?, &args.output)?;
    Ok(tell(&scored))
}

/// Says on standard error what the scores do not cover, and how that ends.
fn tell(scored: &Scored) -> Exit {
    let mut stderr = io::stderr().lock();
    let unusable = &scored.unusable;
    if unusable.sentences > 0 {
        let n = unusable.sentences;
        let lines = if n == 1 { "line was" } else { "lines were" };
        let _ = writeln!(stderr, "warning: {n} {lines} left out, and the scores lack them:");
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
