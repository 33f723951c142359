//! Scores by type and averaged.

use std::fmt;

use chunkeval_core::{Beta, ChunkCounts, ChunkReport, Diagnostics, Protocol, ZeroDivision};
use chunkeval_stats::IntervalReport;

mod view;

use view::View;

/// Precision, recall and F score of every type found and of the averages, with support, intervals
/// where they are given, and the signature.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ZeroDivision};
/// use chunkeval_html::{Page, Scores};
///
/// let counts = |gold, predicted, correct| ChunkCounts { gold, predicted, correct };
/// let types = [("LOC", counts(4, 4, 3)), ("PER", counts(2, 1, 1))];
/// let scores = Scores::of_counts(counts(6, 5, 4), types, ZeroDivision::Zero);
/// let html = Page::new("A model").with(scores.digits(3)).to_string();
/// assert!(html.contains("0.727")); // micro: 2 · 4 / (6 + 5)
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Scores {
    title: String,
    total: ChunkCounts,
    types: Vec<(String, ChunkCounts)>,
    rule: ZeroDivision,
    beta: Beta,
    digits: usize,
    /// One row, and several.
    rows: [&'static str; 2],
    chunks: &'static str,
    /// What was resampled, if not rows.
    units: Option<&'static str>,
    intervals: Option<IntervalReport>,
    notes: Vec<String>,
    diagnostics: Option<Diagnostics>,
    protocol: Option<Protocol>,
}

impl Scores {
    /// The scores of a report, with what its diagnostics and its protocol say.
    pub fn of(report: &ChunkReport) -> Self {
        let types = report.per_type.iter().map(|t| (&*t.entity_type, t.scores.counts));
        Self {
            diagnostics: Some(report.diagnostics),
            protocol: Some(report.protocol.clone()),
            ..Self::of_counts(report.overall.counts, types, report.zero_division)
        }
    }

    /// The scores of counts over all types and of each; types without a chunk on either side are
    /// left out. The macro and weighted averages are those of [`Average::over`](chunkeval_core::Average::over).
    pub fn of_counts<T: Into<String>>(
        total: ChunkCounts,
        types: impl IntoIterator<Item = (T, ChunkCounts)>,
        rule: ZeroDivision,
    ) -> Self {
        let found = |counts: &ChunkCounts| counts.gold > 0 || counts.predicted > 0;
        let types = types.into_iter().filter(|t| found(&t.1));
        Self {
            title: "Scores".to_owned(),
            total,
            types: types.map(|(name, counts)| (name.into(), counts)).collect(),
            rule,
            beta: Beta::ONE,
            digits: 4,
            rows: ["row", "rows"],
            chunks: "chunks",
            units: None,
            intervals: None,
            notes: Vec::new(),
            diagnostics: None,
            protocol: None,
        }
    }

    /// Another heading than "Scores": which reading this is, where a page has several.
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// How many digits a score has after its point; 4 if not said.
    pub fn digits(self, digits: u16) -> Self {
        Self { digits: usize::from(digits), ..self }
    }

    /// What one row of what was scored is called, and several; and what is found in them:
    /// `["answer", "answers"]` and `entities`, for example, where nobody speaks of chunks.
    pub fn called(self, rows: [&'static str; 2], chunks: &'static str) -> Self {
        Self { rows, chunks, ..self }
    }

    /// Another F score than F1. Intervals of F1 are left out then.
    pub fn beta(self, beta: Beta) -> Self {
        Self { beta, ..self }
    }

    /// Intervals of the scores, by the names of averages and types.
    pub fn intervals(self, intervals: IntervalReport) -> Self {
        Self { intervals: Some(intervals), ..self }
    }

    /// Something that is to be known about these scores, in a sentence below the table.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// What the intervals resampled, where that is not one row: `documents`, for example.
    pub fn resampled(self, units: &'static str) -> Self {
        Self { units: Some(units), ..self }
    }

    /// How the scores were made, if it is not known from a report.
    pub fn protocol(self, protocol: Protocol) -> Self {
        Self { protocol: Some(protocol), ..self }
    }

    fn units(&self) -> &'static str {
        let [_, rows] = self.rows;
        self.units.unwrap_or(rows)
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn html(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", View::of(self))
    }
}
