//! The one error type of chunkeval: opaque, with a kind to match on and a place to go to.

mod kind;
mod place;

use std::fmt;
use std::path::PathBuf;

pub use kind::ErrorKind;
pub use place::Place;

/// `Result` with chunkeval's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where.
///
/// The core, the tensor adapters, the readers and the sinks all return this type. Match on
/// [`kind`](Error::kind); print it for a person; ask [`place`](Error::place) for the row, column,
/// line, file or tag to look at.
///
/// ```
/// use chunkeval_core::{ErrorKind, Place, TagSet, TagStyle};
///
/// let error = TagSet::new(["O", "B-PER", "PLACE"], TagStyle::Prefix).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::UnreadableLabels { labels, .. } if labels == &["PLACE"]));
/// assert_eq!(error.place(), Some(Place::Tag("PLACE")));
/// ```
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

impl Error {
    /// The kind, to match on.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// The kind, taken out.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// The place to look at, where there is one. Of several unreadable labels it is the first.
    #[must_use]
    pub fn place(&self) -> Option<Place<'_>> {
        match &*self.0 {
            ErrorKind::Length { row, .. } => row.map(Place::Row),
            &ErrorKind::UnknownGold { row, column, .. }
            | &ErrorKind::WideGold { row, column, .. }
            | &ErrorKind::NanLogit { row, column }
            | &ErrorKind::UnknownTag { row, column, .. }
            | &ErrorKind::UnknownWord { row, column, .. }
            | &ErrorKind::WordOrder { row, column, .. } => Some(Place::Cell { row, column }),
            ErrorKind::UnreadableLabels { labels, .. } => labels.first().map(|l| Place::Tag(l)),
            ErrorKind::InvalidTag { tag, .. } => Some(Place::Tag(tag)),
            ErrorKind::DuplicateKey { key } => Some(Place::Tag(key)),
            ErrorKind::Parse { path, line, column, .. } => {
                Some(Place::Text { path, line: *line, column: *column })
            }
            ErrorKind::Io { path, .. } => Some(Place::File(path)),
            ErrorKind::Member { error, .. } => error.place(),
            _ => None,
        }
    }

    /// An error of the operating system at `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        ErrorKind::Io { path: path.into(), source }.into()
    }

    /// An error of a tensor library while doing `what`.
    pub fn backend(
        what: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        ErrorKind::Backend { what, source: source.into() }.into()
    }

    /// Any other error, for metrics, sources and sinks outside this project.
    pub fn custom(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        ErrorKind::Custom(source.into()).into()
    }

    /// An option that cannot be used, and why.
    pub fn config(option: &'static str, reason: impl Into<String>) -> Self {
        ErrorKind::Config { option, reason: reason.into() }.into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            ErrorKind::Member { error, .. } => error.source(), // the message has the error itself
            kind => kind.source(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn messages_name_the_place() {
        let e = Error::from(ErrorKind::Length {
            what: "predicted ids",
            row: Some(3),
            expected: 2,
            found: 1,
        });
        assert_eq!(e.to_string(), "row 3: predicted ids: expected 2, found 1");
        assert_eq!(e.place(), Some(Place::Row(3)));

        let e = Error::from(ErrorKind::Parse {
            path: "a/b.txt".into(),
            line: 7,
            column: 2,
            reason: "expected 2 columns, found 3".into(),
        });
        assert_eq!(e.to_string(), "a/b.txt:7:2: expected 2 columns, found 3");
    }

    #[test]
    fn the_source_is_kept() {
        use std::error::Error as _;
        let e = Error::io("x", std::io::Error::from(std::io::ErrorKind::StorageFull));
        let io = e.source().and_then(|s| s.downcast_ref::<std::io::Error>());
        assert_eq!(io.map(std::io::Error::kind), Some(std::io::ErrorKind::StorageFull));
        assert_eq!(e.place(), Some(Place::File(Path::new("x"))));
    }
}
