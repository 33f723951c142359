//! The options of a [`SpanEvaluator`].

use std::collections::BTreeSet;

use chunkeval_core::{Error, Result};

use super::SpanEvaluator;
use crate::Matching;

/// How to build a [`SpanEvaluator`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SpanEvaluatorBuilder {
    pub(super) matching: Matching,
    pub(super) types: Option<BTreeSet<String>>,
}

impl SpanEvaluatorBuilder {
    /// Which predicted span is held against which gold one; [`Matching::MaximumOverlap`] with any
    /// overlap if not said.
    pub fn matching(self, matching: Matching) -> Self {
        Self { matching, ..self }
    }

    /// The entity types that count, nervaluate's `tags`; all if not said. Spans of others are
    /// left out on both sides and reported in the diagnostics.
    pub fn types<S: Into<String>>(self, types: impl IntoIterator<Item = S>) -> Self {
        Self { types: Some(types.into_iter().map(Into::into).collect()), ..self }
    }

    /// The evaluator.
    ///
    /// # Errors
    /// A threshold outside its range, or an empty list of types (which nervaluate's rule takes: all
    /// its scores are 0).
    pub fn build(self) -> Result<SpanEvaluator> {
        self.matching.check()?;
        if let Matching::MaximumOverlap(_) = self.matching
            && self.types.as_ref().is_some_and(BTreeSet::is_empty)
        {
            return Err(Error::config("types", "no entity type counts"));
        }
        Ok(SpanEvaluator::with(self))
    }
}
