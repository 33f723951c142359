//! The value of [`TagDiagnostics`](crate::TagDiagnostics).

use std::fmt;

use serde::Serialize;

use super::fault::{TagFault, TagFaultCounts};
use super::tag_state::TagDiagnosticsState;
use crate::{Protocol, Scalars, Scheme, TagSet};

/// What is wrong with the tags of both sides, and which rows say nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TagDiagnosticsReport {
    /// The name of the scheme that the tags were held against.
    pub scheme: &'static str,
    /// Rows seen.
    pub rows: u64,
    /// Tokens that counted.
    pub tokens: u64,
    /// Tokens left out by a mask or an ignore index.
    pub ignored: u64,
    /// Rows of no tokens that count.
    pub empty_rows: u64,
    /// Rows without a gold chunk, empty rows included.
    pub rows_without_gold: u64,
    /// Rows without a predicted chunk, empty rows included.
    pub rows_without_predicted: u64,
    /// Faults of the gold tags.
    pub gold: TagFaultCounts,
    /// Faults of the predicted tags.
    pub predicted: TagFaultCounts,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

impl TagDiagnosticsReport {
    pub(super) fn new(tags: &TagSet, scheme: Scheme, state: &TagDiagnosticsState) -> Self {
        Self {
            scheme: scheme.name(),
            rows: state.rows,
            tokens: state.tokens,
            ignored: state.ignored,
            empty_rows: state.empty_rows,
            rows_without_gold: state.rows_without_gold,
            rows_without_predicted: state.rows_without_predicted,
            gold: state.gold,
            predicted: state.predicted,
            protocol: Protocol::of_tags(tags).with("metric", "tags").with("against", scheme),
        }
    }
}

/// `ill_formed_gold` and `ill_formed_predicted`: faults that make rows ill-formed, by token.
/// `rows_without_gold` and `rows_without_predicted`: the share of rows. `None` of nothing seen.
impl Scalars for TagDiagnosticsReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        each("ill_formed_gold", share(self.gold.ill_formed(), self.tokens));
        each("ill_formed_predicted", share(self.predicted.ill_formed(), self.tokens));
        each("rows_without_gold", share(self.rows_without_gold, self.rows));
        each("rows_without_predicted", share(self.rows_without_predicted, self.rows));
    }
}

/// Rows and tokens, then a line for each kind of fault, then the signature.
impl fmt::Display for TagDiagnosticsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>10}  rows", self.rows)?;
        writeln!(f, "{:>10}  of no tokens", self.empty_rows)?;
        writeln!(f, "{:>10}  without a gold chunk", self.rows_without_gold)?;
        writeln!(f, "{:>10}  without a predicted chunk", self.rows_without_predicted)?;
        writeln!(f, "{:>10}  tokens, and {} ignored", self.tokens, self.ignored)?;
        writeln!(f, "\n{:>10}{:>10}  under {}", "gold", "predicted", self.scheme)?;
        for fault in TagFault::ALL {
            let (gold, predicted) = (self.gold.count(fault), self.predicted.count(fault));
            writeln!(f, "{gold:>10}{predicted:>10}  {fault}")?;
        }
        writeln!(f, "\n{}", self.protocol)
    }
}
