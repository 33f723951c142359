//! What conlleval.pl prints, held against our counts.

use std::collections::BTreeMap;

use chunkeval::{ChunkCounts, ChunkReport};

/// That an answer has our counts and, of these, the percentages.
pub fn assert_counts(place: &str, stdout: &str, latex: bool, tokens: usize, report: &ChunkReport) {
    let mut lines = stdout.lines();
    let overall = if latex {
        let (name, scores) = lines.next_back().and_then(latex_row).unwrap();
        assert_eq!(name.trim(), "Overall", "{place}");
        Some(scores)
    } else {
        let ChunkCounts { gold, predicted, correct } = report.overall.counts;
        let first = format!(
            "processed {tokens} tokens with {gold} phrases; found: {predicted} phrases; \
             correct: {correct}."
        );
        assert_eq!(lines.next(), Some(&*first), "{place}");
        // Without tokens the first line is all there is.
        lines.next().map(|accuracy| numbers(accuracy).split_off(1))
    };
    if let Some(overall) = overall {
        assert_eq!(percentages(&report.overall.counts), overall, "{place}");
    }
    let rows = lines.filter_map(|l| if latex { latex_row(l) } else { text_row(l) });
    let expected: BTreeMap<String, Vec<String>> = rows.collect();
    assert_eq!(types(report, latex), expected, "{place}");
}

/// The types found on either side, with their percentages and, but in LaTeX, how many were guessed.
fn types(report: &ChunkReport, latex: bool) -> BTreeMap<String, Vec<String>> {
    let found =
        report.per_type.iter().filter(|t| t.scores.counts.gold + t.scores.counts.predicted > 0);
    let row = |counts: &ChunkCounts| {
        let guessed = (!latex).then(|| counts.predicted.to_string());
        percentages(counts).into_iter().chain(guessed).collect()
    };
    found.map(|t| (t.entity_type.clone(), row(&t.scores.counts))).collect()
}

/// Precision, recall and FB1, formed and rounded as conlleval.pl does.
fn percentages(counts: &ChunkCounts) -> Vec<String> {
    let share = |of: u64| if of > 0 { 100.0 * counts.correct as f64 / of as f64 } else { 0.0 };
    let (precision, recall) = (share(counts.predicted), share(counts.gold));
    let sum = precision + recall;
    let f = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
    [precision, recall, f].map(|score| format!("{score:.2}")).to_vec()
}

/// `TYPE: precision:  50.00%; recall:  25.00%; FB1:  33.33  2`.
fn text_row(line: &str) -> Option<(String, Vec<String>)> {
    let (name, scores) = line.split_once(": precision:")?;
    Some((name.trim_start().to_owned(), numbers(scores)))
}

/// `TYPE     &   50.00\% &  25.00\% &  33.33 \\`.
fn latex_row(line: &str) -> Option<(String, Vec<String>)> {
    let mut cells = line.strip_suffix("\\hline").unwrap_or(line).rsplitn(4, '&');
    let scores: Vec<&str> = cells.by_ref().take(3).collect();
    let scores: Vec<String> = scores.iter().rev().flat_map(|cell| numbers(cell)).collect();
    let name = cells.next().filter(|_| scores.len() == 3)?;
    Some((name.trim_end().to_owned(), scores))
}

/// The numbers in a text, but for that in the name of the FB1 score.
fn numbers(text: &str) -> Vec<String> {
    let text = text.replace("FB1", "");
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    parts.filter(|part| part.parse::<f64>().is_ok()).map(str::to_owned).collect()
}
