//! What holds whatever the data: threads and ways to the sums do not show, equal systems are equal.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{Average, Batch, ChunkCounts, ChunkEvaluator, Mergeable, RowCounts, TagBatch};
use chunkeval_stats::{
    ByType, Comparison, Error, IntervalMethod, Mean, Resampling, States, Totals, TypeSums, Values,
    exact_randomisation,
};

mod common;
use common::{random_rows, rows};

#[test]
fn threads_change_nothing() {
    let first = rows(&random_rows(1, 50));
    let swapped = random_rows(1, 50).into_iter().map(|row| {
        row.into_iter().map(|(gold, predicted)| (gold, (gold * 2 + predicted) % 3)).collect()
    });
    let second = rows(&swapped.collect::<Vec<_>>());
    let (first_units, second_units) = (Totals::of(&first).unwrap(), Totals::of(&second).unwrap());
    for resamples in [1, 2, 5, 1000] {
        for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
            let all = |threads| {
                let how = Resampling::new(resamples).seed(3).method(method).threads(threads);
                let f1 = ChunkCounts::f1;
                (
                    how.report(&first).unwrap(),
                    how.paired_bootstrap(&first_units, &second_units, f1).unwrap(),
                    how.approximate_randomisation(&first_units, &second_units, f1).unwrap(),
                )
            };
            let one = all(1);
            for threads in [0, 2, 3, 7, 64] {
                assert_eq!(all(threads), one, "{resamples} resamples on {threads} threads");
            }
        }
    }
}

#[test]
fn seeds_change_the_resamples() {
    let units = Totals::of(&rows(&random_rows(1, 50))).unwrap();
    let low = |seed| Resampling::new(100).seed(seed).interval(&units, ChunkCounts::f1).unwrap().low;
    assert_eq!(low(1), low(1));
    assert_ne!(low(1), low(2));
}

/// Totals, sums by type, and merged states give the same resamples the same scores.
#[test]
fn all_ways_to_the_sums_agree() {
    let data = random_rows(2, 40);
    let counts = rows(&data);
    let totals = Totals::of(&counts).unwrap();
    let by_type = ByType::of(&counts).unwrap();
    let metric = ChunkEvaluator::new(["O", "B-X", "B-Y"]).unwrap();
    let states: Vec<_> = data
        .iter()
        .map(|row| {
            let (gold, predicted): (Vec<i32>, Vec<i32>) = row.iter().copied().unzip();
            metric.measure(TagBatch::new(&gold, &predicted, &[row.len()]).unwrap()).unwrap()
        })
        .collect();
    let merged = States::new(&metric, &states).unwrap();
    for method in [IntervalMethod::Percentile, IntervalMethod::Bca] {
        let how = Resampling::new(300).seed(5).method(method);
        let plain = how.interval(&totals, ChunkCounts::f1).unwrap();
        let typed = how.interval(&by_type, |sums: &TypeSums| sums.total.f1()).unwrap();
        let general =
            how.interval(&merged, |state: &_| metric.finish(state).overall.counts.f1()).unwrap();
        assert_eq!((plain, plain), (typed, general));

        let report = how.report(&counts).unwrap();
        assert_eq!(report.average(Average::Micro).unwrap().f1, Some(plain));
        let one_type = Totals::of_type(&counts, "Y").unwrap();
        let recall = how.interval(&one_type, ChunkCounts::recall).unwrap();
        assert_eq!(report.get("Y").unwrap().recall, Some(recall));
        // Averages are those of the evaluator's own report.
        let average = |average| {
            move |state: &_| {
                let scores = metric_report(state);
                Some(scores.average(average).f_score)
            }
        };
        for kind in [Average::Macro, Average::Weighted] {
            let general = how.interval(&merged, average(kind)).unwrap();
            assert_eq!(report.average(kind).unwrap().f1, Some(general));
        }
    }
}

fn metric_report(state: &chunkeval_core::ChunkState) -> chunkeval_core::ChunkReport {
    ChunkEvaluator::new(["O", "B-X", "B-Y"]).unwrap().finish(state)
}

#[test]
fn documents_of_one_row_are_rows() {
    let counts = rows(&random_rows(3, 30));
    let documents = counts.documents(&(1..=30).collect::<Vec<_>>()).unwrap();
    let how = Resampling::new(500).method(IntervalMethod::Bca);
    assert_eq!(how.report(&documents).unwrap(), how.report(&counts).unwrap());
}

#[test]
fn documents_of_copies_have_wider_intervals() {
    let copied: Vec<_> = random_rows(4, 60)
        .into_iter()
        .flat_map(|row| [row.clone(), row.clone(), row.clone(), row])
        .collect();
    let counts = rows(&copied);
    let documents = counts.documents_by_id((0..240).map(|row| row / 4)).unwrap();
    let width = |counts| {
        let units = Totals::of(counts).unwrap();
        let found = Resampling::new(4000).interval(&units, ChunkCounts::f1).unwrap();
        found.high - found.low
    };
    let ratio = width(&documents) / width(&counts);
    assert!((1.8..2.2).contains(&ratio), "{ratio}"); // √4
}

#[test]
fn equal_systems_are_equal() {
    let check = |found: Comparison| {
        assert_eq!((found.difference, found.p_value), (0.0, 1.0), "{found}");
    };
    let f1 = ChunkCounts::f1;
    // Many rows, one row with chunks among empty ones (often undefined), all wrong.
    let sparse = [vec![(1, 1)], vec![], vec![], vec![]];
    let wrong = [vec![(1, 2)], vec![(2, 1)]];
    for data in [&random_rows(5, 20)[..], &sparse, &wrong] {
        let units = Totals::of(&rows(data)).unwrap();
        let how = Resampling::new(300);
        check(how.paired_bootstrap(&units, &units, f1).unwrap());
        check(how.approximate_randomisation(&units, &units, f1).unwrap());
        check(exact_randomisation(&units, &units.clone(), f1).unwrap());
    }
    let constant = Values::new(&[0.5; 8]).unwrap();
    check(Resampling::new(300).paired_bootstrap(&constant, &constant, Mean::mean).unwrap());
}

#[test]
fn systems_that_differ_everywhere_differ_surely() {
    let (right, wrong) = (Values::new(&[1.0; 12]).unwrap(), Values::new(&[0.0; 12]).unwrap());
    let how = Resampling::new(999);
    let found = how.paired_bootstrap(&right, &wrong, Mean::mean).unwrap();
    assert_eq!((found.as_extreme, found.p_value), (0, 1.0 / 1000.0));
    assert_eq!(found.interval.map(|i| (i.low, i.high)), Some((1.0, 1.0)));
    let found = how.approximate_randomisation(&right, &wrong, Mean::mean).unwrap();
    assert!(found.p_value <= 0.01, "{found}"); // in the limit 2/4096
}

#[test]
fn few_units_and_bad_options_are_refused() {
    let how = Resampling::new(10);
    let one = Values::new(&[1.0]).unwrap();
    let none = Values::new(&[]).unwrap();
    let two = Values::new(&[1.0, 0.0]).unwrap();
    let least = |found, least, error: Error| {
        assert!(
            matches!(error, Error::TooFewUnits { found: f, least: l } if (f, l) == (found, least)),
            "{error}"
        );
    };
    least(0, 2, how.interval(&none, Mean::mean).unwrap_err());
    least(1, 2, how.interval(&one, Mean::mean).unwrap_err());
    least(1, 2, how.paired_bootstrap(&one, &one, Mean::mean).unwrap_err());
    least(0, 1, how.approximate_randomisation(&none, &none, Mean::mean).unwrap_err());
    least(0, 1, exact_randomisation(&none, &none, Mean::mean).unwrap_err());
    assert_eq!(how.approximate_randomisation(&one, &one, Mean::mean).unwrap().p_value, 1.0);

    let error = how.paired_bootstrap(&one, &two, Mean::mean).unwrap_err();
    assert!(matches!(error, Error::UnitCount { first: 1, second: 2 }));
    let many = Values::new(&[0.0; 21]).unwrap();
    assert!(matches!(
        exact_randomisation(&many, &many, Mean::mean).unwrap_err(),
        Error::TooManyUnits { found: 21, most: 20 }
    ));
    for level in [0.0, 1.0, -1.0, f64::NAN] {
        let error = how.level(level).interval(&two, Mean::mean).unwrap_err();
        assert!(matches!(error, Error::Option { option: "level", .. }));
    }
    let error = Resampling::new(0).interval(&two, Mean::mean).unwrap_err();
    assert!(matches!(error, Error::Option { option: "resamples", .. }));
    let most = Resampling::MOST;
    let error = Resampling::new(u32::MAX).interval(&two, Mean::mean).unwrap_err();
    assert_eq!(error.to_string(), "4294967295 resamples, at most 1000000 are drawn");
    let scores = [Mean::mean; 200];
    let error = Resampling::new(most).intervals(&two, &scores).unwrap_err();
    let fewer = 671_088; // 2^27 scores
    let expected = format!("1000000 resamples of 200 scores, at most {fewer} are drawn");
    assert_eq!(error.to_string(), expected);
    let error = Resampling::new(most + 1).paired_bootstrap(&two, &two, Mean::mean).unwrap_err();
    assert!(matches!(error, Error::TooManyResamples { scores: 1, most: 1_000_000, .. }));
    let error = Values::new(&[0.0, f64::NAN]).unwrap_err();
    assert!(matches!(error, Error::Value { index: 1, .. }));
}

#[test]
fn other_data_is_refused() {
    let how = Resampling::new(10);
    let first = rows(&[vec![(1, 1)], vec![(1, 0)]]);
    let second = rows(&[vec![(1, 1)], vec![(0, 1)]]);
    let totals = |rows| Totals::of(rows).unwrap();
    let error =
        how.paired_bootstrap(&totals(&first), &totals(&second), ChunkCounts::f1).unwrap_err();
    assert_eq!(error.to_string(), "unit 1: the first system has 1 gold chunks, the second 0");

    let metric = ChunkEvaluator::new(["O", "B-X", "B-Z"]).unwrap();
    let mut other = chunkeval_core::RowCounts::new(&metric);
    let batch = TagBatch::new(&[1, 1], &[1, 1], &[1, 2]).unwrap();
    other.push(&metric, batch.rows(0..2)).unwrap();
    let typed = |rows| ByType::of(rows).unwrap();
    let score = |sums: &TypeSums| sums.total.f1();
    let error = how.paired_bootstrap(&typed(&first), &typed(&other), score).unwrap_err();
    assert!(matches!(error, Error::TypesDiffer { .. }));
    assert!(matches!(Totals::of_type(&first, "Z").unwrap_err(), Error::UnknownType { .. }));
}

#[test]
fn undefined_scores_are_said() {
    let how = Resampling::new(1000);
    // A type in one of four rows is missing from (3/4)⁴ = 32% of the resamples.
    let counts = rows(&[vec![(2, 2)], vec![(1, 1)], vec![(1, 1)], vec![(1, 0)]]);
    let report = how.report(&counts).unwrap();
    let found = report.get("Y").unwrap().f1.unwrap();
    assert!((250..380).contains(&found.undefined), "{found}");
    assert!(found.to_string().contains("; undefined in"), "{found}");
    assert!(report.to_string().contains("1.0000 [1.0000, 1.0000]*"), "{report}");
    let report = how.method(IntervalMethod::Bca).report(&counts).unwrap();
    assert_eq!(report.get("Y").unwrap().f1.unwrap().indispensable, 1);
    assert_eq!(report.get("X").unwrap().f1.unwrap().indispensable, 0);

    let nothing = Totals::of(&rows(&[vec![], vec![]])).unwrap();
    let error = how.interval(&nothing, ChunkCounts::f1).unwrap_err();
    assert!(matches!(error, Error::Undefined { of: "the whole set" }));
    let error = how.paired_bootstrap(&nothing, &nothing, ChunkCounts::f1).unwrap_err();
    assert!(matches!(error, Error::Undefined { of: "the first system" }));
    let report = how.report(&rows(&[vec![], vec![]])).unwrap();
    assert!(report.rows.iter().all(|row| row.f1.is_none()));
    assert!(report.to_string().contains("undefined"));
    // Defined on the whole only: one resample of two rows is the whole half of the time.
    let whole_only = |sum: &ChunkCounts| (sum.predicted == 12).then_some(0.5);
    let rows = [2, 10].map(|predicted| ChunkCounts { gold: 1, predicted, correct: 0 });
    let units = Totals::new(rows).unwrap();
    let found = (0..40).map(|seed| Resampling::new(1).seed(seed).interval(&units, whole_only));
    let never = found.filter(|f| matches!(f, Err(Error::NeverDefined { resamples: 1 }))).count();
    assert!((8..=32).contains(&never), "{never}");
}

#[test]
fn tables_align_wide_names() {
    let metric = ChunkEvaluator::new(["O", "B-地名", "B-X"]).unwrap();
    let mut counts = chunkeval_core::RowCounts::new(&metric);
    counts.push(&metric, TagBatch::new(&[1, 2], &[1, 2], &[1, 2]).unwrap()).unwrap();
    let table = Resampling::new(9).report(&counts).unwrap().to_string();
    let line = |name: &str| table.lines().find(|line| line.trim().starts_with(name)).unwrap();
    // Four cells before the first number: two wide characters, or four narrow ones.
    assert!(line("地名").starts_with("    地名  1.0000"), "{table}");
    assert!(line("X").starts_with("       X  1.0000"), "{table}");
    let how = "\n95% percentile intervals, 9 resamples of 2 units, seed 0; *: undefined in up to ";
    assert!(table.contains(how), "{table}");
    let signature = "|mode:lenient|style:prefix|reading:strict\
                     |average:micro+macro+weighted|zero:0\
                     |interval:percentile|level:0.95|resamples:9|seed:0";
    let (_, found) = table.rsplit_once('\n').unwrap();
    assert!(found.starts_with("chunkeval:") && found.ends_with(signature), "{table}");
}

#[test]
fn results_can_be_saved() {
    let counts = rows(&random_rows(6, 20));
    let how = Resampling::new(50).method(IntervalMethod::Bca);
    let report = how.report(&counts).unwrap();
    let saved = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<chunkeval_stats::IntervalReport>(&saved).unwrap(), report);
    let units = Totals::of(&counts).unwrap();
    let found = how.paired_bootstrap(&units, &units, ChunkCounts::f1).unwrap();
    let saved = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&saved).unwrap(), found);
}

/// Scores that share their resamples are compared as each is alone, what is undefined included.
#[test]
fn scores_together_are_those_alone() {
    let metric = ChunkEvaluator::new(["O", "B-X", "B-Y", "B-Z"]).unwrap();
    let gold: Vec<i32> = (0..60).map(|i| [1, 2, 0][i % 3]).collect();
    let rows = |predicted: Vec<i32>| {
        let ends: Vec<usize> = (1..=30).map(|row| 2 * row).collect();
        let mut rows = RowCounts::new(&metric);
        rows.push(&metric, TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
        ByType::of(&rows).unwrap()
    };
    let first =
        rows(gold.iter().enumerate().map(|(i, &g)| if i % 7 == 0 { 0 } else { g }).collect());
    let second =
        rows(gold.iter().enumerate().map(|(i, &g)| if i % 4 == 0 { 1 } else { g }).collect());
    let how = Resampling::new(200).seed(5);
    let scores: [fn(&TypeSums) -> Option<f64>; 4] = [
        |sums| sums.per_type[2].f1(), // nobody has a Z
        |sums| sums.total.f1(),
        |sums| sums.per_type[1].precision(),
        |sums| sums.average(Average::Macro).map(|scores| scores.f_score),
    ];
    let bootstraps = how.paired_bootstraps(&first, &second, &scores).unwrap();
    let swaps = how.approximate_randomisations(&first, &second, &scores).unwrap();
    assert!(bootstraps[0].is_err() && swaps[0].is_err());
    assert!(how.paired_bootstrap(&first, &second, scores[0]).is_err());
    for ((score, bootstrap), swap) in scores.iter().zip(&bootstraps).zip(&swaps).skip(1) {
        let alone = how.paired_bootstrap(&first, &second, score).unwrap();
        assert_eq!(*bootstrap.as_ref().unwrap(), alone);
        let alone = how.approximate_randomisation(&first, &second, score).unwrap();
        assert_eq!(*swap.as_ref().unwrap(), alone);
    }
    assert!(how.paired_bootstraps(&first, &second, &scores[..1]).unwrap()[0].is_err());
}
