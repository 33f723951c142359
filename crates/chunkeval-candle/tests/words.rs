//! Words of pieces: tensors give what plain slices give.
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

mod common;

use candle_core::{DType, Device, Tensor};
use chunkeval_candle::{CandleTags, CandleWords};
use chunkeval_core::{
    ErrorKind, PaddedTags, Pieces, Source, TagBuffer, TagSet, TagStyle, Windows, WordIds, WordTags,
};
use common::{FLOATS, INTEGERS, evaluate, layouts};
use proptest::prelude::*;

const CLASSES: usize = 5;

/// Rows of word ids under the number of their document, logits and labels.
#[derive(Clone, Debug)]
struct Case {
    width: usize,
    rows: Vec<(usize, Vec<Option<u32>>)>,
    logits: Vec<f64>,
    labels: Vec<i64>,
    gold: Vec<Vec<i64>>,
}

fn row(width: usize) -> impl Strategy<Value = (usize, Vec<Option<u32>>)> {
    let step = prop_oneof![3 => Just(0), 3 => Just(1), 1 => 2u32..4];
    let ids = (prop::collection::vec(step, width), 0..=width, 0..=width);
    (0usize..3, ids).prop_map(move |(document, (steps, a, b))| {
        let mut word = 0;
        let mut ids: Vec<Option<u32>> = Vec::new();
        for step in steps {
            word += step;
            ids.push(Some(word));
        }
        // Special tokens and padding at both ends.
        ids.iter_mut().take(a.min(b) / 2).for_each(|id| *id = None);
        ids.iter_mut().skip(a.max(b)).for_each(|id| *id = None);
        (document, ids)
    })
}

fn case() -> impl Strategy<Value = Case> {
    (0usize..5, 1usize..12).prop_flat_map(|(rows, width)| {
        let logit = prop_oneof![
            300 => (-4i32..4).prop_map(f64::from),
            1 => Just(f64::INFINITY),
            1 => Just(f64::NAN),
        ];
        let label = prop_oneof![4 => 0..CLASSES as i64, 1 => Just(-100i64)];
        (
            prop::collection::vec(row(width), rows),
            prop::collection::vec(logit, rows * width * CLASSES),
            prop::collection::vec(label.clone(), rows * width),
            // At most 3 words a column are skipped; now and then gold is too short.
            prop::collection::vec(prop::collection::vec(label, 20..40), 3),
        )
            .prop_map(move |(rows, logits, labels, gold)| Case {
                width,
                rows,
                logits,
                labels,
                gold,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Errors included: NaN, word ids beyond gold.
    #[test]
    fn tensors_equal_slices(
        case in case(),
        pieces in prop::sample::select(&[Pieces::First, Pieces::Last, Pieces::Majority, Pieces::All][..]),
        windows in prop::sample::select(&[Windows::First, Windows::MostContext][..]),
        float in prop::sample::select(&FLOATS[..]),
        integer in prop::sample::select(&[DType::U32, DType::I16, DType::I32, DType::I64][..]),
        layout in 0usize..3,
    ) {
        let Case { width, rows, logits, labels, gold } = &case;
        let width = *width;
        let tags = TagSet::new(["O", "B-0", "I-0", "B-1", "I-1"], TagStyle::Prefix).unwrap();
        let mut words = WordIds::new(pieces).windows(windows).tag_set(&tags).unwrap();
        for (document, ids) in rows {
            words.push(*document, ids).unwrap();
        }
        let tensor = |data: &[f64], shape: &[usize], dtype: DType| {
            let tensor = Tensor::from_slice(data, shape, &Device::Cpu).unwrap();
            layouts(&tensor.to_dtype(dtype).unwrap()).swap_remove(layout).1
        };
        let integers = |data: &[i64]| {
            let tensor = Tensor::from_slice(data, (rows.len(), width), &Device::Cpu).unwrap();
            layouts(&tensor.to_dtype(integer).unwrap()).swap_remove(layout).1
        };
        let logit_tensor = tensor(logits, &[rows.len(), width, CLASSES], float);
        let label_tensor = integers(labels);

        let expected = WordTags::logits(gold, logits, width, CLASSES, &words);
        let expected = evaluate(CLASSES, expected.map(|tags| tags.ignore_index(-100)));
        let found = CandleWords::logits(&logit_tensor, gold, &words).ignore_index(-100);
        prop_assert_eq!(evaluate(CLASSES, Ok(found)), expected);

        let expected = PaddedTags::logits(labels, logits, width, CLASSES);
        let expected = expected.map(|tags| tags.ignore_index(-100).words(&words));
        let found = CandleTags::logits(&logit_tensor, &label_tensor).ignore_index(-100).words(&words);
        prop_assert_eq!(evaluate(CLASSES, Ok(found)), evaluate(CLASSES, expected));

        let ids: Vec<i64> = labels.iter().map(|&id| id.max(0)).collect();
        let expected = WordTags::ids(gold, &ids, width, &words);
        let expected = evaluate(CLASSES, expected.map(|tags| tags.ignore_index(-100)));
        let id_tensor = integers(&ids);
        let found = CandleWords::ids(&id_tensor, gold, &words).ignore_index(-100);
        prop_assert_eq!(evaluate(CLASSES, Ok(found)), expected);
    }
}

#[test]
fn shapes_and_types_are_checked() {
    let cpu = &Device::Cpu;
    let zeros = |shape: &[usize], dtype| Tensor::zeros(shape, dtype, cpu).unwrap();
    let words = WordIds::default().rows([[None, Some(0), Some(1)], [Some(0), None, None]]).unwrap();
    let gold = [vec![0u32, 0], vec![0]];
    let mut buffer = TagBuffer::default();
    for dtype in INTEGERS {
        let ids = zeros(&[2, 3], dtype);
        assert!(CandleWords::ids(&ids, &gold, &words).load(&mut buffer).is_ok());
    }
    let mut fail =
        |logits: &Tensor| CandleWords::logits(logits, &gold, &words).load(&mut buffer).unwrap_err();
    for shape in [&[2, 4, 5][..], &[3, 3, 5], &[2, 3], &[2, 3, 5, 1], &[]] {
        let e = fail(&zeros(shape, DType::F32));
        assert!(matches!(e.kind(), ErrorKind::Shape { .. }), "{e}");
    }
    assert_eq!(
        fail(&zeros(&[2, 4, 5], DType::F32)).to_string(),
        "logits [2, 4, 5] does not fit [batch, tokens, classes] of word ids [2, 3]"
    );
    assert!(matches!(fail(&zeros(&[2, 3, 5], DType::I64)).kind(), ErrorKind::Dtype { .. }));
    let floats = zeros(&[2, 3], DType::F32);
    let e = CandleWords::ids(&floats, &gold, &words).load(&mut buffer).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Dtype { .. }), "{e}");
}
