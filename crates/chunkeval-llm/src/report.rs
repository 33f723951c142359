//! The value of an [`ExtractionEvaluator`](crate::ExtractionEvaluator).

use std::collections::BTreeMap;
use std::fmt;

use chunkeval_core::{Protocol, Scalars};
use serde::Serialize;

use crate::state::ReadingState;
use crate::{
    AnswerCounts, AnswerReading, ExtractionScores, ExtractionState, Health, HealthKind,
    MentionCounts, RecordCounts, RepairCounts, RepairKind, SchemaCounts, Treatment,
};

/// The scores of every reading under every treatment, and what is to be known about the answers.
///
/// Printed, it is a text with a table for each.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExtractionReport {
    /// Records seen, and what they came with.
    pub records: RecordCounts,
    /// In the order of the evaluator's list.
    pub readings: Vec<ReadingReport>,
    /// How the report was made. Each score has a line of its own.
    pub protocol: Protocol,
}

/// The scores of one reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReadingReport {
    /// How answers were read.
    pub reading: AnswerReading,
    /// What came of reading them.
    pub answers: AnswerCounts,
    /// Over the answers that were read: the published way.
    pub skip: ExtractionScores,
    /// Over all answers, those that were not read as empty ones.
    pub count_as_empty: ExtractionScores,
    /// As `skip`, over the types that were asked for; `None` where no record says which.
    pub schema_types_only: Option<ExtractionScores>,
    /// As `count_as_empty`, over the types that were asked for; `None` where no record says which.
    pub schema_types_count_as_empty: Option<ExtractionScores>,
    /// What answers had that was not asked for, and the other way round.
    pub schema: SchemaCounts,
    /// The extracted entities, and where they stand in the texts.
    pub mentions: MentionCounts,
    /// How many answers are of each kind, and which; kinds without an answer are left out.
    pub health: BTreeMap<HealthKind, Health>,
    /// How many answers had to be repaired in each way, and how often; ways that were not needed are
    /// left out.
    pub repairs: BTreeMap<RepairKind, RepairCounts>,
}

impl ExtractionReport {
    pub(crate) fn new(
        readings: &[AnswerReading],
        state: &ExtractionState,
        protocol: &Protocol,
    ) -> Self {
        let both = readings.iter().zip(&state.readings);
        let with_schema = state.records.with_schema > 0;
        let readings = both.map(|(&reading, of_reading)| {
            ReadingReport::new(reading, of_reading, with_schema, protocol)
        });
        let readings = readings.collect();
        Self { records: state.records, readings, protocol: protocol.clone() }
    }

    /// The report of a reading, if answers were read in that way.
    #[must_use]
    pub fn get(&self, reading: AnswerReading) -> Option<&ReadingReport> {
        self.readings.iter().find(|of| of.reading == reading)
    }
}

impl ReadingReport {
    fn new(
        reading: AnswerReading,
        state: &ReadingState,
        with_schema: bool,
        protocol: &Protocol,
    ) -> Self {
        let protocol = protocol.clone().with("reading", reading);
        let scores = |treatment| ExtractionScores::new(treatment, state, protocol.clone());
        Self {
            reading,
            answers: state.answers,
            skip: scores(Treatment::Skip),
            count_as_empty: scores(Treatment::CountAsEmpty),
            schema_types_only: with_schema.then(|| scores(Treatment::SchemaTypesOnly)),
            schema_types_count_as_empty: with_schema
                .then(|| scores(Treatment::SchemaTypesCountAsEmpty)),
            schema: state.schema,
            mentions: state.mentions,
            health: state.health.clone(),
            repairs: state.repairs.clone(),
        }
    }

    /// The scores under a treatment.
    #[must_use]
    pub fn scores(&self, treatment: Treatment) -> Option<&ExtractionScores> {
        match treatment {
            Treatment::Skip => Some(&self.skip),
            Treatment::CountAsEmpty => Some(&self.count_as_empty),
            Treatment::SchemaTypesOnly => self.schema_types_only.as_ref(),
            Treatment::SchemaTypesCountAsEmpty => self.schema_types_count_as_empty.as_ref(),
        }
    }

    /// Over how many answers the scores under a treatment are taken.
    #[must_use]
    pub fn scored(&self, treatment: Treatment) -> u64 {
        let read = self.answers.read();
        match treatment.counts_unreadable() {
            true => read.saturating_add(self.answers.unreadable()),
            false => read,
        }
    }

    /// How many answers are of a kind, and the first of them.
    #[must_use]
    pub fn health(&self, kind: HealthKind) -> Health {
        self.health.get(&kind).cloned().unwrap_or_default()
    }
}

/// `strict/skip/precision` and so on, as [`ExtractionScores`] has them, for each reading and
/// treatment; before them `strict/unreadable`, the share of answers that were not read.
impl Scalars for ExtractionReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        for of in &self.readings {
            let (reading, answers) = (of.reading, self.records.records);
            let share = of.answers.unreadable() as f64 / answers as f64;
            each(&format!("{reading}/unreadable"), Some(share).filter(|_| answers > 0));
            for treatment in Treatment::ALL {
                if let Some(scores) = of.scores(treatment) {
                    scores.visit(&mut |name, value| {
                        each(&format!("{reading}/{treatment}/{name}"), value);
                    });
                }
            }
        }
    }
}

impl fmt::Display for ExtractionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for of in &self.readings {
            write!(f, "{of}")?;
        }
        writeln!(f, "{}", self.protocol)
    }
}

impl fmt::Display for ReadingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = &self.answers;
        let answers = if a.read() == 1 { "answer" } else { "answers" };
        write!(f, "{} reading: {} {answers} read ", self.reading, a.read())?;
        write!(f, "({} clean, {} repaired, {} empty), ", a.clean, a.repaired, a.empty)?;
        write!(f, "{} not read ", a.unreadable())?;
        writeln!(f, "({} unparsable, {} of another shape)", a.unparsable, a.wrong_shape)?;
        for treatment in Treatment::ALL {
            let Some(scores) = self.scores(treatment) else { continue };
            writeln!(
                f,
                "{}",
                match treatment {
                    Treatment::Skip => "answers that were read, as published:",
                    Treatment::CountAsEmpty =>
                        "all answers, those that were not read as empty ones:",
                    Treatment::SchemaTypesOnly => {
                        "answers that were read, only the types that were asked for:"
                    }
                    Treatment::SchemaTypesCountAsEmpty => {
                        "all answers, only the types that were asked for:"
                    }
                }
            )?;
            let [p, r, f1] = ["precision", "recall", "f1"];
            let [gold, predicted, correct] = ["gold", "predicted", "correct"];
            writeln!(f, "{p:>9} {r:>9} {f1:>9} {gold:>9} {predicted:>9} {correct:>9}  type")?;
            write!(f, "{scores}")?;
        }
        for (kind, health) in &self.health {
            write!(f, "{:>9}  {kind}", health.answers)?;
            for (i, id) in health.first.iter().enumerate() {
                write!(f, "{} {id}", if i == 0 { ":" } else { "," })?;
            }
            let more = health.answers.saturating_sub(health.first.len() as u64);
            match more > 0 && !health.first.is_empty() {
                true => writeln!(f, ", and {more} more")?,
                false => writeln!(f)?,
            }
        }
        for (kind, RepairCounts { answers, repairs }) in &self.repairs {
            writeln!(f, "{answers:>9}  repaired {kind}: {repairs} in all")?;
        }
        Ok(())
    }
}
