//! [`Missing`]: what a page lacks since Ctrl-C ended the work on it.

use serde::Serialize;

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Missing {
    /// What had not been read: scores are those of the beginning.
    Input,
    /// Intervals; the scores are whole.
    Intervals,
    /// Tests of differences; those that are there are whole.
    Tests,
}

impl Missing {
    /// It in words, which go on a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Input => "only what was read so far",
            Self::Intervals => "all was read, but intervals are missing",
            Self::Tests => "these are the differences that had been tested so far",
        }
    }
}
