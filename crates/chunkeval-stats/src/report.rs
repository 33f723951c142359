//! [`IntervalReport`]: every score of a chunk report with its interval.

use std::fmt;

use chunkeval_core::{
    Average, AverageScores, ChunkCounts, Protocol, RowCounts, ZeroDivision, visible_name,
};
use serde::{Deserialize, Serialize};
use unicode_width::UnicodeWidthStr as _;

use crate::{ByType, Interval, Resampling, Result, TypeSums};

/// The scores of a chunk report with their intervals, all from the same resamples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IntervalReport {
    /// The averages (micro, macro, weighted), then every entity type, sorted by code point.
    pub rows: Vec<IntervalRow>,
    /// How the report was made, resampling included; printed, its signature.
    pub protocol: Protocol,
}

/// An average or an entity type; a score is `None` if it has nothing to divide by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IntervalRow {
    /// The entity type; `None` for an average.
    pub entity_type: Option<String>,
    /// `micro`, `macro`, `weighted`, or the entity type.
    pub name: String,
    /// Precision.
    pub precision: Option<Interval>,
    /// Recall.
    pub recall: Option<Interval>,
    /// F1.
    pub f1: Option<Interval>,
}

/// One score of the sums of a resample.
type Score = Box<dyn Fn(&TypeSums) -> Option<f64> + Send + Sync>;

impl Resampling {
    /// Precision, recall and F1 with their intervals: micro, macro and weighted averages, and of
    /// each entity type. Averages are those of seqeval, over the types that a resample has.
    ///
    /// A type that is rare is missing from many resamples; its intervals say from how many
    /// (`undefined`), and come from the others, as those of the micro average do. Macro and weighted
    /// averages take an undefined score of a type that a resample has as 0, as their values do.
    ///
    /// # Errors
    /// As for [`interval`](Resampling::interval); undefined scores are no error but `None`.
    pub fn report(&self, rows: &RowCounts) -> Result<IntervalReport> {
        let units = ByType::of(rows)?;
        let averages = Average::ALL.into_iter().flat_map(of_average);
        let types = (0..units.types().len()).flat_map(of_type);
        let scores: Vec<Score> = averages.chain(types).collect();
        let mut intervals = self.intervals(&units, &scores)?.into_iter();

        let protocol = self.protocol(rows);
        let averages = Average::ALL.iter().map(|average| (None, average.name().to_owned()));
        let types = units.types().iter().map(|name| (Some(name.clone()), name.clone()));
        let rows = averages.chain(types).map(|(entity_type, name)| {
            let mut next = || intervals.next().flatten();
            IntervalRow { entity_type, name, precision: next(), recall: next(), f1: next() }
        });
        Ok(IntervalReport { rows: rows.collect(), protocol })
    }

    /// The signature of intervals around the scores of some rows.
    fn protocol(&self, rows: &RowCounts) -> Protocol {
        let protocol = rows.protocol().clone();
        protocol
            .with("average", Average::ALL.map(Average::name).join("+"))
            .with("zero", ZeroDivision::Zero)
            .with("interval", self.method)
            .with("level", self.level)
            .with("resamples", self.resamples)
            .with("seed", self.seed)
    }
}

/// Precision, recall and F1 of an average.
fn of_average(average: Average) -> [Score; 3] {
    if average == Average::Micro {
        return of_counts(|sums| Some(sums.total));
    }
    let score = |of: fn(AverageScores) -> f64| -> Score {
        Box::new(move |sums| sums.average(average).map(of))
    };
    [score(|s| s.precision), score(|s| s.recall), score(|s| s.f_score)]
}

/// Precision, recall and F1 of a type.
fn of_type(index: usize) -> [Score; 3] {
    of_counts(move |sums| sums.per_type.get(index).copied())
}

fn of_counts(
    counts: impl Fn(&TypeSums) -> Option<ChunkCounts> + Copy + Send + Sync + 'static,
) -> [Score; 3] {
    let score =
        |of: fn(&ChunkCounts) -> Option<f64>| -> Score { Box::new(move |sums| of(&counts(sums)?)) };
    [score(ChunkCounts::precision), score(ChunkCounts::recall), score(ChunkCounts::f1)]
}

impl IntervalReport {
    /// The row of an average: `micro`, `macro` or `weighted`.
    #[must_use]
    pub fn average(&self, average: Average) -> Option<&IntervalRow> {
        self.rows.iter().find(|row| row.entity_type.is_none() && row.name == average.name())
    }

    /// The row of an entity type.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&IntervalRow> {
        self.rows.iter().find(|row| row.entity_type.as_deref() == Some(entity_type))
    }

    /// How the intervals were made, in one line: level, method, resamples, what they are of, seed,
    /// and in how many resamples a score was undefined (those intervals are marked `*` in print).
    /// What was resampled is called `units`: `sentences`, for example. `None` if every score is
    /// undefined.
    #[must_use]
    pub fn how(&self, units: &str) -> Option<String> {
        let Interval { level, method, resamples, units: of, seed, .. } = self.intervals().next()?;
        let percent = crate::interval::percent(*level);
        let how = format!(
            "{percent}% {method} intervals, {resamples} resamples of {of} {units}, seed {seed}"
        );
        Some(match self.intervals().map(|interval| interval.undefined).max() {
            None | Some(0) => how,
            Some(most) => format!(
                "{how}; *: undefined in up to {most} of them, which types and the micro average leave \
                 out; macro and weighted averages take such a score as 0"
            ),
        })
    }

    fn intervals(&self) -> impl Iterator<Item = &Interval> {
        self.rows.iter().flat_map(|row| [&row.precision, &row.recall, &row.f1]).flatten()
    }
}

impl IntervalRow {
    /// What stands before the row.
    fn label(&self) -> String {
        self.entity_type.as_deref().map_or_else(|| self.name.clone(), visible_name)
    }
}

/// A table with a row for each average and type, a line that says how the intervals were made, and
/// the signature. An interval with a `*` misses some resamples, in which there was nothing to divide
/// by.
impl fmt::Display for IntervalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(4);
        let cell = |interval: &Option<Interval>| match interval {
            None => "undefined".to_owned(),
            Some(Interval { point, low, high, undefined, .. }) => {
                let mark = if *undefined > 0 { "*" } else { "" };
                format!("{point:.digits$} [{low:.digits$}, {high:.digits$}]{mark}")
            }
        };
        let cells = self
            .rows
            .iter()
            .map(|row| [row.label(), cell(&row.precision), cell(&row.recall), cell(&row.f1)]);
        let head = ["", "precision", "recall", "f1"].map(str::to_owned);
        let table: Vec<_> = [head].into_iter().chain(cells).collect();
        let width =
            |column: usize| table.iter().map(|row| row.get(column).map_or(0, |c| c.width())).max();
        let [w0, w1, w2] = [0, 1, 2].map(|column| width(column).unwrap_or(0));
        for [name, precision, recall, f1] in &table {
            let indent = w0.saturating_sub(name.width()); // wide characters take two cells
            writeln!(f, "{:indent$}{name}  {precision:<w1$}  {recall:<w2$}  {f1}", "")?;
        }
        if let Some(how) = self.how("units") {
            writeln!(f, "{how}")?;
        }
        write!(f, "{}", self.protocol)
    }
}
