//! [`ErrorKind`]: what can go wrong.

use std::fmt;
use std::path::PathBuf;

use crate::{Error, Fingerprint};

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Two things that belong together have different lengths.
    #[error("{}{what}: expected {expected}, found {found}", RowPrefix(*row))]
    Length {
        /// What was measured, for example `predicted ids`.
        what: &'static str,
        /// The row, where the trouble is in one row.
        row: Option<usize>,
        /// The length that was expected.
        expected: usize,
        /// The length that was found.
        found: usize,
    },
    /// Two tensors disagree in shape.
    #[error("{what} {found:?} does not fit {against} {expected:?}")]
    Shape {
        /// The tensor that does not fit, for example `labels`.
        what: &'static str,
        /// Its shape.
        found: Vec<usize>,
        /// What it was held against, for example `logits`.
        against: &'static str,
        /// The shape of that.
        expected: Vec<usize>,
    },
    /// A tensor or slice has an element type that cannot be used here.
    #[error("{what} has dtype {found}, expected one of {expected}")]
    Dtype {
        /// The tensor, for example `logits`.
        what: &'static str,
        /// Its element type.
        found: String,
        /// The element types that are accepted.
        expected: &'static str,
    },
    /// A gold id that the label list does not have.
    #[error("row {row}, column {column}: gold id {id} is not in the list of {labels} labels{}", marked(*id))]
    UnknownGold {
        /// Row in the batch, from 0.
        row: usize,
        /// Column in the row as it was given (ignored positions included), from 0.
        column: usize,
        /// The id.
        id: i64,
        /// How many labels there are.
        labels: usize,
    },
    /// A gold id that no label list can have: it does not fit 32 bits.
    #[error("row {row}, column {column}: gold id {id} does not fit 32 bits, so it is no label")]
    WideGold {
        /// Row in the batch, from 0.
        row: usize,
        /// Column in the row as it was given, from 0.
        column: usize,
        /// The id.
        id: i64,
    },
    /// Logits whose last dimension is not the number of labels.
    #[error("the logits have {classes} classes, the label list has {labels} labels")]
    Classes {
        /// The last dimension of the logits.
        classes: usize,
        /// How many labels there are.
        labels: usize,
    },
    /// A logit at a position that counts is not a number.
    #[error("row {row}, column {column}: a logit is NaN")]
    NanLogit {
        /// Row in the batch, from 0.
        row: usize,
        /// Column in the row, from 0.
        column: usize,
    },
    /// Labels that are neither `O` nor a known position with a type. All of them are named.
    #[error("cannot read the label{} {}{hint}", if labels.len() == 1 { "" } else { "s" }, Quoted(labels))]
    UnreadableLabels {
        /// The labels, in the order of the list, without repeats.
        labels: Vec<String>,
        /// What to do about it, beginning with `; `, or empty.
        hint: String,
    },
    /// A tag in the data that the label list does not have.
    #[error("row {row}, column {column}: tag {tag:?} is not in the label list")]
    UnknownTag {
        /// Row, from 0.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The tag.
        tag: String,
    },
    /// A word id beyond the gold tags of its document.
    #[error("row {row}, column {column}: word id {word}, but the gold row has length {words}")]
    UnknownWord {
        /// Row of word ids, from 0.
        row: usize,
        /// Column in the row, from 0.
        column: usize,
        /// The word id.
        word: usize,
        /// How many words there are.
        words: usize,
    },
    /// A word id that is not larger than those before it.
    #[error(
        "row {row}, column {column}: word id {word} after word id {previous}; the words of a row \
         rise (of a pair of texts only one can be shown, None stands for the other)"
    )]
    WordOrder {
        /// Row of word ids, from 0.
        row: usize,
        /// Column in the row, from 0.
        column: usize,
        /// The word id.
        word: u32,
        /// The word id before.
        previous: u32,
    },
    /// Counts that no data can give: more correct chunks than gold or predicted ones.
    #[error("{correct} correct chunks of {gold} gold and {predicted} predicted ones cannot be")]
    ImpossibleCounts {
        /// Gold chunks.
        gold: u64,
        /// Predicted chunks.
        predicted: u64,
        /// Correct chunks.
        correct: u64,
    },
    /// A sum that does not fit into 64 bits.
    #[error("a count exceeds 64 bits")]
    Overflow,
    /// A state that was measured by a metric of another configuration.
    #[error("the state belongs to another configuration: expected {expected}, found {found}")]
    Incompatible {
        /// The configuration of this metric.
        expected: Fingerprint,
        /// The configuration the state came from.
        found: Fingerprint,
    },
    /// A key that a collection of metrics has already.
    #[error("the collection has a metric {key:?} already")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// An error of one metric of a collection.
    #[error("metric {key:?}: {error}")]
    Member {
        /// The key of the metric.
        key: String,
        /// What it said; [`place`](Error::place) and the source are those of this error.
        error: Error,
    },
    /// An option that cannot be used.
    #[error("{option}: {reason}")]
    Config {
        /// The option.
        option: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A name that a sink cannot take for a series of scalars or a text.
    #[error("tag {tag:?} cannot be written: {reason}")]
    InvalidTag {
        /// The name.
        tag: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A place in a file that cannot be read as its format.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Parse {
        /// The file, or the name given to a stream.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: u64,
        /// What is wrong there.
        reason: String,
    },
    /// A file that could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file, or the name given to a stream.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A tensor library's own error.
    #[error("{what}: {source}")]
    Backend {
        /// What was being done.
        what: &'static str,
        /// The library's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An error of a metric, source or sink outside this project.
    #[error(transparent)]
    Custom(Box<dyn std::error::Error + Send + Sync>),
}

/// `row 3: `, or nothing.
struct RowPrefix(Option<usize>);

impl fmt::Display for RowPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(row) => write!(f, "row {row}: "),
            None => Ok(()),
        }
    }
}

/// Labels in quotes, separated by commas.
struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, label) in self.0.iter().enumerate() {
            write!(f, "{}{label:?}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What a gold id below 0 most likely is: a position that frameworks leave out of the loss.
fn marked(id: i64) -> String {
    if id < 0 {
        format!("; positions marked {id} are left out with ignore_index({id})")
    } else {
        String::new()
    }
}
