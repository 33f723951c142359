//! What can go wrong, what to do about it, and the exit code that says so.

use std::io;
use std::path::{Path, PathBuf};

use chunkeval_core::ErrorKind;

use crate::Exit;

/// `Result` with the program's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the program. Its message is one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// A place in a file that cannot be used.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Place {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: u64,
        /// What is wrong there.
        reason: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A file whose content cannot be used.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A folder where a file is wanted.
    #[error("{}: is a folder", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What to do about it.
        hint: String,
    },
    /// A file that cannot be opened or read.
    #[error("cannot read {}: {}", path.display(), plain(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file or stream that cannot be written.
    #[error("cannot write {what}: {}", plain(source))]
    Write {
        /// What was being written.
        what: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Whoever reads our output has closed it: no failure.
    #[error("the output was closed")]
    ClosedPipe,
    /// Results that do not belong together.
    #[error("{reason}")]
    Mismatch {
        /// In what they differ.
        reason: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Labels, counts or layouts; the message names the place.
    #[error(transparent)]
    Core(#[from] chunkeval_core::Error),
    /// Intervals and tests.
    #[error(transparent)]
    Stats(#[from] chunkeval_stats::Error),
    /// Ctrl-C, before there was anything to print.
    #[error("interrupted: nothing was compared so far")]
    Interrupted,
    /// Ctrl-C cannot be listened to.
    #[error("Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

impl Error {
    /// A file whose content cannot be used.
    pub(crate) fn content(path: &Path, reason: impl Into<String>) -> Self {
        Self::Content { path: path.into(), reason: reason.into(), hint: None }
    }

    /// A file that cannot be opened or read.
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.into(), source }
    }

    /// A folder where a file is wanted.
    pub(crate) fn folder(path: &Path) -> Self {
        Self::Folder { path: path.into(), hint: "name a file in it".to_owned() }
    }

    /// Something that cannot be written.
    pub(crate) fn write(what: impl Into<String>, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Write { what: what.into(), source },
        }
    }

    /// The same with a hint, where it can have one.
    pub(crate) fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let Self::Place { hint, .. } | Self::Content { hint, .. } | Self::Mismatch { hint, .. } =
            &mut self
        {
            *hint = Some(text.into());
        } else if let Self::Folder { hint, .. } = &mut self {
            *hint = text.into();
        }
        self
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Place { hint, .. } | Self::Content { hint, .. } | Self::Mismatch { hint, .. } => {
                hint.clone()
            }
            Self::Folder { hint, .. } => Some(hint.clone()),
            Self::Read { source, path } => match source.kind() {
                _ if is_damage(source) => {
                    Some("the file is damaged or was cut off; fetch it again".to_owned())
                }
                io::ErrorKind::NotFound => Some("is the name spelled right?".to_owned()),
                io::ErrorKind::IsADirectory => Some("name a file in it".to_owned()),
                io::ErrorKind::NotADirectory => {
                    Some("for parallel files --gold and --pred name folders".to_owned())
                }
                io::ErrorKind::PermissionDenied => {
                    Some(format!("you may not read it: ls -l {}", path.display()))
                }
                _ => None,
            },
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull => {
                    Some("make room, or write to another place".to_owned())
                }
                io::ErrorKind::NotFound => Some("there is no such folder".to_owned()),
                io::ErrorKind::IsADirectory => Some("it is a folder: name a file in it".to_owned()),
                io::ErrorKind::NotADirectory => {
                    Some("a file stands where a folder is wanted: name another place".to_owned())
                }
                io::ErrorKind::PermissionDenied => {
                    Some("you may not write there: name another place".to_owned())
                }
                io::ErrorKind::AlreadyExists => {
                    let hint = "nothing is written over without --force: name another file, or take that one away";
                    Some(hint.to_owned())
                }
                _ => None,
            },
            Self::Stats(chunkeval_stats::Error::TooFewUnits { .. }) => {
                let hint = "a unit is a sentence, a document or an answer; tags and llm without --ci need one";
                Some(hint.to_owned())
            }
            Self::Stats(chunkeval_stats::Error::TooManyResamples { most, .. }) => {
                Some(format!("--resamples {most}; 1000 are enough for intervals of two digits"))
            }
            Self::Stats(chunkeval_stats::Error::NoMemory { .. }) => {
                Some("ask for fewer --resamples".to_owned())
            }
            _ => None,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::ClosedPipe => Exit::Ok,
            Self::Usage(_) => Exit::Usage,
            Self::Place { .. } | Self::Content { .. } => Exit::BadInput,
            Self::Read { source, .. } if is_damage(source) => Exit::BadInput,
            Self::Folder { .. } | Self::Read { .. } | Self::Write { .. } | Self::Signal(_) => {
                Exit::Io
            }
            Self::Mismatch { .. } => Exit::Mismatch,
            Self::Core(error) => match error.kind() {
                ErrorKind::Io { source, .. } if is_damage(source) => Exit::BadInput,
                ErrorKind::Io { .. } => Exit::Io,
                ErrorKind::Config { .. } => Exit::Usage,
                ErrorKind::Incompatible { .. } => Exit::Mismatch,
                _ => Exit::BadInput,
            },
            Self::Stats(
                chunkeval_stats::Error::TooManyResamples { .. }
                | chunkeval_stats::Error::NoMemory { .. },
            ) => Exit::Usage,
            Self::Stats(
                chunkeval_stats::Error::UnitCount { .. }
                | chunkeval_stats::Error::GoldDiffers { .. }
                | chunkeval_stats::Error::TypesDiffer { .. },
            ) => Exit::Mismatch,
            Self::Stats(_) => Exit::BadInput,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

/// Whether it is the content that cannot be read, and not the file.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    // Decompressors have kinds of their own, the system has a number.
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof | Other)
        && error.raw_os_error().is_none()
}

/// The system's message without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text.get(..at).unwrap_or(&text).to_owned(),
        None => text,
    }
}
