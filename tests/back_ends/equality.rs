//! Tensors of every element type and layout give what plain slices give.

use chunkeval_core::{IdRows, PaddedTags};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::{BackEnd, Case, Counts, Layout, evaluate};

/// Reproducible numbers from 0 to 7.
fn noise(i: usize) -> usize {
    (i.wrapping_mul(2_654_435_761) >> 7) % 8
}

fn cases() -> Vec<Case> {
    let shapes = [[3, 7, 5], [1, 1, 1], [4, 3, 33], [2, 50, 9], [5, 1, 3], [0, 4, 3]];
    let mut cases = Vec::new();
    for shape @ [rows, width, classes] in shapes {
        let logits = (0..rows * width * classes).map(|i| noise(i) as f64 - 4.0).collect();
        let gold = (0..rows * width).map(|i| (noise(i + 99) % classes) as i64).collect();
        let base = Case { shape, logits, gold, counts: Counts::All, ignore_index: None };
        let lengths = (0..rows).map(|r| noise(r) % (width + 1)).collect();
        let mask = (0..rows * width).map(|i| noise(i + 5) > 2).collect();
        for counts in [Counts::All, Counts::Lengths(lengths), Counts::Mask(mask)] {
            for ignore_index in [None, Some(0), Some(-100)] {
                cases.push(Case { counts: counts.clone(), ignore_index, ..base.clone() });
            }
        }
    }
    cases
}

pub(crate) fn every_type_and_layout_of_logits<B: BackEnd>() {
    for case in cases() {
        let expected = case.through_slices();
        assert!(expected.is_ok(), "{case:?}: {expected:?}");
        for float in B::FLOATS {
            for integer in B::INTEGERS {
                for layout in Layout::ALL {
                    let found = case.through_tensors::<B>((float, layout), (integer, layout));
                    assert_eq!(found, expected, "{float} {integer} {layout:?} {case:?}");
                }
            }
        }
    }
}

pub(crate) fn every_type_and_layout_of_ids<B: BackEnd>() {
    let (rows, width, labels) = (4, 6, 5);
    let gold: Vec<i64> = (0..rows * width).map(|i| (noise(i) % labels) as i64).collect();
    let ids: Vec<i64> = (0..rows * width).map(|i| (noise(i + 31) % labels) as i64).collect();
    let expected = evaluate(labels, PaddedTags::ids(&gold, &ids, width));
    let of_rows = |ids: &[i64]| -> Vec<Vec<i64>> { ids.chunks(width).map(Vec::from).collect() };
    let (gold_rows, id_rows) = (of_rows(&gold), of_rows(&ids));
    assert_eq!(evaluate(labels, Ok(IdRows::new(&gold_rows, &id_rows))), expected);

    let ways: Vec<_> =
        B::INTEGERS.iter().flat_map(|name| Layout::ALL.map(|layout| (name, layout))).collect();
    for (gold_type, gold_layout) in &ways {
        let gold = gold_layout.integers::<B>(&gold, &[rows, width], gold_type);
        for (id_type, id_layout) in &ways {
            let ids = id_layout.integers::<B>(&ids, &[rows, width], id_type);
            let found = evaluate(labels, Ok(B::ids(&ids, &gold)));
            let what = format!("{gold_type} {gold_layout:?}, {id_type} {id_layout:?}");
            assert_eq!(found, expected, "{what}");
        }
    }
}

pub(crate) fn broadcast_tensors_are_read_where_they_are<B: BackEnd>() {
    let [rows, width, classes] = [3, 4, 3];
    let token: Vec<f64> = (0..width * classes).map(|i| noise(i) as f64).collect();
    let logits = B::floats(&token, &[1, width, classes], "f32");
    let logits = B::broadcast(&logits, &[rows, width, classes]);
    let gold = [1, 0, 2];
    let labels = B::broadcast(&B::integers(&gold, &[rows, 1], "u8"), &[rows, width]);
    let lengths = B::broadcast(&B::integers(&[3], &[1], "i64"), &[rows]);
    let plain = Case {
        shape: [rows, width, classes],
        logits: token.repeat(rows),
        gold: gold.into_iter().flat_map(|id| [id; 4]).collect(),
        counts: Counts::Lengths(vec![3; rows]),
        ignore_index: None,
    };
    let tags = B::lengths(B::logits(&logits, &labels), &lengths);
    assert_eq!(evaluate(classes, Ok(tags)), plain.through_slices());
}

pub(crate) fn one_tensor_may_be_both_sides<B: BackEnd>() {
    let ids = B::integers(&[1, 2, 0, 0, 1, 0], &[2, 3], "i32");
    let report = evaluate(3, Ok(B::mask(B::ids(&ids, &ids), &ids))).unwrap();
    assert!(report.contains("\"correct\":2"), "{report}");
}

fn logit() -> impl Strategy<Value = f64> {
    prop_oneof![
        300 => (-8i32..8).prop_map(|x| f64::from(x) / 2.0),
        8 => Just(f64::INFINITY),
        8 => Just(f64::NEG_INFINITY),
        4 => Just(-0.0),
        1 => Just(f64::NAN),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    (0usize..5, 0usize..9, 1usize..12).prop_flat_map(|(rows, width, classes)| {
        let tokens = rows * width;
        let gold = prop_oneof![8 => 0..classes as i64, 1 => Just(-100i64)];
        let counts = prop_oneof![
            Just(Counts::All),
            prop::collection::vec(0..=width, rows).prop_map(Counts::Lengths),
            prop::collection::vec(any::<bool>(), tokens).prop_map(Counts::Mask),
        ];
        (
            prop::collection::vec(logit(), tokens * classes),
            prop::collection::vec(gold, tokens),
            counts,
            prop_oneof![Just(None), Just(Some(-100)), Just(Some(0))],
        )
            .prop_map(move |(logits, gold, counts, ignore_index)| Case {
                shape: [rows, width, classes],
                logits,
                gold,
                counts,
                ignore_index,
            })
    })
}

/// An element type and how it lies in memory.
type Way<'a> = (&'a str, Layout);

/// Errors included: NaN, gold ids outside the list.
pub(crate) fn random_tensors_equal_slices<B: BackEnd>() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let signed: Vec<&str> = B::INTEGERS.iter().copied().filter(|&name| name != "u8").collect();
    let layout = || prop::sample::select(&Layout::ALL[..]);
    let ways =
        ((prop::sample::select(B::FLOATS), layout()), (prop::sample::select(signed), layout()));
    let run = |(case, (logits, labels)): (Case, (Way<'_>, Way<'_>))| {
        // A row of no width is no row to a slice: its shape is nowhere.
        prop_assume!(case.shape[1] > 0 || case.shape[0] == 0);
        prop_assert_eq!(case.through_tensors::<B>(logits, labels), case.through_slices());
        Ok(())
    };
    TestRunner::new(config).run(&(case(), ways), run).unwrap();
}
