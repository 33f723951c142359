//! The numbers of [`Scores`] as they stand in the template.

use askama::Template;
use chunkeval_core::{Average, Beta, ChunkCounts, Diagnostics, Protocol};
use chunkeval_stats::{Interval, IntervalRow};

use super::Scores;
use crate::bar::Bar;
use crate::text::{Text, counted, score};

#[derive(Template)]
#[template(path = "scores.html")]
pub(super) struct View {
    f_name: String,
    chunks: &'static str,
    /// The scores that most people look for, by name.
    headline: Vec<(String, Cell)>,
    facts: Vec<String>,
    /// Types, then averages.
    bodies: [Vec<Row>; 2],
    signature: Option<Text>,
}

/// A type, or an average.
struct Row {
    name: Text,
    bar: Bar,
    /// F score, precision and recall.
    scores: [Cell; 3],
    support: u64,
    /// Predicted and correct chunks; an average over types has none.
    counts: Option<ChunkCounts>,
}

/// A score and its interval.
#[derive(Clone)]
struct Cell {
    value: String,
    interval: Option<String>,
}

impl View {
    pub(super) fn of(scores: &Scores) -> Self {
        let f_name = format!("F{}", scores.beta);
        let types = scores.types.iter().map(|(name, counts)| {
            let intervals = scores.intervals.as_ref().and_then(|i| i.get(name));
            Row::of_counts(scores, Text::name(name), *counts, intervals)
        });
        let averages: Vec<Row> = Average::ALL.map(|a| Row::of_average(scores, a)).into();
        let mut headline = Vec::new();
        for (index, row) in averages.iter().enumerate() {
            let named = [&f_name, "precision", "recall"].into_iter().zip(&row.scores);
            let shown = if index == 0 { 3 } else { 1 };
            let named = named.map(|(of, cell)| (format!("{} {of}", row.name), cell.clone()));
            headline.extend(named.take(shown));
        }
        let bodies = [types.collect(), averages];
        let signature = signature(scores).map(|protocol| Text::new(&protocol.to_string()));
        Self { f_name, chunks: scores.chunks, headline, facts: facts(scores), bodies, signature }
    }
}

impl Row {
    fn of_counts(
        scores: &Scores,
        name: Text,
        counts: ChunkCounts,
        intervals: Option<&IntervalRow>,
    ) -> Self {
        let of = counts.scores(scores.rule);
        let values = [of.precision, of.recall, counts.f_beta(scores.beta, scores.rule)];
        let row = Self::new(scores, name, values, intervals);
        Self { support: counts.gold, counts: Some(counts), ..row }
    }

    fn of_average(scores: &Scores, average: Average) -> Self {
        let intervals = scores.intervals.as_ref().and_then(|i| i.average(average));
        let name = Text::new(average.name());
        if average == Average::Micro {
            return Self::of_counts(scores, name, scores.total, intervals);
        }
        let types = scores.types.iter().map(|t| t.1);
        let of = average.over(types, scores.beta, scores.rule);
        let row = Self::new(scores, name, [of.precision, of.recall, of.f_score], intervals);
        Self { support: of.support, ..row }
    }

    fn new(scores: &Scores, name: Text, values: [f64; 3], intervals: Option<&IntervalRow>) -> Self {
        let digits = scores.digits;
        let cell = |value: Option<f64>, interval: Option<Interval>| Cell {
            value: score(value, digits),
            interval: interval.map(|i| {
                let mark = if i.undefined > 0 { "*" } else { "" };
                let [low, high] = [i.low, i.high].map(|end| format!("{end:.digits$}"));
                // The same score in every resample.
                if low == high {
                    format!("no spread{mark}")
                } else {
                    format!("{low}–{high}{mark}")
                }
            }),
        };
        let [precision, recall, f_score] = values.map(|v| Some(v).filter(|v| !v.is_nan()));
        let of_f1 = intervals.and_then(|i| i.f1).filter(|_| scores.beta == Beta::ONE);
        let label = format!("F{} of {name}: {}", scores.beta, score(f_score, digits));
        let label = match &of_f1 {
            Some(i) => format!("{label}, interval {:.digits$} to {:.digits$}", i.low, i.high),
            None => label,
        };
        Self {
            bar: Bar::new(label, f_score, of_f1.map(|i| (i.low, i.high))),
            name,
            scores: [
                cell(f_score, of_f1),
                cell(precision, intervals.and_then(|i| i.precision)),
                cell(recall, intervals.and_then(|i| i.recall)),
            ],
            support: 0,
            counts: None,
        }
    }
}

/// The signature, with the F score where it is not F1.
fn signature(scores: &Scores) -> Option<Protocol> {
    let protocol = scores.protocol.clone()?;
    Some(if scores.beta == Beta::ONE { protocol } else { protocol.with("beta", scores.beta) })
}

/// What was scored and what was left out, then how the intervals were found.
fn facts(scores: &Scores) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(Diagnostics {
        rows, tokens, ignored, unknown_predicted, missing_predicted, ..
    }) = scores.diagnostics
    {
        let [one, many] = scores.rows;
        let rows = counted(rows, one, many);
        // Entities that were extracted from texts have no tokens.
        facts.push(match tokens {
            0 => format!("{rows}."),
            tokens => format!("{rows}, {}.", counted(tokens, "token", "tokens")),
        });
        let odd = [
            (ignored, "left out by a mask or an ignore index"),
            (unknown_predicted, "with a predicted id outside the label list, read as O"),
            (missing_predicted, "without a prediction, read as O"),
        ];
        let odd = odd.into_iter().filter(|odd| odd.0 > 0);
        facts.extend(odd.map(|(n, what)| format!("{} {what}.", counted(n, "token", "tokens"))));
    }
    let how = scores.intervals.as_ref().and_then(|i| i.how(scores.units()));
    facts.extend(how.map(|how| format!("{how}.")));
    facts.extend(scores.notes.iter().cloned());
    facts
}
