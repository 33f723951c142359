//! The value of a [`ChunkEvaluator`](crate::ChunkEvaluator).

use serde::Serialize;

use crate::{ChunkCounts, Diagnostics, Protocol, Scalars, Scores, ZeroDivision};

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

    /// The scores of an entity type, if the label list has it.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&Scores> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
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
