//! Two sinks fed as one.

use crate::{Result, Sink};

/// A [`Sink`] that writes to both of two sinks. Nest it for more.
///
/// Both are always tried; if both fail, the first one's error is returned.
///
/// ```
/// use chunkeval_core::{Memory, Sink, Tee};
///
/// let mut both = Tee(Memory::default(), Memory::default());
/// both.scalar("dev/f1", 1, 0.5)?;
/// assert_eq!(both.0.scalars, both.1.scalars);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tee<A, B>(
    /// The first sink.
    pub A,
    /// The second sink.
    pub B,
);

impl<A: Sink, B: Sink> Sink for Tee<A, B> {
    fn scalar(&mut self, tag: &str, step: u64, value: f64) -> Result<()> {
        let first = self.0.scalar(tag, step, value);
        let second = self.1.scalar(tag, step, value);
        first.and(second)
    }

    fn text(&mut self, tag: &str, step: u64, markdown: &str) -> Result<()> {
        let first = self.0.text(tag, step, markdown);
        let second = self.1.text(tag, step, markdown);
        first.and(second)
    }

    fn flush(&mut self) -> Result<()> {
        let first = self.0.flush();
        let second = self.1.flush();
        first.and(second)
    }
}
