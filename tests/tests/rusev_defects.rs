//! The inputs on which rusev 0.4.0, the other Rust crate for chunk scores, is wrong: six defects
//! and one in how it compares rows. Here is what is right; `benches/tests/rusev_answers.rs` has
//! what rusev answers.

use chunkeval::{ChunkEvaluator, ChunkReport, Metric, Mode, Scheme, TagRows, ZeroDivision};

type Rows<'a> = Vec<Vec<&'a str>>;

/// One row of tags, separated by spaces.
fn row(tags: &str) -> Rows<'_> {
    vec![tags.split(' ').collect()]
}

fn score(gold: &Rows<'_>, predicted: &Rows<'_>, mode: Mode, zero: ZeroDivision) -> ChunkReport {
    let rows = TagRows::new(gold, predicted).unwrap();
    let builder = ChunkEvaluator::builder(rows.labels()).mode(mode).zero_division(zero);
    let mut metric = builder.build().unwrap();
    metric.update(rows.batch()).unwrap();
    metric.accumulate()
}

fn lenient(gold: &Rows<'_>, predicted: &Rows<'_>) -> ChunkReport {
    score(gold, predicted, Mode::Lenient, ZeroDivision::Zero)
}

/// Precision, recall, F1.
fn scores(report: &ChunkReport) -> (f64, f64, f64) {
    (report.overall.precision, report.overall.recall, report.overall.f1)
}

#[test]
fn precision_and_recall_are_not_swapped() {
    let report = lenient(&row("B-A O B-A O B-A"), &row("B-A O O O O"));
    assert_eq!(scores(&report), (1.0, 1.0 / 3.0, 0.5));
    assert_eq!(report.overall.counts.gold, 3);
}

#[test]
fn types_of_the_prediction_alone_have_their_row() {
    let report = lenient(&row("B-B O B-B"), &row("B-B O B-A"));
    assert_eq!(scores(&report), (0.5, 0.5, 0.5));
    let (a, b) = (report.get("A").unwrap().counts, report.get("B").unwrap().counts);
    assert_eq!((a.gold, a.predicted, a.correct), (0, 1, 0));
    assert_eq!((b.gold, b.predicted, b.correct), (2, 1, 1));
}

#[test]
fn undefined_is_told_only_where_it_is() {
    let defined = lenient(&row("B-A O"), &row("B-A O")).overall.counts;
    assert_eq!((defined.precision(), defined.recall()), (Some(1.0), Some(1.0)));
    let nothing_predicted = lenient(&row("B-A O"), &row("O O")).overall.counts;
    assert_eq!((nothing_predicted.precision(), nothing_predicted.recall()), (None, Some(0.0)));
}

#[test]
fn a_score_of_zero_is_not_undefined() {
    let report = score(&row("B-A O"), &row("O B-A"), Mode::Lenient, ZeroDivision::One);
    assert_eq!(scores(&report), (0.0, 0.0, 0.0));
}

#[test]
fn rows_without_chunks_are_a_result() {
    let rows = row("O O O");
    let report = lenient(&rows, &rows);
    assert_eq!(scores(&report), (0.0, 0.0, 0.0));
    assert_eq!((report.overall.counts.f1(), report.diagnostics.tokens), (None, 3));
    let one = score(&rows, &rows, Mode::Lenient, ZeroDivision::One);
    assert_eq!((one.overall.precision, one.overall.recall), (1.0, 1.0));
}

#[test]
fn strict_is_strict() {
    // I-A begins nothing in IOB2.
    let (gold, predicted) = (row("B-A I-A O"), row("I-A I-A O"));
    let strict = score(&gold, &predicted, Mode::Strict(Scheme::Iob2), ZeroDivision::Zero);
    assert_eq!((strict.overall.counts.predicted, strict.overall.counts.correct), (0, 0));
    assert_eq!(lenient(&gold, &predicted).overall.counts.correct, 1);
}

#[test]
fn equal_chunks_of_two_rows_are_two() {
    let gold = vec![vec!["B-A", "O"], vec!["B-A", "O"]];
    let predicted = vec![vec!["B-A", "O"], vec!["O", "O"]];
    assert_eq!(scores(&lenient(&gold, &predicted)), (1.0, 0.5, 2.0 / 3.0));
}
