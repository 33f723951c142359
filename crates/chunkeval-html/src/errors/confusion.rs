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
    /// The map of types that met, and how often; what is a pair is said in a sentence.
    pub fn of<'n>(pairs: impl IntoIterator<Item = TypePair<'n>>, said: impl Into<String>) -> Self {
        Self { title: "Types taken for others".to_owned(), heat: Heat::of(pairs, said) }
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
