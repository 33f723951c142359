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
///
/// A sink of one's own, that keeps the last value of each series:
///
/// ```
/// use std::collections::BTreeMap;
///
/// use chunkeval_core::{ChunkEvaluator, EveryN, Logger, Metric, Result, Sink, TagBatch};
///
/// #[derive(Default)]
/// struct Last(BTreeMap<String, f64>);
///
/// impl Sink for Last {
///     fn scalar(&mut self, tag: &str, _step: u64, value: f64) -> Result<()> {
///         self.0.insert(tag.to_owned(), value);
///         Ok(())
///     }
///
///     fn text(&mut self, _tag: &str, _step: u64, _markdown: &str) -> Result<()> {
///         Ok(())
///     }
///
///     fn flush(&mut self) -> Result<()> {
///         Ok(())
///     }
/// }
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER"])?;
/// metric.update(TagBatch::new(&[1, 0], &[1, 1], &[2])?)?;
/// let mut last = Last::default();
/// Logger::new(&mut last, EveryN::new(1)?).log(1, "dev", &metric.accumulate())?;
/// assert_eq!(last.0["dev/precision"], 1.0 / 2.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
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
