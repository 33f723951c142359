//! What there is to draw of a checkpoint.

use chunkeval_core::{ChunkReport, SideBySideReport};
use chunkeval_llm::{HealthKind, Treatment};

use crate::Result;
use crate::command::llm::{Tables, counts_first};
use crate::llm;

/// The scores of a checkpoint, and what is drawn besides.
pub(super) struct Found {
    /// Of tags one for each reading, of answers one for each reading and treatment, in the order of
    /// their report.
    pub(super) series: Vec<Series>,
    /// How many answers are of each kind of health and the like, by the ends of their tags.
    pub(super) others: Vec<(String, f64)>,
}

/// Scores under tags of their own.
pub(super) struct Series {
    /// How tags or answers were read.
    pub(super) reading: String,
    /// What became of answers that could not be read; `None` of tags.
    pub(super) treatment: Option<Treatment>,
    /// What stands before the names of its scores, behind the split.
    pub(super) prefix: String,
    pub(super) report: ChunkReport,
}

impl Found {
    /// The scores of tags. Those of the first reading have plain names, `f1`; those of another one
    /// its name before them, `IOB2/f1`.
    pub(super) fn of_tags(modes: SideBySideReport) -> Self {
        let series = modes.modes.into_iter().enumerate().map(|(at, mode)| Series {
            prefix: if at == 0 { String::new() } else { format!("{}/", mode.name) },
            reading: mode.name,
            treatment: None,
            report: mode.report,
        });
        Self { series: series.collect(), others: Vec::new() }
    }

    /// The scores of answers, those of these tables. Names are those of
    /// [`ExtractionReport`](chunkeval_llm::ExtractionReport) as scalars.
    ///
    /// # Errors
    /// A sum of counts overflows.
    pub(super) fn of_answers(scored: &llm::Scored, tables: Tables) -> Result<Self> {
        let report = scored.report();
        let mut found = Self { series: Vec::new(), others: Vec::new() };
        for of in &report.readings {
            for treatment in counts_first(&tables.treatments()) {
                let Some(scores) = of.scores(treatment) else { continue };
                let report = scores.chunk_report(of.scored(treatment))?;
                let (reading, prefix) =
                    (of.reading.to_string(), format!("{}/{treatment}/", of.reading));
                if scores.macro_average.types > 0 {
                    found.others.push((format!("{prefix}macro_f1"), scores.macro_average.f1));
                }
                let treatment = Some(treatment);
                found.series.push(Series { reading, treatment, prefix, report });
            }
            let (reading, answers) = (of.reading, report.records.records);
            if answers > 0 {
                let share = of.answers.unreadable() as f64 / answers as f64;
                found.others.push((format!("{reading}/unreadable"), share));
            }
            for kind in HealthKind::ALL {
                let count = of.health(kind).answers as f64;
                found.others.push((health(reading.name(), kind), count));
            }
        }
        Ok(found)
    }
}

impl Series {
    /// In what the scoring of two differs, by the names of their signatures. How a scheme became
    /// known makes no difference.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let value = |of: &Self, name| of.report.protocol.get(name).unwrap_or("-").to_owned();
        let names = [self, other].map(|of| of.report.protocol.entries().map(|entry| entry.0));
        let names = names.into_iter().flatten().filter(|name| *name != "detected");
        let mut values = names.map(|name| (name, value(self, name), value(other, name)));
        let (name, mine, theirs) = values.find(|(_, mine, theirs)| mine != theirs)?;
        Some(format!("{name} {mine} and {theirs}"))
    }
}

/// The name of the number of answers of a kind.
pub(super) fn health(reading: &str, kind: HealthKind) -> String {
    format!("{reading}/health/{kind}")
}
