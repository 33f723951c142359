//! The value of a [`ChunkEvaluator`](crate::ChunkEvaluator).

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::{ChunkCounts, Diagnostics, Error, Protocol, Result, Scalars, Scores, ZeroDivision};

/// Scores over all chunks and per entity type, with the counts behind them;
/// [`average`](ChunkReport::average) has macro and weighted averages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChunkReport {
    /// Over all chunks (micro average).
    pub overall: Scores,
    /// Every entity type of the label list, sorted by code point.
    pub per_type: Vec<TypeScores>,
    /// What was left out or read as something else.
    pub diagnostics: Diagnostics,
    /// The rule for what cannot be divided.
    #[serde(skip)]
    pub zero_division: ZeroDivision,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

/// The scores of one entity type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TypeScores {
    /// The entity type; `_` for labels without one.
    pub entity_type: String,
    /// Its scores.
    #[serde(flatten)]
    pub scores: Scores,
}

impl ChunkReport {
    pub(crate) fn new<'a>(
        total: ChunkCounts,
        per_type: impl Iterator<Item = (&'a str, ChunkCounts)>,
        diagnostics: Diagnostics,
        zero_division: ZeroDivision,
        protocol: Protocol,
    ) -> Self {
        let per_type = per_type.map(|(name, counts)| TypeScores {
            entity_type: name.to_owned(),
            scores: counts.scores(zero_division),
        });
        let per_type = per_type.collect();
        let overall = total.scores(zero_division);
        Self { overall, per_type, diagnostics, zero_division, protocol }
    }

    /// A report of entities that were counted elsewhere, as by a metric of one's own: each type with
    /// its counts, in so many rows.
    ///
    /// ```
    /// use chunkeval_core::{Average, ChunkCounts, ChunkReport, Protocol, ZeroDivision};
    ///
    /// let types = [("PER", 3, 2, 2), ("LOC", 1, 1, 0)].map(|(name, gold, predicted, correct)| {
    ///     (name.to_owned(), ChunkCounts { gold, predicted, correct })
    /// });
    /// let protocol = Protocol::default().with("metric", "mine");
    /// let report = ChunkReport::of_counts(types, 2, ZeroDivision::Zero, protocol)?;
    /// assert_eq!(report.overall.recall, 2.0 / 4.0);
    /// assert_eq!(report.average(Average::Macro).precision, 1.0 / 2.0);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Counts are impossible, a sum exceeds 64 bits, or a type stands twice.
    pub fn of_counts(
        per_type: impl IntoIterator<Item = (String, ChunkCounts)>,
        rows: u64,
        zero_division: ZeroDivision,
        protocol: Protocol,
    ) -> Result<Self> {
        let mut types = BTreeMap::new();
        let mut total = ChunkCounts::default();
        for (name, counts) in per_type {
            counts.check()?;
            total.add(&counts)?;
            if types.contains_key(&name) {
                return Err(Error::config("types", format!("{name:?} stands twice")));
            }
            types.insert(name, counts);
        }
        let diagnostics = Diagnostics { rows, ..Diagnostics::default() };
        let per_type = types.iter().map(|(name, counts)| (&**name, *counts));
        Ok(Self::new(total, per_type, diagnostics, zero_division, protocol))
    }

    /// The scores of an entity type, if the label list has it.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&Scores> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
    }
}

/// The scores over all chunks in one line; tables of all types are in `chunkeval-report`.
impl fmt::Display for ChunkReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.overall.fmt(f)
    }
}

/// `precision`, `recall`, `f1`, then `per_type/PER/precision` and so on for each entity type.
/// Scores with nothing to divide by are undefined (`None`), whatever the rule for zero division.
/// Macro and weighted averages are results of their own, with an example at
/// [`Average`](crate::Average): `log.log(step, "dev/macro", &report.average(Average::Macro))`.
impl Scalars for ChunkReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        visit_scores(&self.overall.counts, "", each);
        for t in &self.per_type {
            visit_scores(&t.scores.counts, &format!("per_type/{}/", t.entity_type), each);
        }
    }
}

fn visit_scores(counts: &ChunkCounts, prefix: &str, each: &mut dyn FnMut(&str, Option<f64>)) {
    each(&format!("{prefix}precision"), counts.precision());
    each(&format!("{prefix}recall"), counts.recall());
    each(&format!("{prefix}f1"), counts.f1());
}
