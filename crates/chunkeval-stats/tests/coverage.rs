//! 95% intervals hold the true score in about 95% of simulated test sets.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::ChunkCounts;
use chunkeval_stats::{Interval, IntervalMethod, Resampling, Totals};

mod common;
use common::{Random, TRUE_F1};

const SETS: u32 = 400;

/// The share of sets whose interval holds the true F1.
fn coverage(sets: impl Fn(&mut Random) -> Totals, method: IntervalMethod) -> f64 {
    let mut random = Random::new(1);
    let holds = |set: u32| {
        let how = Resampling::new(400).seed(u64::from(set)).method(method);
        let Interval { low, high, .. } = how.interval(&sets(&mut random), ChunkCounts::f1).unwrap();
        low <= TRUE_F1 && TRUE_F1 <= high
    };
    (0..SETS).map(holds).filter(|&held| held).count() as f64 / f64::from(SETS)
}

fn independent(random: &mut Random, rows: usize) -> Totals {
    Totals::new((0..rows).map(|_| random.row())).unwrap()
}

#[test]
fn percentile_intervals_of_independent_rows() {
    let share = coverage(|random| independent(random, 80), IntervalMethod::Percentile);
    assert!((0.92..=0.97).contains(&share), "{share}");
}

#[test]
fn bca_intervals_of_few_rows() {
    let share = coverage(|random| independent(random, 40), IntervalMethod::Bca);
    assert!((0.92..=0.97).contains(&share), "{share}");
}

/// Documents of four rows that are copies of each other: rows as units promise too much.
#[test]
fn rows_of_a_document_are_resampled_together() {
    let copies = |random: &mut Random| -> Vec<ChunkCounts> {
        let rows: Vec<_> = (0..60).map(|_| random.row()).collect();
        rows.into_iter().flat_map(|row| [row; 4]).collect()
    };
    let by_row = |random: &mut Random| Totals::new(copies(random)).unwrap();
    let by_document = |random: &mut Random| {
        let times = |counts: &ChunkCounts| ChunkCounts {
            gold: 4 * counts.gold,
            predicted: 4 * counts.predicted,
            correct: 4 * counts.correct,
        };
        Totals::new(copies(random).iter().step_by(4).map(times)).unwrap()
    };
    let share = coverage(by_document, IntervalMethod::Percentile);
    assert!((0.92..=0.97).contains(&share), "{share}");
    let share = coverage(by_row, IntervalMethod::Percentile);
    assert!(share < 0.75, "{share}");
}

/// Where two systems are equally good, one in twenty tests at 0.05 says otherwise.
#[test]
fn tests_find_no_more_than_they_may() {
    let mut random = Random::new(2);
    let (mut bootstrap, mut randomisation) = (0, 0);
    for set in 0..SETS {
        let pairs: Vec<_> = (0..80)
            .map(|_| {
                let first = random.row();
                // Of the same gold chunks.
                let mut second = random.row();
                while second.gold != first.gold {
                    second = random.row();
                }
                (first, second)
            })
            .collect();
        let first = Totals::new(pairs.iter().map(|p| p.0)).unwrap();
        let second = Totals::new(pairs.iter().map(|p| p.1)).unwrap();
        let how = Resampling::new(400).seed(u64::from(set));
        let found = how.paired_bootstrap(&first, &second, ChunkCounts::f1).unwrap();
        bootstrap += u32::from(found.p_value <= 0.05);
        let found = how.approximate_randomisation(&first, &second, ChunkCounts::f1).unwrap();
        randomisation += u32::from(found.p_value <= 0.05);
    }
    for found in [bootstrap, randomisation] {
        assert!((8..=32).contains(&found), "{bootstrap} {randomisation} of {SETS}");
    }
}
