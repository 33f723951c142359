//! Why an answer cannot be read.

/// What is wrong with an answer, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The byte of the text at which it was noticed.
    pub offset: usize,
}

/// What can be wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Nothing, or nothing but space and thoughts.
    #[error("no text")]
    NoText,
    /// More text than is read.
    #[error("more than {limit} bytes")]
    TooLong {
        /// The most bytes that are read.
        limit: usize,
    },
    /// Too many brackets in brackets.
    #[error("brackets nested deeper than {limit}")]
    TooDeep {
        /// The most levels that are read.
        limit: usize,
    },
    /// Too many keys and values.
    #[error("more than {limit} keys and values")]
    TooMany {
        /// The most that are read.
        limit: usize,
    },
    /// No object or list, even with repairs.
    #[error("no object or list found")]
    NothingFound,
    /// Half of a surrogate pair in a record's answer: see [`Record::half_pairs`].
    ///
    /// [`Record::half_pairs`]: crate::Record::half_pairs
    #[error("half of a surrogate pair, which Python refuses")]
    HalfPair,
    /// Bytes that are no UTF-8 in a record's answer: see [`Record::not_utf8`].
    ///
    /// [`Record::not_utf8`]: crate::Record::not_utf8
    #[error("no UTF-8, which Python refuses")]
    NotUtf8,
    /// Not Python; what is wrong is said in words.
    #[error("{0}")]
    Syntax(&'static str),
    /// A name, call or operator, which `eval` would have run.
    #[error("{0} is no literal")]
    NotALiteral(&'static str),
    /// A literal that Python does not make: a list as a key, a list in a set.
    #[error("{0} cannot be a key or a member of a set")]
    Unhashable(&'static str),
    /// `\N{…}`, for which this reader has no table.
    #[error("\\N{{…}} (characters by name) is not supported")]
    NamedCharacter,
    /// It can be read and is no answer.
    #[error("{0} is no answer: types and their entities were expected")]
    NotAnAnswer(&'static str),
    /// A value from which no set of entities can be made.
    #[error("the value of {entity_type} is {value}, of which Python makes no set")]
    NotASet {
        /// The type.
        entity_type: String,
        /// What its value is.
        value: &'static str,
    },
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, offset: usize) -> Self {
        Self { kind, offset }
    }
}
