//! What seqeval 1.2.2 says about a report: text, dictionary, warnings.

use chunkeval_core::{Average, AverageScores, ChunkReport, Score, Scores, ZeroDivision};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// There is no chunk on either side, so seqeval's text report does not exist: seqeval raises
/// `ValueError: max() arg is an empty sequence` there. [`SeqevalDict`] exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seqeval has no text report where no chunk is found on either side")]
pub struct NoTypes;

/// The text of seqeval's `classification_report(…, digits=digits)`, byte for byte.
///
/// # Errors
/// No type has a chunk on either side.
pub fn seqeval_text(report: &ChunkReport, digits: u16) -> Result<String, NoTypes> {
    let types: Vec<(&str, SeqevalRow)> = types(report).collect();
    let longest = types.iter().map(|(name, _)| name.chars().count()).max().ok_or(NoTypes)?;
    let width = longest.max("weighted avg".len()).max(usize::from(digits));

    let mut text = format!("{} {}\n", " ".repeat(width), HEADER.map(right).join(""));
    for group in [types, averages(report).collect()] {
        text.push('\n');
        for (name, row) in group {
            let padding = width - name.chars().count();
            text.push_str(&" ".repeat(padding));
            text.push_str(name);
            text.push(' ');
            for score in [row.precision, row.recall, row.f1_score] {
                text.push_str(&right(number(score, digits)));
            }
            text.push_str(&right(row.support.to_string()));
            text.push('\n');
        }
    }
    Ok(text)
}

const HEADER: [&str; 4] = ["precision", "recall", "f1-score", "support"];

/// One column of the text.
fn right(cell: impl AsRef<str>) -> String {
    format!(" {:>9}", cell.as_ref())
}

/// As C prints it: rounded half to even from the exact value, as Rust does too.
fn number(value: f64, digits: u16) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:.*}", usize::from(digits)) }
}

/// The dictionary of seqeval's `classification_report(…, output_dict=True)`.
///
/// Types come first, then `micro avg`, `macro avg` and `weighted avg`; a type of one of these
/// names is overwritten by the average, as in seqeval. As JSON, a score that is not a number is
/// `null`.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch};
/// use chunkeval_report::SeqevalDict;
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER"])?;
/// metric.update(TagBatch::new(&[1, 1], &[1, 0], &[2])?)?;
/// let dict = SeqevalDict::new(&metric.accumulate());
/// assert_eq!(dict.get("macro avg").unwrap().recall, 0.5);
/// assert!(serde_json::to_string(&dict)?.starts_with(
///     r#"{"PER":{"precision":1.0,"recall":0.5,"f1-score":0.6666666666666666,"support":2},"#
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SeqevalDict(Vec<(String, SeqevalRow)>);

/// An entry of a [`SeqevalDict`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SeqevalRow {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    #[serde(rename = "f1-score")]
    pub f1_score: f64,
    /// Gold chunks.
    pub support: u64,
}

impl SeqevalDict {
    /// The dictionary of a report.
    #[must_use]
    pub fn new(report: &ChunkReport) -> Self {
        let mut entries: Vec<(String, SeqevalRow)> =
            types(report).map(|(name, row)| (name.to_owned(), row)).collect();
        for (name, row) in averages(report) {
            match entries.iter_mut().find(|entry| entry.0 == name) {
                Some(entry) => entry.1 = row,
                None => entries.push((name.to_owned(), row)),
            }
        }
        Self(entries)
    }

    /// The entry of a type or an average.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SeqevalRow> {
        self.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SeqevalRow)> {
        self.0.iter().map(|(name, row)| (&**name, row))
    }
}

impl Serialize for SeqevalDict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, row) in self.iter() {
            map.serialize_entry(name, row)?;
        }
        map.end()
    }
}

fn types(report: &ChunkReport) -> impl Iterator<Item = (&str, SeqevalRow)> {
    report.found_types().map(|t| {
        let Scores { precision, recall, f1, counts, .. } = t.scores;
        (&*t.entity_type, SeqevalRow { precision, recall, f1_score: f1, support: counts.gold })
    })
}

fn averages(report: &ChunkReport) -> impl Iterator<Item = (&'static str, SeqevalRow)> {
    Average::ALL.into_iter().map(|average| {
        let AverageScores { precision, recall, f_score, support, .. } = report.average(average);
        let name = match average {
            Average::Micro => "micro avg",
            Average::Macro => "macro avg",
            Average::Weighted => "weighted avg",
        };
        (name, SeqevalRow { precision, recall, f1_score: f_score, support })
    })
}

/// The texts of the `UndefinedMetricWarning`s that seqeval raises with `zero_division="warn"`
/// while it computes an average, or with `None` the scores of each type.
///
/// `warn_for` are the scores that are asked for: all three for
/// `precision_recall_fscore_support`, one for `precision_score`, `recall_score` or `f1_score`.
/// [`ChunkReport::undefined`] has the same facts, typed and with the names of the types.
///
/// ```
/// use chunkeval_core::{Average, ChunkEvaluator, Metric, Score};
/// use chunkeval_report::seqeval_warnings;
///
/// let nothing_seen = ChunkEvaluator::new(["O", "B-PER"])?.accumulate();
/// let of_f1 = seqeval_warnings(&nothing_seen, Some(Average::Micro), &[Score::FScore]);
/// assert!(of_f1[0].starts_with("F-score is ill-defined and being set to 0.0 due to no true nor"));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[must_use]
pub fn seqeval_warnings(
    report: &ChunkReport,
    average: Option<Average>,
    warn_for: &[Score],
) -> Vec<String> {
    if report.zero_division != ZeroDivision::Zero {
        return Vec::new(); // whoever asks for a value knows that it can be needed
    }
    let micro = average == Some(Average::Micro);
    let values = if micro { 1 } else { report.found_types().count() };
    let undefined = report.undefined();
    let happens =
        |score| undefined.iter().any(|u| u.score == score && u.entity_type.is_none() == micro);
    let asked = |score| warn_for.contains(&score);
    let name = |alone: &str| match asked(Score::FScore) {
        true => format!("{alone} and F-score are"),
        false => format!("{alone} is"),
    };
    let causes = [
        (Score::Precision, name("Precision"), "predicted"),
        (Score::Recall, name("Recall"), "true"),
        (Score::FScore, "F-score is".to_owned(), "true nor predicted"),
    ];
    let f_alone = warn_for == [Score::FScore];
    let warned = causes.into_iter().filter(|(score, ..)| {
        asked(*score) && happens(*score) && (*score != Score::FScore || f_alone)
    });
    warned
        .map(|(_, what, missing)| {
            let cause = if values == 1 { "due to" } else { "in labels with" };
            format!(
                "{what} ill-defined and being set to 0.0 {cause} no {missing} samples. \
                 Use `zero_division` parameter to control this behavior."
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_half_to_even_from_the_exact_value() {
        // printf of C: "%.2f" and so on
        for (value, digits, expected) in [
            (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            (2.5, 0, "2"),
            (0.0625, 3, "0.062"),
            (0.1, 20, "0.10000000000000000555"),
            (2.0 / 3.0, 4, "0.6667"),
            (0.285, 2, "0.28"), // a little less than 0.285
            (f64::NAN, 4, "nan"),
        ] {
            assert_eq!(number(value, digits), expected, "{value} {digits}");
        }
        assert_eq!(number(1.0, u16::MAX).len(), 2 + usize::from(u16::MAX));
    }
}
