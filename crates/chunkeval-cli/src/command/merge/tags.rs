//! The state of `chunkeval tags`.

use chunkeval_core::{RowCounts, SideBySideState, Snapshot, TokenCounts};
use chunkeval_stats::Resampling;
use serde::{Deserialize, Serialize};

use super::state::State;
use crate::command::tags;
use crate::command::tell::Unit;
use crate::output::{Format, OutputArgs, Page};
use crate::tags::{Reading, Resampled, Scored, Sentences};
use crate::unusable::{Fault, Unusable};
use crate::{Error, Result};

/// What `tags` has counted, with everything that it depends on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagsState {
    format: String,
    reading: Reading,
    /// All labels, sorted by code point.
    labels: Vec<String>,
    state: Snapshot<SideBySideState>,
    tokens: TokenCounts,
    /// The counts of each unit in the first mode, where intervals were asked for.
    rows: Option<RowCounts>,
    /// The same in the other modes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows_of_others: Vec<RowCounts>,
    /// What they are the counts of.
    #[serde(default)]
    unit: Resampled,
    /// Sentences that could not be used, and the first of them.
    left_out: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out_places: Vec<Fault>,
    /// What was scored, if it is one file: its name stands beside the lines of a sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Whether it is a part only, since Ctrl-C ended it.
    interrupted: bool,
}

impl TagsState {
    /// The state of a result.
    ///
    /// # Errors
    /// Counts overflow.
    pub(crate) fn new(scored: &Scored, file: Option<String>) -> Result<Self> {
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            reading: scored.reading.clone(),
            labels: scored.labels.clone(),
            state: Snapshot::of(&scored.metric()?),
            tokens: scored.tokens,
            rows: scored.rows.first().cloned(),
            rows_of_others: scored.rows.iter().skip(1).cloned().collect(),
            unit: scored.unit,
            left_out: scored.unusable.sentences,
            left_out_places: scored.unusable.first.clone(),
            file,
            interrupted: scored.interrupted,
        })
    }

    /// The result of which this is the state.
    ///
    /// # Errors
    /// The state is not one that can have been counted.
    pub(crate) fn scored(&self) -> Result<Scored> {
        let mut metric = self.reading.metric(&self.labels)?;
        self.state.restore_into(&mut metric)?;
        Ok(Scored {
            reading: self.reading.clone(),
            detected: None,
            labels: self.labels.clone(),
            buckets: vec![("all".to_owned(), metric)],
            tokens: self.tokens,
            whole: None,
            errors: Vec::new(),
            examples: Vec::new(),
            rows: self.all_rows().cloned().collect(),
            unit: self.unit,
            sentences: Sentences::default(),
            begins: Vec::new(),
            unusable: self.gap().0,
            bare: false, // whoever saved it was told
            interrupted: self.interrupted,
        })
    }

    /// The counts of each unit in each mode.
    fn all_rows(&self) -> impl Iterator<Item = &RowCounts> {
        self.rows.iter().chain(&self.rows_of_others)
    }

    fn left_out(&self) -> Unusable {
        Unusable { sentences: self.left_out, first: self.left_out_places.clone() }
    }
}

impl State for TagsState {
    const LACKS: &str = "A saved state has counts, and no texts: errors and scores by length or type \
                         are in the reports of the parts.";
    const FORMAT: &str = "chunkeval tags state 1";

    fn check(&self) -> Result<()> {
        self.scored().map(drop)
    }

    fn difference(&self, other: &Self) -> Option<String> {
        let units = (self.unit.name(), other.unit.name());
        self.reading.difference(&other.reading).or_else(|| {
            (self.rows.is_some() && other.rows.is_some() && units.0 != units.1)
                .then(|| format!("--unit {} and {}", units.0, units.1))
        })
    }

    /// The sum of two, under all labels of both.
    fn plus(&self, other: &Self, names: [&str; 2]) -> Result<Self> {
        let mut labels: Vec<String> = self.labels.iter().chain(&other.labels).cloned().collect();
        labels.sort_unstable();
        labels.dedup();
        let mut sum = self.reading.metric(&labels)?;
        let metrics = [self.scored()?.metric()?, other.scored()?.metric()?];
        for part in &metrics {
            sum.absorb(part)?;
        }
        let mut rows = Vec::new();
        let both = self.all_rows().zip(other.all_rows());
        for (at, (whole, both)) in sum.readings().iter().zip(both).enumerate() {
            let mut of_mode = RowCounts::new(whole);
            for (counted, metric) in [both.0, both.1].into_iter().zip(&metrics) {
                if let Some(part) = metric.readings().get(at) {
                    of_mode.append(&counted.clone().moved(part, whole)?)?;
                }
            }
            rows.push(of_mode);
        }
        let mut rows = rows.into_iter();
        let mut left_out = Unusable::default();
        for (part, name) in [self, other].into_iter().zip(names) {
            left_out.add(part.left_out().of_file(part.file.as_deref().unwrap_or(name)));
        }
        let (a, b) = (self.tokens, other.tokens);
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            reading: self.reading.clone(),
            state: Snapshot::of(&sum),
            labels,
            tokens: TokenCounts {
                true_positive: a.true_positive.saturating_add(b.true_positive),
                false_positive: a.false_positive.saturating_add(b.false_positive),
                false_negative: a.false_negative.saturating_add(b.false_negative),
                true_negative: a.true_negative.saturating_add(b.true_negative),
            },
            rows: rows.next(),
            rows_of_others: rows.collect(),
            unit: self.unit,
            left_out: left_out.sentences,
            left_out_places: left_out.first,
            file: None,
            interrupted: self.interrupted || other.interrupted,
        })
    }

    fn page(&self, title: &str, how: &OutputArgs, intervals: Option<Resampling>) -> Result<Page> {
        if intervals.is_some() && self.rows.is_none() {
            let reason = "--ci: a state has no counts of each sentence".to_owned();
            let hint = Some("score every part with --ci, too".to_owned());
            return Err(Error::Mismatch { reason, hint });
        }
        let html = (how.format == Format::Html).then(|| tags::Html::new(title, how.digits));
        tags::page(&self.scored()?, &tags::Options { html, intervals, ..tags::Options::default() })
    }

    fn gap(&self) -> (Unusable, Unit, bool) {
        let left_out = self.left_out();
        let left_out = match &self.file {
            Some(file) => left_out.of_file(file),
            None => left_out,
        };
        (left_out, Unit::Sentence, self.interrupted)
    }
}
