//! What can go wrong, and the exit code that says so.

use std::path::{Path, PathBuf};

use chunkeval::ErrorKind;

use crate::model::ModelError;

/// An error of the program. Its message is one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// Data, metric, log or files; the message names the place.
    #[error(transparent)]
    Library(#[from] chunkeval::Error),
    /// The network or its optimiser.
    #[error(transparent)]
    Network(Box<dyn std::error::Error + Send + Sync>),
    /// A file or folder whose content does not fit.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A step of the training that cannot be made.
    #[error("step {step}: {source}")]
    Step {
        /// The step, from 1.
        step: u64,
        /// What went wrong in it.
        source: Box<Error>,
    },
    /// Ctrl-C cannot be listened to.
    #[error("Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

/// A result of the program.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A file or folder whose content does not fit.
    pub fn content(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Content { path: path.into(), reason: reason.into() }
    }

    /// A file that cannot be read or written.
    pub fn io(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Library(chunkeval::Error::io(path.as_ref(), source))
    }

    /// An error of a network of any kind.
    pub fn network(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Network(source.into())
    }

    /// The error with the step at which it happened.
    #[must_use]
    pub fn at_step(self, step: u64) -> Self {
        Self::Step { step, source: Box::new(self) }
    }

    /// Whether somebody has closed what is written to, as `head` does.
    pub fn is_closed_pipe(&self) -> bool {
        let Self::Library(error) = self else { return false };
        let ErrorKind::Io { source, .. } = error.kind() else { return false };
        source.kind() == std::io::ErrorKind::BrokenPipe
    }

    /// 2 for wrong usage, as from the command line's parser; 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            _ => 1,
        }
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<ModelError<E>> for Error {
    fn from(error: ModelError<E>) -> Self {
        Self::network(error)
    }
}
