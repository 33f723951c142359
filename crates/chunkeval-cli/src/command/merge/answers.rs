//! The state of `chunkeval llm`.

use chunkeval_core::{Error as CoreError, Mergeable, Metric as _, Snapshot};
use chunkeval_llm::{ExtractionEvaluator, ExtractionRows, ExtractionState, Treatment};
use chunkeval_stats::Resampling;
use serde::{Deserialize, Serialize};

use super::state::State;
use crate::command::llm;
use crate::command::tell::Unit;
use crate::llm::{Scored, Settings};
use crate::output::{Format, OutputArgs, Page};
use crate::unusable::{Fault, Unusable};
use crate::{Error, Result};

/// What `llm` has counted, with everything that it depends on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswersState {
    format: String,
    settings: Settings,
    /// The tables that were asked for.
    tables: llm::Tables,
    /// What was scored, if it is one file: its name stands beside the lines of a sum.
    file: Option<String>,
    state: Snapshot<ExtractionState>,
    /// The counts of each answer in each reading, where intervals were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<ExtractionRows>,
    /// Lines that could not be used, and the first of them.
    left_out: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out_places: Vec<Fault>,
    /// Whether it is a part only, since Ctrl-C ended it.
    interrupted: bool,
    /// Lines with the id of a line before in their own part, if ids were compared in any.
    #[serde(default)]
    repeated_ids: Option<u64>,
}

impl AnswersState {
    /// The state of a result.
    pub(crate) fn new(scored: &Scored, tables: llm::Tables, file: Option<String>) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            settings: Settings::of(&scored.metric),
            tables,
            file,
            state: Snapshot::of(&scored.metric),
            rows: scored.rows.clone(),
            left_out: scored.unusable.sentences,
            left_out_places: scored.unusable.first.clone(),
            interrupted: scored.interrupted,
            repeated_ids: scored.repeated_ids.as_ref().map(|repeated| repeated.lines),
        }
    }

    /// The tables that were asked for.
    pub(crate) fn tables(&self) -> llm::Tables {
        self.tables
    }

    /// The result of which this is the state.
    ///
    /// # Errors
    /// The state is not one that can have been counted.
    pub(crate) fn scored(&self) -> Result<Scored> {
        let (unusable, _, interrupted) = self.gap();
        let metric = self.metric()?;
        let rows = self.rows_of(&metric)?;
        Ok(Scored { rows, ..Scored::of(metric, unusable, interrupted) })
    }

    /// The counts of each answer, which must be those of the evaluator.
    ///
    /// # Errors
    /// They are not.
    fn rows_of(&self, metric: &ExtractionEvaluator) -> Result<Vec<ExtractionRows>> {
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        let report = metric.accumulate();
        let mut saved = self.rows.iter();
        let rows = report.readings.iter().map(|of| {
            let mut rows = ExtractionRows::new(metric, of.reading);
            saved.next().map_or(Ok(()), |saved| rows.append(saved))?;
            let total = rows.row_counts(Treatment::CountAsEmpty)?.total();
            let whole = rows.len() as u64 == report.records.records;
            match whole && total == of.count_as_empty.overall.counts {
                true => Ok(rows),
                false => Err(CoreError::config("rows", "they are not those of the counts")),
            }
        });
        let rows = rows.collect::<Result<Vec<_>, CoreError>>()?;
        match saved.next() {
            None => Ok(rows),
            Some(_) => Err(CoreError::config("rows", "they are of more readings").into()),
        }
    }

    fn left_out(&self) -> Unusable {
        Unusable { sentences: self.left_out, first: self.left_out_places.clone() }
    }

    fn metric(&self) -> Result<ExtractionEvaluator> {
        let mut metric = self.settings.metric()?;
        self.state.restore_into(&mut metric)?;
        Ok(metric)
    }
}

impl State for AnswersState {
    const LACKS: &str = "A saved state has counts, and no texts: errors and scores by length or type \
                         are in the reports of the parts.";
    const FORMAT: &str = "chunkeval llm state 2";

    fn check(&self) -> Result<()> {
        self.scored().map(drop)
    }

    fn difference(&self, other: &Self) -> Option<String> {
        self.settings.difference(&other.settings).or_else(|| self.tables.difference(other.tables))
    }

    /// The sum, with the file of each answer and line that is listed; of standard input, that of the
    /// state. Of each kind it lists as many as the part that lists fewest.
    fn plus(&self, other: &Self, names: [&str; 2]) -> Result<Self> {
        let settings = self.settings.common(&other.settings);
        let mut sum = settings.metric()?;
        let mut left_out = Unusable::default();
        for (part, name) in [self, other].into_iter().zip(names) {
            let file = part.file.as_deref().unwrap_or(name);
            let state = part.metric()?.state().clone().of_file(file);
            sum.merge(&state.list_first(settings.listed()))?;
            left_out.add(part.left_out().of_file(file));
        }
        let mut rows = Vec::new();
        for (mine, theirs) in self.rows.iter().zip(&other.rows) {
            let mut of_reading = mine.clone();
            of_reading.append(theirs)?;
            rows.push(of_reading);
        }
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            settings,
            tables: self.tables,
            file: None,
            state: Snapshot::of(&sum),
            rows,
            left_out: left_out.sentences,
            left_out_places: left_out.first,
            interrupted: self.interrupted || other.interrupted,
            repeated_ids: match (self.repeated_ids, other.repeated_ids) {
                (Some(mine), Some(theirs)) => Some(mine.saturating_add(theirs)),
                (mine, theirs) => mine.or(theirs),
            },
        })
    }

    fn page(&self, title: &str, how: &OutputArgs, intervals: Option<Resampling>) -> Result<Page> {
        if intervals.is_some() && self.rows.is_empty() {
            let reason = "--ci: a state has no counts of each answer".to_owned();
            let hint = Some("score every part with --ci, too".to_owned());
            return Err(Error::Mismatch { reason, hint });
        }
        let scored = self.scored()?;
        let html = (how.format == Format::Html).then(|| llm::Html::new(title, how.digits));
        let (tables, repeated_in_parts) = (self.tables, self.repeated_ids);
        let list_clean = how.format == Format::Json;
        let options = llm::Options {
            tables,
            intervals,
            repeated_in_parts,
            list_clean,
            list_errors: false,
            by: Vec::new(),
            digits: how.digits,
            html,
        };
        llm::page(&scored, &options)
    }

    fn gap(&self) -> (Unusable, Unit, bool) {
        let left_out = self.left_out();
        let left_out = match &self.file {
            Some(file) => left_out.of_file(file),
            None => left_out,
        };
        (left_out, Unit::Line, self.interrupted)
    }
}
