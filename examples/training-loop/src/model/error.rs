//! What can go wrong in a network.

use std::path::PathBuf;

use super::ConfigError;

/// An error of a network: bad configuration, bad input, bad checkpoint, or that of its tensor
/// library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError<E: std::error::Error + 'static> {
    /// A size or rate of the configuration cannot work.
    #[error(transparent)]
    Config(ConfigError),
    /// Tokens, labels and lengths do not fit together, or an id is out of range.
    #[error("input: {0}")]
    Input(String),
    /// A checkpoint does not hold the tensors that the model needs.
    #[error("checkpoint {path}: {problems}")]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Each missing, unknown or mismatched tensor, by name.
        problems: String,
    },
    /// Training has lost its way.
    #[error(
        "the norm of the gradients is {norm}, no longer a finite number; a lower learning rate may help"
    )]
    Diverged {
        /// The global norm.
        norm: f64,
    },
    /// A file of tensors cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The library's error.
        source: E,
    },
    /// A tensor operation failed.
    #[error(transparent)]
    Library(#[from] E),
}

impl<E: std::error::Error + 'static> ModelError<E> {
    /// Two variables of one name.
    pub fn twice(name: &str) -> Self {
        Self::Config(ConfigError(format!("variable {name} exists twice")))
    }
}
