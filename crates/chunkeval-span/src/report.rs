//! The value of a [`SpanEvaluator`](crate::SpanEvaluator).

use std::fmt;

use chunkeval_core::{Protocol, Scalars, visible_name};
use serde::Serialize;

use crate::{PerSchema, SchemaCounts, SpanDiagnostics, SpanScores, SpanState};

/// Scores of all four schemas, over all spans and per entity type, with the counts behind them.
///
/// Printed, it is a table; the counts of pairs in the rows of a type are those of its gold spans.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpanReport {
    /// Over all spans.
    pub overall: PerSchema<SpanScores>,
    /// Every entity type that was seen on either side, sorted by code point.
    pub per_type: Vec<SpanTypeScores>,
    /// What was seen, and what was left out.
    pub diagnostics: SpanDiagnostics,
    /// How the report was made: the rule of matching, its threshold and the types that count.
    pub protocol: Protocol,
}

/// The scores of one entity type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpanTypeScores {
    /// The entity type.
    pub entity_type: String,
    /// Its scores.
    #[serde(flatten)]
    pub scores: PerSchema<SpanScores>,
}

impl SpanReport {
    pub(crate) fn new(state: &SpanState, protocol: Protocol) -> Self {
        let per_type = state.per_type.iter().map(|(name, counts)| SpanTypeScores {
            entity_type: name.clone(),
            scores: counts.map(SchemaCounts::scores),
        });
        Self {
            overall: state.overall.map(SchemaCounts::scores),
            per_type: per_type.collect(),
            diagnostics: state.diagnostics,
            protocol,
        }
    }

    /// The scores of an entity type, if it was seen.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&PerSchema<SpanScores>> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
    }
}

/// `strict/precision`, `strict/recall`, `strict/f1` and so on for each schema, then
/// `per_type/PER/strict/precision` and so on for each entity type. Scores with nothing to divide by
/// are undefined (`None`).
impl Scalars for SpanReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        visit_scores(&self.overall, "", each);
        for t in &self.per_type {
            visit_scores(&t.scores, &format!("per_type/{}/", t.entity_type), each);
        }
    }
}

fn visit_scores(
    scores: &PerSchema<SpanScores>,
    prefix: &str,
    each: &mut dyn FnMut(&str, Option<f64>),
) {
    for (schema, SpanScores { counts, .. }) in scores.iter() {
        each(&format!("{prefix}{schema}/precision"), counts.precision());
        each(&format!("{prefix}{schema}/recall"), counts.recall());
        each(&format!("{prefix}{schema}/f1"), counts.f1());
    }
}

/// A table, and the protocol in a last line. The type stands last, so that names of any width leave
/// the columns in line.
impl fmt::Display for SpanReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}  type",
            "schema",
            "correct",
            "incorrect",
            "partial",
            "missed",
            "spurious",
            "precision",
            "recall",
            "f1"
        )?;
        let types = self.per_type.iter().map(|t| (&t.scores, visible_name(&t.entity_type)));
        for (scores, name) in std::iter::once((&self.overall, "(all)".to_owned())).chain(types) {
            for (schema, s) in scores.iter() {
                let c = &s.counts;
                let (correct, incorrect, partial) =
                    (c.correct.gold, c.incorrect.gold, c.partial.gold);
                writeln!(
                    f,
                    "{:<8} {correct:>9} {incorrect:>9} {partial:>9} {:>9} {:>9} {:>9.4} {:>9.4} {:>9.4}  {name}",
                    schema.name(),
                    c.missed,
                    c.spurious,
                    s.precision,
                    s.recall,
                    s.f1,
                )?;
            }
        }
        writeln!(f, "{}", self.protocol)
    }
}
