//! A sink that keeps everything, for tests and notebooks.

use crate::{Result, Sink};

/// One value of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The series, for example `dev/f1`.
    pub tag: String,
    /// The step.
    pub step: u64,
    /// The value.
    pub value: f64,
}

/// A [`Sink`] that keeps what it is given, in order.
///
/// ```
/// use chunkeval_core::{Memory, Sink};
///
/// let mut sink = Memory::default();
/// sink.scalar("dev/f1", 100, 0.5)?;
/// sink.scalar("dev/f1", 200, 0.75)?;
/// assert_eq!(sink.series("dev/f1"), [(100, 0.5), (200, 0.75)]);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Every scalar, in the order written. NaN and infinities are kept as they are.
    pub scalars: Vec<Point>,
    /// Every text as `(tag, step, markdown)`, in the order written.
    pub texts: Vec<(String, u64, String)>,
    /// How often the sink was flushed.
    pub flushes: u64,
}

impl Memory {
    /// The steps and values of one series, in the order written.
    #[must_use]
    pub fn series(&self, tag: &str) -> Vec<(u64, f64)> {
        self.scalars.iter().filter(|p| p.tag == tag).map(|p| (p.step, p.value)).collect()
    }
}

impl Sink for Memory {
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        self.scalars.push(Point { tag: tag.to_owned(), step, value });
        Ok(())
    }

    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        self.texts.push((tag.to_owned(), step, markdown.to_owned()));
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.flushes += 1;
        Ok(())
    }
}
