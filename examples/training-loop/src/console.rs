//! What the user sees: a progress bar on standard error, results on standard output.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{Error, Result};
use crate::run::Line;

/// For whom standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Lines of text.
    Human,
    /// One JSON object for each evaluation, and nothing else; text goes to standard error.
    Json,
}

/// The terminal.
#[derive(Debug)]
pub struct Console {
    output: Output,
    bar: ProgressBar,
    /// When the steps of this process began, and the step before the first of them.
    began: Cell<(Instant, u64)>,
    dev_f1: Cell<Option<f64>>,
}

/// The bar is not drawn where standard error is no terminal.
const BAR: &str = "{wide_bar} {pos}/{len}  {msg}  {eta} left";

impl Console {
    /// A terminal without a bar so far.
    pub fn new(output: Output) -> Self {
        let began = Cell::new((Instant::now(), 0));
        Self { output, bar: ProgressBar::hidden(), began, dev_f1: Cell::new(None) }
    }

    /// Shows the bar of a run that has made `step` of `total` steps.
    pub fn start(&self, step: u64, total: u64) {
        self.began.set((Instant::now(), step));
        self.bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        // A template of ours that cannot be read would show as indicatif's own bar.
        if let Ok(style) = ProgressStyle::with_template(BAR) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
        self.bar.set_position(step);
        self.bar.reset_eta();
    }

    /// Moves the bar.
    pub fn step(&self, step: u64, loss: f64) {
        let (start, first) = self.began.get();
        let per_second = (step - first) as f64 / start.elapsed().as_secs_f64();
        let dev = self.dev_f1.get().map(|f1| format!("  dev F1 {f1:.4}")).unwrap_or_default();
        self.bar.set_message(format!("loss {loss:.3}  {per_second:.1} steps/s{dev}"));
        self.bar.set_position(step);
    }

    /// Shows an evaluation.
    ///
    /// # Errors
    /// JSON was asked for and standard output cannot take it.
    pub fn evaluation(&self, line: &Line<'_>) -> Result<()> {
        if line.split == "dev" {
            self.dev_f1.set(Some(line.overall.f1));
        }
        if self.output == Output::Json {
            let mut text = serde_json::to_string(line).map_err(|e| stdout(e.into()))?;
            text.push('\n');
            let written = self.bar.suspend(|| {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            });
            written.map_err(stdout)?;
        } else if line.split == "dev" {
            self.say(&sentence(line));
        }
        Ok(())
    }

    /// Shows a text. That nobody reads it is no reason to stop a run.
    pub fn say(&self, text: &str) {
        let _unread = self.write(text);
    }

    /// Shows a text that is the result for who asked for text.
    ///
    /// # Errors
    /// Standard output cannot take it, as on a full disk. That it is closed is no fault.
    pub fn result(&self, text: &str) -> Result<()> {
        match (self.output, self.write(text)) {
            (Output::Human, Err(error)) if error.kind() != ErrorKind::BrokenPipe => {
                Err(stdout(error))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, text: &str) -> io::Result<()> {
        self.bar.suspend(|| match self.output {
            Output::Human => {
                let mut out = io::stdout().lock();
                writeln!(out, "{text}").and_then(|()| out.flush())
            }
            Output::Json => writeln!(io::stderr(), "{text}"),
        })
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// How many there are of something: `1 sentence`, `2 sentences`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn stdout(error: io::Error) -> Error {
    Error::io("standard output", error)
}

fn sentence(line: &Line<'_>) -> String {
    let Line { step, epoch, overall, loss, best, .. } = line;
    let loss = loss.map(|loss| format!("  loss {loss:8.4}")).unwrap_or_default();
    let mark = if *best == Some(true) { "  best" } else { "" };
    format!(
        "step {step:5}  epoch {epoch:5.1}{loss}  dev precision {:.4}  recall {:.4}  F1 {:.4}{mark}",
        overall.precision, overall.recall, overall.f1
    )
}
