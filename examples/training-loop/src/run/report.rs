//! Results as JSON and as tables.

use std::collections::BTreeMap;
use std::fmt;

use chunkeval::{ChunkReport, Scores};
use serde::Serialize;

use super::StrictReport;

/// One evaluation, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Line<'a> {
    /// `dev` or `test`.
    pub split: &'static str,
    /// The step of the weights.
    pub step: u64,
    /// The same in rounds over the training set.
    pub epoch: f64,
    /// Scores and counts over all chunks.
    #[serde(flatten)]
    pub overall: Scores,
    /// Scores and counts of each entity type.
    pub per_type: BTreeMap<&'a str, &'a Scores>,
    /// Scores and counts over all chunks, read strictly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<Strict<'a>>,
    /// The mean training loss since the last evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The learning rate of the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning_rate: Option<f64>,
    /// Whether no earlier evaluation was as good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<bool>,
    /// The time the run has taken so far.
    pub seconds: f64,
    /// The part of it that metric and logging took, without the network.
    pub metric_and_logging_seconds: f64,
    /// The same as a share.
    pub metric_and_logging_share: f64,
    /// The time of this evaluation, network and metric.
    pub evaluation_seconds: f64,
    /// The part of it that the metric took.
    pub metric_seconds: f64,
}

/// What the strict reading adds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Strict<'a> {
    /// The scheme, such as `IOB2`.
    pub scheme: &'a str,
    /// Scores and counts over all chunks.
    #[serde(flatten)]
    pub overall: Scores,
}

impl<'a> Strict<'a> {
    /// What a report in that reading says over all chunks.
    pub fn of(strict: &'a StrictReport) -> Self {
        Self { scheme: &strict.scheme, overall: strict.report.overall }
    }
}

impl fmt::Display for Strict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scores { precision, recall, f1, .. } = self.overall;
        let scheme = self.scheme;
        write!(
            f,
            "read strictly ({scheme}): precision {precision:.4}  recall {recall:.4}  F1 {f1:.4}"
        )
    }
}

/// The name of the line over all types.
const ALL: &str = "all";

/// A table for a terminal.
pub fn table(report: &ChunkReport) -> String {
    let names = report.per_type.iter().map(|t| width(&t.entity_type));
    let first = names.max().unwrap_or(0).max("type".len());
    let mut text =
        format!("{:first$}  precision  recall      f1    gold  predicted  correct\n", "type");
    for (name, scores) in lines(report) {
        let padding = " ".repeat(first - width(name));
        let Scores { precision, recall, f1, counts, .. } = scores;
        text.push_str(&format!(
            "{name}{padding}  {precision:9.4}  {recall:6.4}  {f1:6.4}  {:6}  {:9}  {:7}\n",
            counts.gold, counts.predicted, counts.correct
        ));
    }
    text
}

/// The same table in Markdown.
pub fn markdown(report: &ChunkReport) -> String {
    let mut text = String::from(
        "| type | precision | recall | F1 | gold | predicted | correct |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (name, scores) in lines(report) {
        let Scores { precision, recall, f1, counts, .. } = scores;
        text.push_str(&format!(
            "| {} | {precision:.4} | {recall:.4} | {f1:.4} | {} | {} | {} |\n",
            name.replace('|', "\\|"),
            counts.gold,
            counts.predicted,
            counts.correct
        ));
    }
    text
}

fn lines(report: &ChunkReport) -> impl Iterator<Item = (&str, &Scores)> {
    let types = report.per_type.iter().map(|t| (t.entity_type.as_str(), &t.scores));
    types.chain([(ALL, &report.overall)])
}

/// Columns that a text takes on a terminal: East Asian characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use chunkeval::{ChunkEvaluator, Metric, TagBatch};

    use super::*;

    #[test]
    fn every_type_then_all_of_them() {
        let mut metric = ChunkEvaluator::new(["O", "B-人名", "B-ORG"]).unwrap();
        metric.update(TagBatch::new(&[1, 1, 2, 0], &[1, 0, 2, 2], &[4]).unwrap()).unwrap();
        let report = metric.accumulate();
        assert_eq!(
            table(&report),
            "type  precision  recall      f1    gold  predicted  correct\n\
             ORG      0.5000  1.0000  0.6667       1          2        1\n\
             人名     1.0000  0.5000  0.6667       2          1        1\n\
             all      0.6667  0.6667  0.6667       3          3        2\n"
        );
        assert!(markdown(&report).ends_with(
            "| 人名 | 1.0000 | 0.5000 | 0.6667 | 2 | 1 | 1 |\n\
             | all | 0.6667 | 0.6667 | 0.6667 | 3 | 3 | 2 |\n"
        ));
    }
}
