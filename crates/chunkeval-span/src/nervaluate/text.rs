//! nervaluate's reports, byte for byte.

use std::fmt::Write;

use chunkeval_core::{Result, Source};

use super::Documents;
use crate::{CaseList, Schema, SpanDocs, SpanEvaluator, SpanReport, SpanScores};

/// What a report shows: nervaluate's `mode` and `scenario`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// `mode="overall"`: a row for each schema.
    Overall,
    /// `mode="entities"`: a row for each entity type under one schema.
    Entities(Schema),
}

/// The text of `summary_report`.
#[must_use]
pub fn summary(report: &SpanReport, table: Table, digits: usize) -> String {
    use Schema::{EntType, Exact, Partial, Strict};
    let rows = rows(report, table, [EntType, Exact, Partial, Strict]);
    // The header counts as a row, whose name is its first column.
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let width = longest.max("correct".len()).max(digits);
    let scenario = match table {
        Table::Overall => "all",
        Table::Entities(schema) => schema.name(),
    };
    let mut text = format!("Scenario: {scenario}\n\n{:>width$} ", "");
    for header in
        ["correct", "incorrect", "partial", "missed", "spurious", "precision", "recall", "f1-score"]
    {
        let _ = write!(text, " {header:>11}"); // writing to a string does not fail
    }
    text.push_str("\n\n");
    for (name, scores) in rows {
        let _ = write!(text, "{name:>width$} ");
        for count in counts(scores) {
            let _ = write!(text, " {count:>11}");
        }
        for score in [scores.precision, scores.recall, scores.f1] {
            let _ = write!(text, " {score:>11.digits$}");
        }
        text.push('\n');
    }
    text
}

/// The text of `results_to_csv`. Rows of entity types are sorted; nervaluate's order of them is
/// that of a set and changes from run to run.
#[must_use]
pub fn csv(report: &SpanReport, table: Table) -> String {
    use Schema::{EntType, Exact, Partial, Strict};
    let first = match table {
        Table::Overall => "Strategy",
        Table::Entities(_) => "Entity",
    };
    let mut text =
        format!("{first},Correct,Incorrect,Partial,Missed,Spurious,Precision,Recall,F1-Score\r\n");
    for (name, scores) in rows(report, table, [Strict, Partial, EntType, Exact]) {
        text.push_str(&quoted(name));
        for count in counts(scores) {
            let _ = write!(text, ",{count}");
        }
        // Where nothing can be divided nervaluate has the integer 0 and not 0.0.
        let f1 = (scores.precision + scores.recall > 0.0).then_some(scores.f1);
        for score in [scores.counts.precision(), scores.counts.recall(), f1] {
            let _ = write!(text, ",{}", score.map_or_else(|| "0".to_owned(), python_float));
        }
        text.push_str("\r\n");
    }
    text
}

/// The text of `summary_report_indices(mode="overall")`, without colours.
///
/// nervaluate looks every index up among the predicted entities, before `tags` took any out, also
/// those of missed gold entities; so the details of those are another entity's.
///
/// # Errors
/// nervaluate's IndexError, where there is no such predicted entity, is `Ok(None)`; errors are
/// those of [`SpanEvaluator::cases`].
pub fn indices(
    metric: &SpanEvaluator,
    documents: &Documents,
    schema: Schema,
) -> Result<Option<String>> {
    let mut buffer = SpanDocs::default();
    let cases = metric.cases(documents.load(&mut buffer)?, schema, usize::MAX)?;
    let mut text = format!("\nIndices for error schema '{schema}':\n\n");
    let _ =
        writeln!(text, "{:<20} {:<10} {:<8} {:<25}", "Category", "Instance", "Entity", "Details");
    let _ = writeln!(text, "{}", "-".repeat(78));
    let categories = [
        ("Correct", &cases.correct),
        ("Incorrect", &cases.incorrect),
        ("Partial", &cases.partial),
        ("Missed", &cases.missed),
        ("Spurious", &cases.spurious),
    ];
    for (category, list) in categories {
        if write_category(&mut text, category, list, documents).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(text))
}

fn write_category(
    text: &mut String,
    category: &str,
    list: &CaseList,
    documents: &Documents,
) -> Option<()> {
    let predicted = documents.predicted();
    let nothing = matches!(predicted, [document] if document.is_empty());
    let mut row = |instance: &str, entity: &str, details: &str| {
        let _ = writeln!(text, "{category:<20} {instance:<10} {entity:<8} {details:<10}");
    };
    for case in &list.first {
        let index = case.predicted.or(case.gold)?;
        let details = if nothing {
            "No prediction info".to_owned()
        } else {
            let found = predicted.get(case.document)?.get(index)?;
            format!("Label={}, Start={}, End={}", found.label, found.start, found.end)
        };
        row(&case.document.to_string(), &index.to_string(), &details);
    }
    if list.first.is_empty() {
        row("-", "-", "None");
    }
    Some(())
}

fn rows(report: &SpanReport, table: Table, order: [Schema; 4]) -> Vec<(&str, &SpanScores)> {
    match table {
        // nervaluate has no results at all where there was no document.
        Table::Overall if report.diagnostics.documents == 0 => Vec::new(),
        Table::Overall => order.map(|s| (s.name(), report.overall.get(s))).to_vec(),
        Table::Entities(schema) => {
            let types = report.per_type.iter();
            types.map(|t| (t.entity_type.as_str(), t.scores.get(schema))).collect()
        }
    }
}

fn counts(scores: &SpanScores) -> [u64; 5] {
    let c = &scores.counts;
    [c.correct.gold, c.incorrect.gold, c.partial.gold, c.missed, c.spurious]
}

/// A field as Python's csv module writes it.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// `repr` of a float from 0 to 1.
fn python_float(value: f64) -> String {
    if value == 0.0 || value >= 1e-4 {
        return format!("{value:?}");
    }
    // Rust writes 1e-5 for Python's 1e-05.
    let text = format!("{value:e}");
    match text.split_once("e-") {
        Some((digits, exponent)) => format!("{digits}e-{exponent:0>2}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_and_fields_are_written_as_python_does() {
        // Python: repr of 1/3, 1.0, 0.0, 1/20000, 1/300000
        let cases = [
            (1.0 / 3.0, "0.3333333333333333"),
            (1.0, "1.0"),
            (0.0, "0.0"),
            (1.0 / 20000.0, "5e-05"),
            (1.0 / 300_000.0, "3.3333333333333333e-06"),
        ];
        for (value, text) in cases {
            assert_eq!(python_float(value), text);
        }
        assert_eq!(quoted("a\"b,c"), "\"a\"\"b,c\"");
    }
}
