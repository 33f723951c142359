//! The value of a [`WeightedChunkEvaluator`](crate::WeightedChunkEvaluator).

use serde::Serialize;

use crate::{Diagnostics, Protocol, Scalars};

/// The value of a [`WeightedChunkEvaluator`](crate::WeightedChunkEvaluator).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedChunkReport {
    /// Over all chunks (micro average).
    pub overall: WeightedScores,
    /// Every entity type of the label list, sorted by code point.
    pub per_type: Vec<WeightedTypeScores>,
    /// Rows of weight 0: they were read, and changed no score.
    pub weightless: u64,
    /// What was seen, whatever its weight.
    pub diagnostics: Diagnostics,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

/// The scores of one entity type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedTypeScores {
    /// The entity type; `_` for labels without one.
    pub entity_type: String,
    /// Its scores.
    #[serde(flatten)]
    pub scores: WeightedScores,
}

/// Scores with the weights behind them; `None` is undefined, as there is nothing to divide by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WeightedScores {
    /// correct / predicted.
    pub precision: Option<f64>,
    /// correct / gold.
    pub recall: Option<f64>,
    /// 2 · precision · recall / (precision + recall), with 0 for an undefined one; `None` if both
    /// are.
    pub f1: Option<f64>,
    /// The weight of the gold chunks (the support).
    pub gold: f64,
    /// The weight of the predicted chunks.
    pub predicted: f64,
    /// The weight of the correct chunks.
    pub correct: f64,
}

impl WeightedChunkReport {
    /// The scores of an entity type, if the label list has it.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&WeightedScores> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
    }
}

/// `precision`, `recall`, `f1`, then `per_type/PER/precision` and so on, as for `ChunkReport`.
impl Scalars for WeightedChunkReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        let mut visit = |prefix: &str, scores: &WeightedScores| {
            each(&format!("{prefix}precision"), scores.precision);
            each(&format!("{prefix}recall"), scores.recall);
            each(&format!("{prefix}f1"), scores.f1);
        };
        visit("", &self.overall);
        for t in &self.per_type {
            visit(&format!("per_type/{}/", t.entity_type), &t.scores);
        }
    }
}
