//! What a page is made of.

use std::fmt;

use chunkeval_core::Protocol;

use crate::protocol::Made;
use crate::{Confusion, Differences, Errors, Examples, Groups, Health, Scores, Table};

/// A part of a page: a section with a heading.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Part {
    /// Scores by type and averaged.
    Scores(Box<Scores>),
    /// Scores of groups in order.
    Groups(Groups),
    /// Errors by kind and by type.
    Errors(Box<Errors>),
    /// Types against types.
    Confusion(Confusion),
    /// Sentences with their chunks marked.
    Examples(Examples),
    /// Two systems side by side.
    Differences(Differences),
    /// What became of answers or lines.
    Health(Health),
    /// Any other table.
    Table(Table),
    /// How the numbers were made.
    Protocol(Protocol),
}

impl Part {
    /// The heading.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Scores(part) => part.title(),
            Self::Groups(part) => part.title(),
            Self::Errors(part) => part.title(),
            Self::Confusion(part) => part.title(),
            Self::Examples(part) => part.title(),
            Self::Differences(_) => "Differences",
            Self::Health(part) => part.title(),
            Self::Table(part) => part.title(),
            Self::Protocol(_) => "How these numbers were made",
        }
    }
}

/// What stands below the heading, as HTML.
pub(crate) struct Body<'a>(pub(crate) &'a Part);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Part::Scores(part) => part.html(f),
            Part::Groups(part) => part.html(f),
            Part::Errors(part) => part.html(f),
            Part::Confusion(part) => part.html(f),
            Part::Examples(part) => part.html(f),
            Part::Differences(part) => part.html(f),
            Part::Health(part) => part.html(f),
            Part::Table(part) => part.html(f),
            Part::Protocol(protocol) => Made(protocol).html(f),
        }
    }
}

impl From<Scores> for Part {
    fn from(part: Scores) -> Self {
        Self::Scores(Box::new(part))
    }
}

impl From<Groups> for Part {
    fn from(part: Groups) -> Self {
        Self::Groups(part)
    }
}

impl From<Errors> for Part {
    fn from(part: Errors) -> Self {
        Self::Errors(Box::new(part))
    }
}

impl From<Confusion> for Part {
    fn from(part: Confusion) -> Self {
        Self::Confusion(part)
    }
}

impl From<Examples> for Part {
    fn from(part: Examples) -> Self {
        Self::Examples(part)
    }
}

impl From<Differences> for Part {
    fn from(part: Differences) -> Self {
        Self::Differences(part)
    }
}

impl From<Health> for Part {
    fn from(part: Health) -> Self {
        Self::Health(part)
    }
}

impl From<Table> for Part {
    fn from(part: Table) -> Self {
        Self::Table(part)
    }
}

impl From<Protocol> for Part {
    fn from(protocol: Protocol) -> Self {
        Self::Protocol(protocol)
    }
}
