//! `chunkeval labels`: gold entities as type → list, beside what was there.

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use chunkeval_llm::{AnswerReading, ExtractionEvaluator};
use clap::Args as Group;

use super::form::{Answer, FormArgs};
use super::tell::{Interrupted, Unit, replaced, tell};
use crate::input::Input;
use crate::llm::{CheckIds, Labels, Plan, Rows, Splits, convert};
use crate::output::{Created, There, no_input};
use crate::words::counted;
use crate::{Error, Exit, Result, interrupt, threads};

const EXAMPLES: &str = "\
Examples:
  # lines like {\"instruction\": …, \"label\": [{\"entity\": …, \"entity_type\": …}]}
  chunkeval labels answers.jsonl --out converted.jsonl
  chunkeval labels answers.jsonl | head -1
  # the gold entities are elsewhere
  chunkeval labels plain.jsonl --gold-field gold --out plain-converted.jsonl

Each line gets the field extra_label, {\"PER\": [\"Ada\"], \"LOC\": []}, at its end; all else stays as it
was, to the byte; bytes of an answer that are no UTF-8 become U+FFFD, and it is said how many. Answers
are not looked at, and may be missing. At a line that cannot be used no file is left behind.
The same beside scores is chunkeval llm --write-labels; its help says how gold entities may look.";

/// The field extra_label (type → list of gold entities) added to the lines of a file; nothing is scored
#[derive(Clone, Debug, Group)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// JSON Lines file with gold entities on each line, plain or packed as .gz or .zst; - for
    /// standard input
    file: PathBuf,
    /// The file to write, which must be a new one unless --force is given [default: standard output]
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Replace the file of --out, if there is one
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    form: FormArgs,
    /// Leave lines out that cannot be used (no JSON, no gold entities), rather than stop at the
    /// first one; they are counted and listed, and the exit code is 3
    #[arg(long, help_heading = "Input")]
    keep_going: bool,
}

/// Converts the file.
///
/// # Errors
/// A line cannot be used, or the lines not be written.
pub(crate) fn run(args: &Args) -> Result<Exit> {
    no_input("--out", args.out.as_deref(), [&*args.file])?;
    let mut input = Input::open(&args.file)?;
    interrupt::listen()?;
    let found = args.form.found(&mut input, Answer::Unread, args.keep_going)?;
    let plan = Plan {
        format: args.form.format(found)?,
        metric: ExtractionEvaluator::builder().list_first(0).build()?,
        reading: AnswerReading::Lenient,
        errors: 0,
        rows: Rows::Forget,
        gold: None,
        labels: Labels::Write,
        splits: Splits::Leave,
        ids: CheckIds::No,
        keep_going: args.keep_going,
    };
    let threads = threads::number(None);
    let converted = match &args.out {
        Some(path) => {
            let failed = |e| Error::write(path.display().to_string(), e);
            let (file, created) = Created::new(path, There::forced(args.force)).map_err(failed)?;
            let mut to = BufWriter::new(file);
            let converted = convert(input, &plan, threads, &mut to)?;
            to.flush().map_err(failed)?;
            created.keep().map_err(failed)?;
            converted
        }
        None => {
            let mut to = Lines { to: io::stdout().lock(), written: 0 };
            let converted = convert(input, &plan, threads, &mut to);
            to.flush().map_err(|e| Error::write("standard output", e))?;
            converted.inspect_err(|error| to.tell(error))?
        }
    };
    // If standard error is closed there is nobody left to tell.
    let lines = counted(converted.lines, "line has", "lines have");
    let _ = writeln!(io::stderr(), "note: {lines} the field extra_label now");
    replaced(&converted.replaced);
    Ok(tell(&converted.unusable, Unit::Converted, Interrupted::reading(converted.interrupted)))
}

/// Standard output, which cannot be taken back where a later line is an error.
struct Lines<W> {
    to: W,
    written: u64,
}

impl<W> Lines<W> {
    /// Says how many lines were written before an error.
    fn tell(&self, error: &Error) {
        // Whoever closed the output knows what came.
        if self.written > 0 && !matches!(error, Error::Write { .. } | Error::ClosedPipe) {
            let lines = counted(self.written, "line was", "lines were");
            let _ = writeln!(io::stderr(), "note: {lines} written before the error");
        }
    }
}

impl<W: io::Write> io::Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        let lines = bytes.iter().take(written).filter(|byte| **byte == b'\n');
        self.written += lines.count() as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
