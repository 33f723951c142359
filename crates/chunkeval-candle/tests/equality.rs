//! Tensors of every dtype and layout give what plain slices give.
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

mod common;

use candle_core::{DType, Device, Tensor};
use chunkeval_candle::CandleTags;
use chunkeval_core::{IdRows, PaddedTags};
use common::{FLOATS, INTEGERS, Outcome, evaluate, layouts};
use proptest::prelude::*;

/// One batch.
#[derive(Clone, Debug)]
struct Case {
    shape: [usize; 3],
    /// `[rows, width, classes]`; every value must be exact in every float type.
    logits: Vec<f64>,
    /// `[rows, width]`.
    gold: Vec<i64>,
    counts: Counts,
    ignore_index: Option<i64>,
}

/// Which positions count.
#[derive(Clone, Debug)]
enum Counts {
    All,
    Lengths(Vec<usize>),
    Mask(Vec<bool>),
}

impl Case {
    /// What plain slices give: the report as JSON, which is exact for `f64`, or the error.
    fn expected(&self) -> Outcome {
        let [_, width, classes] = self.shape;
        let tags = PaddedTags::logits(&self.gold, &self.logits, width, classes);
        evaluate(
            classes,
            tags.map(|mut tags| {
                tags = match &self.counts {
                    Counts::All => tags,
                    Counts::Lengths(lengths) => tags.lengths(lengths),
                    Counts::Mask(mask) => tags.mask(mask),
                };
                match self.ignore_index {
                    Some(id) => tags.ignore_index(id),
                    None => tags,
                }
            }),
        )
    }

    /// The same through tensors, each changed to a dtype and layout by the functions.
    fn through_tensors(
        &self,
        floats: impl Fn(Tensor) -> Tensor,
        integers: impl Fn(Tensor) -> Tensor,
    ) -> Outcome {
        let cpu = &Device::Cpu;
        let [rows, width, classes] = self.shape;
        let logits = floats(Tensor::from_slice(&self.logits, (rows, width, classes), cpu).unwrap());
        let labels = integers(Tensor::from_slice(&self.gold, (rows, width), cpu).unwrap());
        let positions = match &self.counts {
            Counts::All => None,
            Counts::Lengths(lengths) => {
                let lengths: Vec<i64> = lengths.iter().map(|&l| l as i64).collect();
                Some(integers(Tensor::from_vec(lengths, rows, cpu).unwrap()))
            }
            Counts::Mask(mask) => {
                let mask: Vec<i64> = mask.iter().map(|&m| 3 * i64::from(m)).collect();
                Some(integers(Tensor::from_vec(mask, (rows, width), cpu).unwrap()))
            }
        };
        let mut tags = CandleTags::logits(&logits, &labels);
        tags = match (&self.counts, &positions) {
            (Counts::Lengths(_), Some(lengths)) => tags.lengths(lengths),
            (Counts::Mask(_), Some(mask)) => tags.mask(mask),
            _ => tags,
        };
        if let Some(id) = self.ignore_index {
            tags = tags.ignore_index(id);
        }
        evaluate(classes, Ok(tags))
    }
}

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

#[test]
fn every_dtype_and_layout_of_logits() {
    for case in cases() {
        let expected = case.expected();
        assert!(expected.is_ok(), "{case:?}: {expected:?}");
        for float in FLOATS {
            for integer in INTEGERS {
                for layout in 0..3 {
                    let found = case.through_tensors(
                        |t| layouts(&t.to_dtype(float).unwrap()).swap_remove(layout).1,
                        |t| layouts(&t.to_dtype(integer).unwrap()).swap_remove(layout).1,
                    );
                    assert_eq!(found, expected, "{float:?} {integer:?} {layout} {case:?}");
                }
            }
        }
    }
}

#[test]
fn every_dtype_and_layout_of_ids() {
    let (rows, width, labels) = (4, 6, 5);
    let gold: Vec<i64> = (0..rows * width).map(|i| (noise(i) % labels) as i64).collect();
    let ids: Vec<i64> = (0..rows * width).map(|i| (noise(i + 31) % labels) as i64).collect();
    let expected = evaluate(labels, PaddedTags::ids(&gold, &ids, width));
    let of_rows = |ids: &[i64]| -> Vec<Vec<i64>> { ids.chunks(width).map(Vec::from).collect() };
    let (gold_rows, id_rows) = (of_rows(&gold), of_rows(&ids));
    assert_eq!(evaluate(labels, Ok(IdRows::new(&gold_rows, &id_rows))), expected);

    let gold = Tensor::from_vec(gold, (rows, width), &Device::Cpu).unwrap();
    let ids = Tensor::from_vec(ids, (rows, width), &Device::Cpu).unwrap();
    for (gold_type, id_type) in INTEGERS.into_iter().flat_map(|g| INTEGERS.map(|i| (g, i))) {
        for (gold_layout, gold) in layouts(&gold.to_dtype(gold_type).unwrap()) {
            for (id_layout, ids) in layouts(&ids.to_dtype(id_type).unwrap()) {
                let found = evaluate(labels, Ok(CandleTags::ids(&ids, &gold)));
                let what = format!("{gold_type:?} {gold_layout}, {id_type:?} {id_layout}");
                assert_eq!(found, expected, "{what}");
            }
        }
    }
}

#[test]
fn broadcast_tensors_are_read_where_they_are() {
    let cpu = &Device::Cpu;
    let (rows, width, classes) = (3, 4, 3);
    let token: Vec<f32> = (0..width * classes).map(|i| noise(i) as f32).collect();
    let logits = Tensor::from_vec(token, (1, width, classes), cpu).unwrap();
    let logits = logits.broadcast_as((rows, width, classes)).unwrap();
    let labels = Tensor::new(&[[1u8], [0], [2]], cpu).unwrap().broadcast_as((rows, width)).unwrap();
    let length = Tensor::new(&[3u32], cpu).unwrap().broadcast_as(rows).unwrap();
    let plain = |t: &Tensor| t.contiguous().unwrap();
    assert_eq!(
        evaluate(classes, Ok(CandleTags::logits(&logits, &labels).lengths(&length))),
        evaluate(
            classes,
            Ok(CandleTags::logits(&plain(&logits), &plain(&labels)).lengths(&plain(&length)))
        ),
    );
}

#[test]
fn one_tensor_may_be_both_sides() {
    let ids = Tensor::new(&[[1u32, 2, 0], [0, 1, 0]], &Device::Cpu).unwrap();
    let report = evaluate(3, Ok(CandleTags::ids(&ids, &ids).mask(&ids))).unwrap();
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Errors included: NaN, gold ids outside the list.
    #[test]
    fn random_tensors_equal_slices(
        case in case(),
        float in prop::sample::select(&FLOATS[..]),
        integer in prop::sample::select(&[DType::U32, DType::I16, DType::I32, DType::I64][..]),
        (logits, labels) in (0usize..3, 0usize..3),
    ) {
        // A row of no width is no row to a slice: its shape is nowhere.
        prop_assume!(case.shape[1] > 0 || case.shape[0] == 0);
        let found = case.through_tensors(
            |t| layouts(&t.to_dtype(float).unwrap()).swap_remove(logits).1,
            |t| layouts(&t.to_dtype(integer).unwrap()).swap_remove(labels).1,
        );
        let expected = case.expected();
        prop_assert_eq!(found, expected);
    }
}
