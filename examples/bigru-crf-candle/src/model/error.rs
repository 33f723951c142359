//! What can go wrong in the model.

use std::path::PathBuf;

/// An error of the model: bad configuration, bad input, bad checkpoint, or candle's own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A size or rate of the configuration cannot work.
    #[error("configuration: {0}")]
    Config(String),
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
        /// candle's error.
        source: candle_core::Error,
    },
    /// A tensor operation failed.
    #[error(transparent)]
    Candle(#[from] candle_core::Error),
}
