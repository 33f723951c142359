//! What can go wrong with an encoder and its folder.

use std::path::PathBuf;

use training_candle::ModelError;

/// A bad folder or a bad batch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncoderError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What Git LFS keeps in place of a large file.
    #[error(
        "{}: only a pointer of Git LFS, not the file; fetch it: cd into the folder, git lfs pull",
        .0.display()
    )]
    Pointer(PathBuf),
    /// A configuration that describes no encoder of ours.
    #[error("{}: {reason}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of weights that is none, is cut off, or is of an unknown kind.
    #[error("{}: {reason}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Weights that do not fit the configuration, or are no numbers. All of them are named.
    #[error("{}: the weights cannot be used: {}", path.display(), problems.join("; "))]
    Tensors {
        /// The file.
        path: PathBuf,
        /// What is missing, has another shape, is no number, or is not known, one tensor each.
        problems: Vec<String>,
    },
    /// Weights of which none has the name of one of ours.
    #[error(
        "{}: none of the encoder's tensors is there, {names}: this kind of model is not supported, \
         only BERT and ERNIE, with names like bert.embeddings.…, ernie.embeddings.…, embeddings.…",
        path.display()
    )]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// What is there in their place.
        names: String,
    },
    /// A tokenizer or vocabulary that cannot be used, or not with this encoder.
    #[error("{}: {reason}", path.display())]
    Vocabulary {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Labels that are not those of the head.
    #[error("labels: {0}")]
    Labels(String),
    /// A sentence with more tokens than the encoder has positions.
    #[error("row {row}: {length} tokens, but the encoder has {limit} positions")]
    TooLong {
        /// The row of the batch, from 0.
        row: usize,
        /// Its tokens.
        length: usize,
        /// The size of the table of positions.
        limit: usize,
    },
    /// An id that its table does not have.
    #[error("row {row}, column {column}: {table} id {id} is not below {size}")]
    Id {
        /// The row of the batch, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// Which of the ids.
        table: &'static str,
        /// The id.
        id: u32,
        /// The size of its table.
        size: usize,
    },
    /// A batch that cannot be computed.
    #[error("{0}")]
    Batch(String),
    /// A text that cannot be cut into pieces.
    #[error("tokenizer: {0}")]
    Tokenizer(String),
    /// Variables or tensor operations.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A result of the encoder.
pub type Result<T> = std::result::Result<T, EncoderError>;

impl From<candle_core::Error> for EncoderError {
    fn from(error: candle_core::Error) -> Self {
        Self::Model(training_candle::bare(error).into())
    }
}
