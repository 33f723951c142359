//! What can go wrong with resampling and tests.

/// `Result` with the [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no interval or p-value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Too few units to say anything: resamples of one unit are all equal.
    #[error("{found} unit{}, at least {least} are needed", if *found == 1 { "" } else { "s" })]
    TooFewUnits {
        /// How many units there are.
        found: usize,
        /// How many are needed.
        least: usize,
    },
    /// More units than can be handled.
    #[error("{found} units, at most {most} can be handled here")]
    TooManyUnits {
        /// How many units there are.
        found: usize,
        /// How many can be handled.
        most: usize,
    },
    /// More resamples than can be kept.
    #[error("{resamples} resamples{}, at most {most} are drawn", of_scores(*scores))]
    TooManyResamples {
        /// How many were asked for.
        resamples: u32,
        /// How many scores there are of each.
        scores: usize,
        /// How many can be kept of so many scores.
        most: u32,
    },
    /// There is no memory for the scores of so many resamples.
    #[error("no memory for {resamples} resamples{}", of_scores(*scores))]
    NoMemory {
        /// How many were asked for.
        resamples: u32,
        /// How many scores there are of each.
        scores: usize,
    },
    /// Two systems that were not run on the same units.
    #[error("the first system has {first} units, the second {second}")]
    UnitCount {
        /// Units of the first system.
        first: usize,
        /// Units of the second system.
        second: usize,
    },
    /// Two systems that were not held against the same gold chunks.
    #[error("unit {unit}: the first system has {first} gold chunks, the second {second}")]
    GoldDiffers {
        /// The first unit that differs, from 0.
        unit: usize,
        /// Gold chunks in the first system.
        first: u32,
        /// Gold chunks in the second system.
        second: u32,
    },
    /// Two systems with other entity types.
    #[error("the first system has the types {first:?}, the second {second:?}")]
    TypesDiffer {
        /// Types of the first system.
        first: Vec<String>,
        /// Types of the second system.
        second: Vec<String>,
    },
    /// An entity type that the rows do not have.
    #[error("there is no entity type {entity_type:?}")]
    UnknownType {
        /// The type asked for.
        entity_type: String,
    },
    /// A unit with more chunks than 32 bits can count.
    #[error("unit {unit} has more than 2^32 chunks")]
    TooManyChunks {
        /// The unit, from 0.
        unit: usize,
    },
    /// A value that cannot be used: not finite, or no probability.
    #[error("value {index} is {value}, which is no {expected}")]
    Value {
        /// Where the value stands, from 0.
        index: usize,
        /// The value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// The score of the whole set has nothing to divide by.
    #[error("the score of {of} is undefined: nothing to divide by")]
    Undefined {
        /// Whose score.
        of: &'static str,
    },
    /// The score is defined for the whole set, but for none of its resamples.
    #[error("the score is undefined in each of {resamples} resamples")]
    NeverDefined {
        /// How many resamples were drawn.
        resamples: u32,
    },
    /// [`Resampling::stop_if`](crate::Resampling::stop_if) said so.
    #[error("stopped before all resamples were drawn")]
    Stopped,
    /// An option that cannot be used.
    #[error("{option}: {reason}")]
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// States that cannot be merged.
    #[error(transparent)]
    Merge(#[from] chunkeval_core::Error),
}

/// What resamples are of, where there are several scores.
fn of_scores(scores: usize) -> String {
    if scores > 1 { format!(" of {scores} scores") } else { String::new() }
}

impl Error {
    pub(crate) fn option(option: &'static str, reason: impl Into<String>) -> Self {
        Self::Option { option, reason: reason.into() }
    }
}
