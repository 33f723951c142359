//! Where scalars and texts go: the [`Sink`] trait.

mod json_lines;
mod memory;
mod tee;

pub use json_lines::JsonLines;
pub use memory::{Memory, Point};
pub use tee::Tee;

use crate::Result;

/// Somewhere to write named series of scalars and texts.
///
/// A sink is the end of the road: it never changes a number, and it never panics. What it could
/// not write is an error, which [`Logger`](crate::Logger) handles by its policy.
pub trait Sink {
    /// Writes one value of the series `tag` at `step`.
    ///
    /// `value` is finite or not; each sink documents what it does with NaN and infinities.
    /// Undefined values never get here: the logger leaves them out.
    ///
    /// # Errors
    /// The tag cannot be written, or the file or connection behind the sink fails.
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()>;

    /// Writes a text in Markdown under `tag` at `step`.
    ///
    /// # Errors
    /// As for [`scalar`](Sink::scalar).
    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()>;

    /// Hands everything written so far to the operating system.
    ///
    /// # Errors
    /// The file or connection behind the sink fails.
    fn flush(&mut self) -> Result<()>;
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        (**self).scalar(tag, step, value)
    }

    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        (**self).text(tag, step, markdown)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        (**self).scalar(tag, step, value)
    }

    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        (**self).text(tag, step, markdown)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}
