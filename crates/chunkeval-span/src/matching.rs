//! Which predicted span is held against which gold one.

mod align;
mod assign;
mod greedy;
mod overlap;

use std::fmt;

use chunkeval_core::{Error, Result};

pub(crate) use align::{Aligned, Alignment, each_schema};
pub(crate) use greedy::EmptyGold;
pub(crate) use overlap::Piece;

/// Which predicted span is held against which gold one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Matching {
    /// Equal spans are paired first; the others so that the pairs have as much in common as can be,
    /// summed over the document. It does not matter in which order spans are listed.
    ///
    /// For strict, exact and partial: (1) equal type and offsets, (2) equal offsets, (3) what
    /// overlaps, by greatest total overlap. For `ent_type`: (1) equal type and offsets, (2) what
    /// overlaps with equal type, by greatest total overlap, then the rest as before. Among pairings
    /// of equal total overlap, more pairs of equal type, then more pairs with closer boundaries,
    /// then earlier spans are preferred.
    ///
    /// A span that is listed twice with the same type and offsets on one side counts once, and is
    /// reported in the diagnostics.
    MaximumOverlap(Threshold),
    /// As nervaluate 1.2.1: each prediction in the order given takes an equal gold span, or else the
    /// first that it overlaps (for `ent_type` the closest of its type); each type is matched
    /// again on its own, so types do not add up to the overall counts; spans listed twice count
    /// twice. For comparison with published numbers.
    Nervaluate {
        /// The least share of the gold span's positions that must be in common, in percent, from 1
        /// to 100; nervaluate's default is 1.
        min_overlap_percentage: f64,
    },
}

/// How much two spans must have in common to be paired. Equal offsets always suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Threshold {
    /// One position.
    #[default]
    Any,
    /// This share of the gold span, above 0 and up to 1.
    Gold(f64),
    /// This share of the predicted span, above 0 and up to 1.
    Predicted(f64),
    /// This share of the positions in either (intersection over union), above 0 and up to 1.
    Union(f64),
}

/// `any`, or the least share, such as `union>=0.5`.
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Gold(share) => write!(f, "gold>={share}"),
            Self::Predicted(share) => write!(f, "predicted>={share}"),
            Self::Union(share) => write!(f, "union>={share}"),
        }
    }
}

impl Default for Matching {
    fn default() -> Self {
        Self::MaximumOverlap(Threshold::Any)
    }
}

impl Matching {
    /// nervaluate's rule with its default threshold.
    pub const NERVALUATE: Self = Self::Nervaluate { min_overlap_percentage: 1.0 };

    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Nervaluate { min_overlap_percentage: least } => match (1.0..=100.0)
                .contains(&least)
            {
                true => Ok(()),
                false => {
                    Err(Error::config("min_overlap_percentage", "must be between 1.0 and 100.0"))
                }
            },
            Self::MaximumOverlap(threshold) => match threshold {
                Threshold::Any => Ok(()),
                Threshold::Gold(share) | Threshold::Predicted(share) | Threshold::Union(share) => {
                    if share > 0.0 && share <= 1.0 {
                        return Ok(());
                    }
                    let reason = format!("the share {share} must be above 0 and at most 1");
                    Err(Error::config("threshold", reason))
                }
            },
        }
    }
}
