//! Sentences with their chunks marked.

use std::fmt;

use askama::Template;

mod example;
mod line;

use crate::text::Text;
use example::Shown;
pub use example::{Example, Joined};

/// Sentences whose gold and predicted chunks are marked, one above the other.
///
/// Chunks that both sides have are marked as right, all others as wrong; colours are not the only
/// sign of it. Nested chunks get a line of their own, up to eight lines; how many are nested deeper
/// is said.
#[derive(Clone, Debug)]
#[must_use]
pub struct Examples {
    title: String,
    examples: Vec<Example>,
    of: Option<(u64, Text)>,
}

#[derive(Template)]
#[template(path = "examples.html")]
struct View<'a> {
    examples: Vec<Shown<'a>>,
    of: &'a Option<(u64, Text)>,
}

impl Examples {
    /// Some sentences.
    pub fn new(examples: impl IntoIterator<Item = Example>) -> Self {
        let title = "Examples of errors".to_owned();
        Self { title, examples: examples.into_iter().collect(), of: None }
    }

    /// Another heading than "Examples of errors": which reading they are of, where a page has
    /// several.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// How many of them there are in all, shown or not, and what they are: sentences with errors,
    /// for example.
    pub fn of(self, all: u64, what: &str) -> Self {
        Self { of: Some((all, Text::new(what))), ..self }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let examples = self.examples.iter().map(Example::shown).collect();
        write!(f, "{}", View { examples, of: &self.of })
    }
}
