//! A progress bar with rate and remaining time, only where standard error is a terminal.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const SIZED: &str = "{wide_bar} {bytes:>10}/{total_bytes}  {bytes_per_sec:>12}  {eta:>3} left";
const ENDLESS: &str = "{spinner} {bytes:>10}  {bytes_per_sec:>12}";
/// What is done sooner shows no bar, which would only flash.
const PATIENCE: Duration = Duration::from_millis(400);

/// How much of the input was read. Clones show the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read(Arc<AtomicU64>);

impl Read {
    /// So many bytes more, as they lie in the file.
    pub(crate) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// The bar; it goes away when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    read: Read,
    /// When the bar is to appear; `None` if it has.
    due: Cell<Option<Instant>>,
}

impl Progress {
    /// A bar for input of that size, if that is known. It is hidden where standard error is no
    /// terminal.
    pub(crate) fn new(size: Option<u64>, read: Read) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let template = if size.is_some() { SIZED } else { ENDLESS };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if let Some(size) = size {
            bar.set_length(size);
        }
        Self { bar, read, due: Cell::new(Some(Instant::now() + PATIENCE)) }
    }

    /// Shows how far we are.
    pub(crate) fn show(&self) {
        if self.due.get().is_some_and(|due| Instant::now() >= due) {
            self.due.set(None);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(self.read.0.load(Ordering::Relaxed));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
