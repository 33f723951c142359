//! What nervaluate's loaders refuse.

/// Data that a loader refuses. The texts are those of nervaluate's exceptions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The sides have different numbers of documents.
    #[error("Number of predicted documents does not equal true")]
    DocumentCount {
        /// Gold documents.
        gold: usize,
        /// Predicted documents.
        predicted: usize,
    },
    /// The tags of a document differ in number.
    #[error("Document {document} has different lengths: true={gold}, pred={predicted}")]
    DocumentLength {
        /// The document, from 0.
        document: usize,
        /// Gold tags.
        gold: usize,
        /// Predicted tags.
        predicted: usize,
    },
    /// A tag that opens a chunk and begins with neither `B-` nor `I-`.
    #[error("Invalid tag format: {tag}")]
    Tag {
        /// The tag.
        tag: String,
    },
    /// A line of CoNLL text without a tab.
    #[error("Invalid CoNLL format: line '{line}' does not contain a tab separator")]
    NoTab {
        /// The line.
        line: String,
    },
    /// The same, where nervaluate's helper function does not look before it takes the column.
    #[error("list index out of range")]
    NoColumn,
    /// The default loader looks at the first entity of the first document, which has none.
    #[error("list index out of range")]
    EmptyFirstDocument,
    /// The default loader cannot tell what the data is.
    #[error("Could not infer loader from input type")]
    UnknownInput,
    /// No loader has this name.
    #[error("Unknown loader: {name}")]
    UnknownLoader {
        /// The name.
        name: String,
    },
    /// The data is not of the kind that the loader reads.
    #[error("{loader} expects {expected} input")]
    Input {
        /// nervaluate's name of the loader.
        loader: &'static str,
        /// `string` or `list`.
        expected: &'static str,
    },
    /// A document is no list.
    #[error("Each document must be a list of {of}")]
    NoList {
        /// `tags` or `entity dictionaries`.
        of: &'static str,
    },
    /// A tag is no string.
    #[error("Invalid tag type: <class '{found}'>")]
    TagType {
        /// Its type in Python.
        found: &'static str,
    },
    /// An entity is no object.
    #[error("Invalid entity type: <class '{found}'>")]
    EntityType {
        /// Its type in Python.
        found: &'static str,
    },
    /// An entity has no label, start or end.
    #[error("Entity missing required keys: {key}")]
    MissingKey {
        /// The first that is missing. (nervaluate prints the set of all that are required.)
        key: &'static str,
    },
    /// A label is no string.
    #[error("Entity label must be a string")]
    LabelType,
    /// An offset is no integer, or none of 63 bits.
    #[error("Entity start and end must be integers")]
    OffsetType,
    /// Something without a length stands where a list is expected.
    #[error("object of type '{found}' has no len()")]
    NoLength {
        /// Its type in Python.
        found: &'static str,
    },
}

impl LoadError {
    /// The name of the Python exception that nervaluate raises.
    #[must_use]
    pub fn python_exception(&self) -> &'static str {
        match self {
            Self::NoColumn | Self::EmptyFirstDocument => "IndexError",
            Self::NoLength { .. } => "TypeError",
            _ => "ValueError",
        }
    }
}
