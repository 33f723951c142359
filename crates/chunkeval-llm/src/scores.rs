//! [`ExtractionScores`]: precision, recall and F1 over some answers and types.

use std::fmt;

use chunkeval_core::{
    Average, AverageScores, Beta, ChunkCounts, ChunkReport, Protocol, Result, Scalars, Scores,
    ZeroDivision,
};
use serde::Serialize;

use crate::Treatment;
use crate::state::{ReadingState, Share};

/// The scores of one reading under one [`Treatment`]; 0 where there is nothing to divide by, and
/// undefined (`None`) as scalars.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExtractionScores {
    /// Over which answers and types.
    pub treatment: Treatment,
    /// Over all entities (micro average).
    pub overall: Scores,
    /// The mean over the types below.
    pub macro_average: MacroScores,
    /// Every type that a label or an answer names, with an empty list or not, sorted by code point.
    pub per_type: Vec<ExtractionTypeScores>,
    /// How the scores were made; printed, their signature.
    pub protocol: Protocol,
}

/// The mean scores of all types that were named, as the published loop takes them. A type that has
/// no entity on either side pulls them down;
/// [`average`](ExtractionScores::average) leaves such types out, as seqeval does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MacroScores {
    /// The mean precision.
    pub precision: f64,
    /// The mean recall.
    pub recall: f64,
    /// The mean F1.
    pub f1: f64,
    /// Of how many types.
    pub types: usize,
}

/// The scores of one entity type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExtractionTypeScores {
    /// The entity type.
    pub entity_type: String,
    /// In how many records it is named, by label or answer.
    pub records: u64,
    /// Its scores.
    #[serde(flatten)]
    pub scores: Scores,
}

impl ExtractionScores {
    pub(crate) fn new(treatment: Treatment, state: &ReadingState, protocol: Protocol) -> Self {
        let share = |of_type: &crate::state::TypeState| -> Result<Share> {
            match treatment {
                Treatment::Skip => Ok(of_type.read),
                Treatment::CountAsEmpty => of_type.all(),
                Treatment::SchemaTypesOnly => Ok(of_type.asked),
                Treatment::SchemaTypesCountAsEmpty => of_type.all_asked(),
            }
        };
        let mut total = ChunkCounts::default();
        let mut per_type = Vec::with_capacity(state.types.len());
        for (name, of_type) in &state.types {
            // A state whose sums overflow is refused when it is merged.
            let Share { records, counts } = share(of_type).unwrap_or_default();
            if records > 0 {
                let scores = counts.scores(ZeroDivision::Zero);
                let _ = total.add(&counts);
                per_type.push(ExtractionTypeScores { entity_type: name.clone(), records, scores });
            }
        }
        let types = per_type.len();
        let mean = |of: fn(&Scores) -> f64| match types {
            0 => 0.0,
            _ => per_type.iter().map(|t| of(&t.scores)).sum::<f64>() / types as f64,
        };
        let (precision, recall, f1) = (mean(|s| s.precision), mean(|s| s.recall), mean(|s| s.f1));
        let macro_average = MacroScores { precision, recall, f1, types };
        let overall = total.scores(ZeroDivision::Zero);
        let protocol = treatment
            .sign(protocol)
            .with("average", "micro+macro")
            .with("zero", ZeroDivision::Zero);
        Self { treatment, overall, macro_average, per_type, protocol }
    }

    /// The scores of an entity type, if it was named.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&Scores> {
        self.per_type.iter().find(|t| t.entity_type == entity_type).map(|t| &t.scores)
    }

    /// The same as a report of chunks, which all tables and comparisons take; it is about so many
    /// records. It has the averages of [`average`](ExtractionScores::average), the weighted one among
    /// them, and its signature says so.
    ///
    /// # Errors
    /// The fields were changed: counts are impossible, or a type stands twice, as
    /// [`ChunkReport::of_counts`] says.
    pub fn chunk_report(&self, records: u64) -> Result<ChunkReport> {
        let types = self.per_type.iter().map(|t| (t.entity_type.clone(), t.scores.counts));
        let protocol = self.protocol.clone().with("average", "micro+macro+weighted");
        ChunkReport::of_counts(types, records, ZeroDivision::Zero, protocol)
    }

    /// An average by seqeval's rule, which leaves out types without an entity on either side.
    #[must_use]
    pub fn average(&self, average: Average) -> AverageScores {
        let types = self.per_type.iter().map(|t| t.scores.counts);
        average.over(types, Beta::ONE, ZeroDivision::Zero)
    }
}

/// `precision`, `recall`, `f1`, `macro_f1`, then `per_type/PER/precision` and so on.
impl Scalars for ExtractionScores {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        let counts = &self.overall.counts;
        visit(counts, "", each);
        each("macro_f1", Some(self.macro_average.f1).filter(|_| self.macro_average.types > 0));
        for t in &self.per_type {
            visit(&t.scores.counts, &format!("per_type/{}/", t.entity_type), each);
        }
    }
}

fn visit(counts: &ChunkCounts, prefix: &str, each: &mut dyn FnMut(&str, Option<f64>)) {
    each(&format!("{prefix}precision"), counts.precision());
    each(&format!("{prefix}recall"), counts.recall());
    each(&format!("{prefix}f1"), counts.f1());
}

/// A table without a head; the names stand last, so that wide ones leave the columns in line.
impl fmt::Display for ExtractionScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for t in &self.per_type {
            let Scores { precision, recall, f1, counts, .. } = t.scores;
            let ChunkCounts { gold, predicted, correct } = counts;
            write!(f, "{precision:>9.4} {recall:>9.4} {f1:>9.4} ")?;
            writeln!(f, "{gold:>9} {predicted:>9} {correct:>9}  {}", t.entity_type)?;
        }
        let Scores { precision, recall, f1, counts, .. } = self.overall;
        let ChunkCounts { gold, predicted, correct } = counts;
        write!(f, "{precision:>9.4} {recall:>9.4} {f1:>9.4} ")?;
        writeln!(f, "{gold:>9} {predicted:>9} {correct:>9}  (micro)")?;
        let MacroScores { precision, recall, f1, .. } = self.macro_average;
        writeln!(f, "{precision:>9.4} {recall:>9.4} {f1:>9.4} {:>29}  (macro)", "")
    }
}
