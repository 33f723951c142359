//! [`Confusion`]: the heat map alone.

use std::fmt;

use askama::Template;
use chunkeval_core::ConfusionMatrix;

use super::heat::Heat;

/// Which types were taken for which: the heat map of [`Errors`](crate::Errors), of pairs that were
/// found in another way.
///
/// ```
/// use chunkeval_core::ConfusionMatrix;
/// use chunkeval_html::{Confusion, Page};
///
/// let matrix = ConfusionMatrix::of_pairs([(Some("LOC"), Some("PER"), 1), (Some("LOC"), None, 1)]);
/// let map = Confusion::of(&matrix, "Equal entities are pairs.");
/// let html = Page::new("A model").with(map).to_string();
/// assert!(html.contains("1 of 2 gold LOC predicted as PER"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Confusion {
    matrix: ConfusionMatrix,
    pairs: String,
}

#[derive(Template)]
#[template(path = "confusion.html")]
struct View {
    heat: Heat,
}

impl Confusion {
    /// The map of a matrix; what is a pair is said in a sentence.
    pub fn of(matrix: &ConfusionMatrix, pairs: impl Into<String>) -> Self {
        Self { matrix: matrix.clone(), pairs: pairs.into() }
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", View { heat: Heat::of(&self.matrix, &self.pairs) })
    }
}
