//! Which law is broken, by what.

use std::fmt::{self, Debug};
use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use crate::{Error, Result};

/// A law of [`Metric`](crate::Metric) or [`Mergeable`](crate::Mergeable).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// After a reset a metric is as it was when it was built.
    ResetForgets,
    /// The value does not depend on how rows were cut into batches, nor on their order.
    BatchesAreAnAccident,
    /// `accumulate` changes nothing.
    ReadingIsFree,
    /// An update that fails changes nothing.
    FailingChangesNothing,
    /// Merging with the state of nothing seen changes nothing.
    ZeroIsNothing,
    /// `a + b` is `b + a`.
    MergeCommutes,
    /// `(a + b) + c` is `a + (b + c)`.
    MergeAssociates,
    /// `update` is `merge` of `measure`, and `accumulate` is `finish` of `state`.
    UpdateIsMerge,
    /// A state that was saved and read back is the state.
    SavedComesBack,
    /// Measuring rows on several threads gives what one thread gives.
    ThreadsAreAnAccident,
    /// A snapshot of another configuration is refused and changes nothing.
    ForeignIsRefused,
}

/// A law that does not hold.
#[derive(Debug, thiserror::Error)]
#[error("the law \"{law}\" is broken by rows {parts:?}: {finding}")]
#[non_exhaustive]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The row ranges of the batch that show it, in the order they were given to the metric.
    pub parts: Vec<Range<usize>>,
    /// What was seen; the message has it, so it is not the source as well.
    pub finding: Finding,
}

/// What shows that a law is broken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Two things that must be equal are not.
    #[error("{what} is {found}, expected {expected}")]
    Different {
        /// What was compared, for example `the value`.
        what: &'static str,
        /// What it must be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Something good was refused.
    #[error("refused: {0}")]
    Refused(Error),
    /// Something that must be refused was taken.
    #[error("{0} was accepted, but must be refused")]
    Accepted(&'static str),
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ResetForgets => "reset forgets",
            Self::BatchesAreAnAccident => "batches are an accident",
            Self::ReadingIsFree => "reading is free",
            Self::FailingChangesNothing => "an update that fails changes nothing",
            Self::ZeroIsNothing => "zero is nothing",
            Self::MergeCommutes => "merge commutes",
            Self::MergeAssociates => "merge associates",
            Self::UpdateIsMerge => "an update is a merge",
            Self::SavedComesBack => "a saved state comes back",
            Self::ThreadsAreAnAccident => "threads are an accident",
            Self::ForeignIsRefused => "a state of another configuration is refused",
        })
    }
}

/// One law on some rows: turns what is seen into a [`Violation`].
#[derive(Clone, Copy)]
pub(super) struct Trial<'p> {
    pub(super) law: Law,
    pub(super) parts: &'p [Range<usize>],
}

impl Trial<'_> {
    pub(super) fn violated(self, finding: Finding) -> Violation {
        Violation { law: self.law, parts: self.parts.to_vec(), finding }
    }

    /// What a good call gave.
    pub(super) fn taken<T>(self, outcome: Result<T>) -> Result<T, Violation> {
        outcome.map_err(|error| self.violated(Finding::Refused(error)))
    }

    /// That a bad call failed.
    pub(super) fn refused<T>(
        self,
        what: &'static str,
        outcome: Result<T>,
    ) -> Result<(), Violation> {
        match outcome {
            Ok(_) => Err(self.violated(Finding::Accepted(what))),
            Err(_) => Ok(()),
        }
    }

    /// Equal, or printed the same: NaN is not equal to itself, but the same value.
    pub(super) fn same<T: PartialEq + Debug>(
        self,
        what: &'static str,
        expected: &T,
        found: &T,
    ) -> Result<(), Violation> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
        if expected == found {
            return Ok(());
        }
        Err(self.violated(Finding::Different { what, expected, found }))
    }

    pub(super) fn same_state<S: Serialize>(self, expected: &S, found: &S) -> Result<(), Violation> {
        let (expected, found) = (self.json(expected)?, self.json(found)?);
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (expected.to_string(), found.to_string());
        Err(self.violated(Finding::Different { what: "the state", expected, found }))
    }

    fn json<S: Serialize>(self, state: &S) -> Result<Value, Violation> {
        self.taken(serde_json::to_value(state).map_err(Error::custom))
    }
}
