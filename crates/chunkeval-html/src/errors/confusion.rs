//! [`Confusion`]: the heat map alone.

use std::fmt;

use askama::Template;
use chunkeval_core::TypePair;

use super::heat::Heat;

/// Which types were taken for which: the heat map of [`Errors`](crate::Errors), of pairs that were
/// found in another way.
///
/// ```
/// use chunkeval_html::{Confusion, Page};
///
/// let pairs = [(Some("LOC"), Some("PER"), 1), (Some("LOC"), None, 1)];
/// let map = Confusion::of(pairs, "Equal entities are pairs.");
/// let html = Page::new("A model").with(map).to_string();
/// assert!(html.contains("1 of 2 gold LOC predicted as PER"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Confusion(Heat);

#[derive(Template)]
#[template(path = "confusion.html")]
struct View<'a> {
    heat: &'a Heat,
}

impl Confusion {
    /// The map of types that met, and how often; what is a pair is said in a sentence.
    pub fn of<'n>(pairs: impl IntoIterator<Item = TypePair<'n>>, said: impl Into<String>) -> Self {
        Self(Heat::of(pairs, said))
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", View { heat: &self.0 })
    }
}
