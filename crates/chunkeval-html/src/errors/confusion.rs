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
/// let pairs = [(Some("LOC"), Some("LOC"), 3), (Some("LOC"), Some("PER"), 1)];
/// let map = Confusion::of(pairs, [("LOC", 2)], "Equal and near entities are pairs.");
/// let html = Page::new("A model").with(map).to_string();
/// assert!(html.contains("3 of 4 gold LOC predicted as LOC, 2 of them right"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Confusion {
    title: String,
    heat: Heat,
}

#[derive(Template)]
#[template(path = "confusion.html")]
struct View<'a> {
    heat: &'a Heat,
}

impl Confusion {
    /// The map of types that met, and how often; how many pairs of each type are right, not just of
    /// one type; and what is a pair, in a sentence.
    pub fn of<'n>(
        pairs: impl IntoIterator<Item = TypePair<'n>>,
        right: impl IntoIterator<Item = (&'n str, u64)>,
        said: impl Into<String>,
    ) -> Self {
        Self { title: "Types taken for others".to_owned(), heat: Heat::of(pairs, right, said) }
    }

    /// Another heading than "Types taken for others": which reading it is of, where a page has
    /// several.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", View { heat: &self.heat })
    }
}
