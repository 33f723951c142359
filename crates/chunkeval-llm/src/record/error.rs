//! [`LineError`]: why a line cannot be used.

use std::fmt;
use std::path::{Path, PathBuf};

use chunkeval_core::{Error, ErrorKind};

use crate::LabelError;

/// A line that cannot be used: where, and why. As an [`Error`] of `chunkeval-core` it has the same
/// message.
#[derive(Debug)]
pub struct LineError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    line: u64,
    column: u64,
    field: Option<String>,
    kind: LineErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineErrorKind {
    /// It is no JSON, or no object.
    #[error("no JSON object: {0}")]
    NoObject(String),
    /// It is no UTF-8, other than in an answer.
    #[error("invalid UTF-8")]
    NotUtf8,
    /// A field that is wanted is not there.
    #[error("there is none")]
    Missing,
    /// A field that is read stands there twice: either could be meant.
    #[error("it stands in the line twice, first at column {first}")]
    Twice {
        /// The column of the first one, in characters from 1.
        first: u64,
    },
    /// An escape stands for half of a surrogate pair, which no text can hold.
    #[error("{escape} is half of a surrogate pair, and no character")]
    HalfPair {
        /// The escape, `\ud83d` for example.
        escape: String,
    },
    /// A field that is read has a number that only Python's json has.
    #[error("{word}, which Python writes where a number or a value is missing")]
    NotANumber {
        /// `NaN`, `Infinity` or `-Infinity`.
        word: &'static str,
    },
    /// The gold entities are no label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// The gold entities of a type are something else.
    #[error("the entities of {entity_type:?} are no list of strings")]
    NoList {
        /// The type.
        entity_type: String,
    },
    /// A type stands among the gold entities twice: either list could be meant, or both.
    #[error("the type {entity_type:?} stands there twice")]
    TypeTwice {
        /// The type.
        entity_type: String,
    },
    /// The text is something else.
    #[error("the text is no string")]
    NoText,
    /// The types that were asked for are something else.
    #[error("the types that were asked for are no list of strings")]
    NoTypes,
    /// An instruction has a field twice.
    #[error("schema or input stands there twice")]
    InstructionTwice,
    /// The line has been converted before.
    #[error("there is a field extra_label already")]
    Converted,
    /// It cannot be counted: a sum overflows.
    #[error(transparent)]
    Count(Error),
}

impl LineError {
    /// An error at a column of a line, in a field if it is named.
    pub(super) fn new(
        (path, line, column): (&Path, u64, u64),
        field: Option<String>,
        kind: LineErrorKind,
    ) -> Self {
        Self(Box::new(Inner { path: path.to_owned(), line, column, field, kind }))
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &LineErrorKind {
        &self.0.kind
    }

    /// The number of the line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.0.line
    }

    /// The column in characters, from 1.
    #[must_use]
    pub fn column(&self) -> u64 {
        self.0.column
    }

    /// The message without the place.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.0.field {
            Some(field) => format!("field {field}: {}", self.0.kind),
            None => self.0.kind.to_string(),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, line, column, .. } = &*self.0;
        write!(f, "{}:{line}:{column}: {}", path.display(), self.reason())
    }
}

impl std::error::Error for LineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.kind.source()
    }
}

impl From<LineError> for Error {
    fn from(error: LineError) -> Self {
        let reason = error.reason();
        let Inner { path, line, column, kind, .. } = *error.0;
        match kind {
            LineErrorKind::Count(error) => error,
            _ => ErrorKind::Parse { path, line, column, reason }.into(),
        }
    }
}

/// What is wrong with the value of a field, and at which byte of it that is seen.
#[derive(Debug)]
pub(crate) struct ValueError {
    pub(super) kind: LineErrorKind,
    pub(super) at: usize,
}

impl<K: Into<LineErrorKind>> From<K> for ValueError {
    fn from(kind: K) -> Self {
        Self { kind: kind.into(), at: 0 }
    }
}
