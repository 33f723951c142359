//! Random resamples come near what all resamples together say.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::ChunkCounts;
use chunkeval_stats::{
    IntervalMethod, McNemar, Mean, Resampling, Totals, Values, exact_randomisation,
};
use proptest::prelude::*;

mod common;
use common::Random;

fn sum<'c>(units: impl Iterator<Item = &'c ChunkCounts>) -> ChunkCounts {
    units.fold(ChunkCounts::default(), |mut sum, counts| {
        sum.add(counts).unwrap();
        sum
    })
}

/// The scores of all nⁿ resamples.
fn all_resamples<T>(units: &[T], score: impl Fn(&[&T]) -> Option<f64>) -> Vec<Option<f64>> {
    let n = units.len();
    let of = |code: usize| {
        let drawn: Vec<&T> = (0..n as u32).map(|i| &units[code / n.pow(i) % n]).collect();
        score(&drawn)
    };
    (0..n.pow(n as u32)).map(of).collect()
}

/// Four rows of which some resamples have no chunk at all.
fn four() -> [ChunkCounts; 4] {
    let row = |gold, predicted, correct| ChunkCounts { gold, predicted, correct };
    [row(2, 1, 1), row(1, 3, 1), row(0, 0, 0), row(4, 4, 3)]
}

#[test]
fn bootstrap_of_four_rows() {
    let exact = all_resamples(&four(), |rows| sum(rows.iter().copied()).f1());
    let mut defined: Vec<f64> = exact.iter().flatten().copied().collect();
    defined.sort_unstable_by(f64::total_cmp);
    assert_eq!((exact.len(), defined.len()), (256, 255));

    let units = Totals::new(four()).unwrap();
    for level in [0.31, 0.52, 0.8, 0.95] {
        let how = Resampling::new(40_000).level(level);
        let found = how.interval(&units, ChunkCounts::f1).unwrap();
        // The value that the quantile falls on, or one of its neighbours where it is at a jump.
        for (end, p) in [(found.low, (1.0 - level) / 2.0), (found.high, (1.0 + level) / 2.0)] {
            let at = |p: f64| defined[(p.clamp(0.0, 1.0) * 254.0).round() as usize];
            assert!((at(p - 0.01)..=at(p + 0.01)).contains(&end), "{level} {found}");
        }
        // Binomial(40000, 1/256): 156, deviation 12.5.
        assert!((94..=219).contains(&found.undefined), "{found}");
    }
}

#[test]
fn paired_bootstrap_of_four_rows() {
    let row = |gold, predicted, correct| ChunkCounts { gold, predicted, correct };
    let second = [row(2, 2, 1), row(1, 1, 1), row(0, 1, 0), row(4, 3, 3)];
    let pairs: Vec<_> = four().into_iter().zip(second).collect();
    let difference = |rows: &[&(ChunkCounts, ChunkCounts)]| {
        Some(sum(rows.iter().map(|r| &r.0)).f1()? - sum(rows.iter().map(|r| &r.1)).f1()?)
    };
    let seen = difference(&pairs.iter().collect::<Vec<_>>()).unwrap();
    let all = all_resamples(&pairs, difference);
    let extreme = |d: &&Option<f64>| d.is_none_or(|d| (d - seen).abs() >= seen.abs() - 1e-12);
    let exact = all.iter().filter(extreme).count() as f64 / 256.0;

    let (first, second) = (Totals::new(four()).unwrap(), Totals::new(second).unwrap());
    let how = Resampling::new(40_000);
    let found = how.paired_bootstrap(&first, &second, ChunkCounts::f1).unwrap();
    assert_eq!(found.difference, seen);
    assert!((found.p_value - exact).abs() < 0.0125, "{exact} {found}"); // 5 deviations
    assert!((94..=219).contains(&found.undefined), "{found}");
}

/// scipy 1.17.1, `scipy.stats.bootstrap(method="BCa", n_resamples=400000)`.
#[test]
fn bca_as_scipy() {
    let values = [0.1, 0.2, 0.15, 0.9, 0.3, 0.25, 0.05, 0.7, 0.12, 0.33, 0.2, 1.0];
    let how = Resampling::new(40_000).method(IntervalMethod::Bca);
    let found = how.interval(&Values::new(&values).unwrap(), Mean::mean).unwrap();
    assert!((found.low - 0.218).abs() < 0.003 && (found.high - 0.581).abs() < 0.006, "{found}");
    // Percentile ends are elsewhere: the values are skewed.
    let plain = Resampling::new(40_000).interval(&Values::new(&values).unwrap(), Mean::mean);
    assert!(plain.unwrap().high < 0.56);

    let rows = [
        (2, 1, 1),
        (1, 3, 1),
        (0, 0, 0),
        (4, 4, 3),
        (1, 1, 1),
        (3, 2, 2),
        (2, 2, 0),
        (1, 0, 0),
        (2, 3, 2),
        (1, 1, 1),
        (0, 2, 0),
        (3, 3, 3),
    ];
    let rows = rows.map(|(gold, predicted, correct)| ChunkCounts { gold, predicted, correct });
    let found = how.level(0.9).interval(&Totals::new(rows).unwrap(), ChunkCounts::f1).unwrap();
    assert!((found.low - 6.0 / 13.0).abs() < 0.003 && (found.high - 0.8).abs() < 0.003, "{found}");
}

/// The p-value over all sets of swapped units, the plain way.
fn all_swaps(first: &[ChunkCounts], second: &[ChunkCounts]) -> f64 {
    let difference = |set: usize| {
        let pick = |a: &'static str| {
            first.iter().zip(second).enumerate().map(move |(unit, (first, second))| {
                if (set >> unit & 1 == 1) == (a == "second") { first } else { second }
            })
        };
        Some(sum(pick("first")).f1()? - sum(pick("second")).f1()?)
    };
    let seen = difference(0).unwrap().abs();
    let sets = 1usize << first.len();
    let extreme = |&set: &usize| difference(set).is_none_or(|d| d.abs() >= seen - 1e-12);
    (0..sets).filter(extreme).count() as f64 / sets as f64
}

#[test]
fn randomisation_of_few_rows() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut second = Vec::new();
        let first: Vec<ChunkCounts> = (0..9).map(|_| random.row()).collect();
        while second.len() < first.len() {
            let row = random.row();
            if row.gold == first[second.len()].gold {
                second.push(row);
            }
        }
        let exact = all_swaps(&first, &second);
        let (first, second) = (Totals::new(first).unwrap(), Totals::new(second).unwrap());
        let found = exact_randomisation(&first, &second, ChunkCounts::f1).unwrap();
        assert_eq!(found.p_value, exact);
        let how = Resampling::new(10_000);
        let found = how.approximate_randomisation(&first, &second, ChunkCounts::f1).unwrap();
        let band = 5.0 * (exact * (1.0 - exact) / 10_000.0).sqrt() + 1e-3;
        assert!((found.p_value - exact).abs() < band, "{exact} {found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn for_accuracy_the_limit_is_mcnemar(items in prop::collection::vec(any::<(bool, bool)>(), 1..12)) {
        let (first, second): (Vec<bool>, Vec<bool>) = items.into_iter().unzip();
        let test = McNemar::of(&first, &second).unwrap();
        let values = |right: &[bool]| {
            Values::new(&right.iter().map(|&r| f64::from(u8::from(r))).collect::<Vec<_>>()).unwrap()
        };
        let (first, second) = (values(&first), values(&second));
        let found = exact_randomisation(&first, &second, Mean::mean).unwrap();
        prop_assert!((found.p_value - test.exact()).abs() < 1e-12, "{} {test:?}", found);
    }
}
