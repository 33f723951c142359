//! The options of a [`ChunkEvaluator`].

use super::ChunkEvaluator;
use crate::{LabelReading, Mode, Notation, Result, TagSetBuilder, TagStyle, ZeroDivision};

/// How to build a [`ChunkEvaluator`].
#[derive(Clone, Debug)]
#[must_use]
pub struct ChunkEvaluatorBuilder {
    pub(super) tags: TagSetBuilder,
    pub(super) zero_division: ZeroDivision,
}

impl ChunkEvaluatorBuilder {
    /// Where the position stands in a label; [`TagStyle::Prefix`] if not said.
    pub fn style(self, style: TagStyle) -> Self {
        self.tags(|tags| tags.style(style))
    }

    /// How labels are read; [`LabelReading::Strict`] if not said.
    pub fn reading(self, reading: LabelReading) -> Self {
        self.tags(|tags| tags.reading(reading))
    }

    /// How chunks are found; [`Mode::Lenient`] if not said.
    pub fn mode(self, mode: Mode) -> Self {
        self.tags(|tags| tags.mode(mode))
    }

    /// Which letters the labels use; [`Notation::Usual`] if not said.
    pub fn notation(self, notation: Notation) -> Self {
        self.tags(|tags| tags.notation(notation))
    }

    /// What stands between position and type, `-` if not said; see [`TagSetBuilder::delimiter`].
    pub fn delimiter(self, delimiter: impl Into<String>) -> Self {
        self.tags(|tags| tags.delimiter(delimiter))
    }

    /// Scores entity types as others; see [`TagSetBuilder::merge_types`].
    ///
    /// ```
    /// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
    ///
    /// let labels = ["O", "B-actor", "B-director", "B-MISC"];
    /// let mut metric = ChunkEvaluator::builder(labels)
    ///     .merge_types([("actor", "PER"), ("director", "PER")])
    ///     .ignore_types(["MISC"])
    ///     .build()?;
    /// metric.update(TagBatch::new(&[1, 0, 3, 2], &[2, 3, 0, 2], &[4])?)?;
    /// assert_eq!(metric.accumulate().overall.f1, 1.0);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn merge_types<A: Into<String>, B: Into<String>>(
        self,
        types: impl IntoIterator<Item = (A, B)>,
    ) -> Self {
        self.tags(|tags| tags.merge_types(types))
    }

    /// Leaves entity types out; see [`TagSetBuilder::ignore_types`].
    pub fn ignore_types<S: Into<String>>(self, types: impl IntoIterator<Item = S>) -> Self {
        self.tags(|tags| tags.ignore_types(types))
    }

    fn tags(self, change: impl FnOnce(TagSetBuilder) -> TagSetBuilder) -> Self {
        Self { tags: change(self.tags), ..self }
    }

    /// What a score is when there is nothing to divide by; [`ZeroDivision::Zero`] if not said.
    pub fn zero_division(self, zero_division: ZeroDivision) -> Self {
        Self { zero_division, ..self }
    }

    /// The evaluator.
    ///
    /// # Errors
    /// A label cannot be read, or options contradict each other; see [`TagSetBuilder::build`].
    pub fn build(self) -> Result<ChunkEvaluator> {
        let tags = self.tags.build()?;
        Ok(ChunkEvaluator { zero_division: self.zero_division, ..ChunkEvaluator::with_tags(tags) })
    }
}
