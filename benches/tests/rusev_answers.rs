//! What rusev 0.4.0 answers where it is wrong; `tests/tests/rusev_defects.rs` has what is right.
//! Its version is pinned. Should a newer one be right, its test fails here and can go.

use rusev::{
    Average, DefaultRusevConfig, DivByZeroStrat, RusevConfigBuilder, SchemeType,
    classification_report, classification_report_conf, precision_recall_fscore_support,
};

type Rows<'a> = Vec<Vec<&'a str>>;

/// One row of tags, separated by spaces.
fn row(tags: &str) -> Rows<'_> {
    vec![tags.split(' ').collect()]
}

/// Micro precision, recall, F1 and support, in the lenient reading.
fn micro(
    gold: Rows<'_>,
    predicted: Rows<'_>,
    zero: DivByZeroStrat,
) -> Result<(f32, f32, f32, usize), String> {
    precision_recall_fscore_support::<f32>(
        gold,
        predicted,
        1.0,
        Average::Micro,
        None,
        zero,
        None,
        false,
        false,
    )
    .map(|(precision, recall, f1, support)| (precision[0], recall[0], f1[0], support[0]))
    .map_err(|error| error.to_string())
}

fn report(gold: Rows<'_>, predicted: Rows<'_>) -> Result<String, String> {
    let zero = DivByZeroStrat::ReplaceBy0;
    let report = classification_report(gold, predicted, None, zero, None, false, false);
    report.map(|report| report.to_string()).map_err(|error| error.to_string())
}

#[test]
fn precision_and_recall_are_swapped() {
    let answer = micro(row("B-A O B-A O B-A"), row("B-A O O O O"), DivByZeroStrat::ReplaceBy0);
    assert_eq!(answer, Ok((1.0 / 3.0, 1.0, 0.5, 1)));
}

#[test]
fn types_of_the_prediction_alone_are_dropped_and_rows_shifted() {
    let report = report(row("B-B O B-B"), row("B-B O B-A")).unwrap();
    let rows: Vec<&str> = report.lines().filter(|line| !line.starts_with("Overall")).collect();
    assert_eq!(rows, ["Class, Precision, Recall, Fscore, Support", "A, 0.5, 1, 0.6666667, 1"]);
}

#[test]
fn an_undefined_score_is_told_always() {
    let answer = micro(row("B-A O"), row("B-A O"), DivByZeroStrat::ReturnError);
    assert_eq!(answer, Err("Encountered division by zero".to_owned()));
}

#[test]
fn a_score_of_zero_becomes_one() {
    let answer = micro(row("B-A O"), row("O B-A"), DivByZeroStrat::ReplaceBy1);
    assert_eq!(answer, Ok((1.0, 1.0, 1.0, 1)));
}

#[test]
fn rows_without_chunks_are_an_error() {
    assert!(report(row("O O O"), row("O O O")).is_err());
}

#[test]
fn strict_is_dropped() {
    let of = |config: DefaultRusevConfig| {
        let (gold, predicted) = (row("B-A I-A O"), row("I-A I-A O"));
        classification_report_conf(gold, predicted, config).unwrap().to_string()
    };
    let strict = || RusevConfigBuilder::default().strict(true);
    assert_eq!(of(strict().build()), of(RusevConfigBuilder::default().build()));
    assert_ne!(of(strict().build()), of(strict().scheme(SchemeType::IOB2).build()));
}

#[test]
fn equal_chunks_of_two_rows_are_one() {
    let gold = vec![vec!["B-A", "O"], vec!["B-A", "O"]];
    let predicted = vec![vec!["B-A", "O"], vec!["O", "O"]];
    let answer = micro(gold, predicted, DivByZeroStrat::ReplaceBy0);
    assert_eq!(answer, Ok((1.0, 1.0, 1.0, 1)));
}
