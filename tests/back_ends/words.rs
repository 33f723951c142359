//! Words of pieces: tensors give what plain slices give.

use chunkeval_core::{
    ErrorKind, PaddedTags, Pieces, Source, TagBuffer, TagSet, TagStyle, Windows, WordIds, WordTags,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::{BackEnd, Layout, evaluate};

const CLASSES: usize = 5;

/// Rows of word ids under the number of their document, logits and labels.
#[derive(Clone, Debug)]
struct Words {
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

fn words() -> impl Strategy<Value = Words> {
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
            prop::collection::vec(label, rows * width),
            // Now and then gold is too short.
            prop::collection::vec(prop::collection::vec(0..CLASSES as i64, 20..40), 3),
        )
            .prop_map(move |(rows, logits, labels, gold)| Words {
                width,
                rows,
                logits,
                labels,
                gold,
            })
    })
}

impl Words {
    fn ids(&self, pieces: Pieces, windows: Windows) -> WordIds {
        let tags = TagSet::new(["O", "B-0", "I-0", "B-1", "I-1"], TagStyle::Prefix).unwrap();
        let mut words = WordIds::new(pieces).windows(windows).tag_set(&tags).unwrap();
        self.rows.iter().for_each(|(document, ids)| words.push(*document, ids).unwrap());
        words
    }
}

/// Errors included: NaN, word ids beyond gold.
pub(crate) fn words_of_tensors_equal_those_of_slices<B: BackEnd>() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let signed: Vec<&str> = B::INTEGERS.iter().copied().filter(|&name| name != "u8").collect();
    let how = (
        select(&[Pieces::First, Pieces::Last, Pieces::Majority, Pieces::All][..]),
        select(&[Windows::First, Windows::MostContext][..]),
        select(B::FLOATS),
        select(signed),
        select(&Layout::ALL[..]),
    );
    let run = |(case, (pieces, windows, float, integer, layout)): (Words, _)| {
        let words = case.ids(pieces, windows);
        let Words { width, rows, logits, labels, gold } = &case;
        let (width, shape) = (*width, [rows.len(), *width]);
        let logit_tensor = Layout::floats::<B>(layout, logits, &[shape[0], width, CLASSES], float);
        let label_tensor = Layout::integers::<B>(layout, labels, &shape, integer);
        let ids: Vec<i64> = labels.iter().map(|&id| id.max(0)).collect();
        let id_tensor = Layout::integers::<B>(layout, &ids, &shape, integer);

        let expected = evaluate(CLASSES, WordTags::logits(gold, logits, width, CLASSES, &words));
        let found = B::word_logits(&logit_tensor, gold, &words);
        prop_assert_eq!(evaluate(CLASSES, Ok(found)), expected);

        let expected = evaluate(CLASSES, WordTags::ids(gold, &ids, width, &words));
        let found = B::word_ids(&id_tensor, gold, &words);
        prop_assert_eq!(evaluate(CLASSES, Ok(found)), expected);

        let expected = PaddedTags::logits(labels, logits, width, CLASSES);
        let expected = expected.map(|tags| tags.ignore_index(-100).words(&words));
        let found = B::words(B::logits(&logit_tensor, &label_tensor), &words);
        let found = evaluate(CLASSES, Ok(B::ignore_index(found, -100)));
        prop_assert_eq!(found, evaluate(CLASSES, expected));
        Ok(())
    };
    TestRunner::new(config).run(&(words(), how), run).unwrap();
}

pub(crate) fn predictions_that_do_not_fit_word_ids<B: BackEnd>() {
    let words = WordIds::default().rows([[None, Some(0), Some(1)], [Some(0), None, None]]).unwrap();
    let gold = [vec![0, 0], vec![0]];
    let mut buffer = TagBuffer::default();
    for name in B::INTEGERS {
        let ids = B::integers(&[0; 6], &[2, 3], name);
        assert!(B::word_ids(&ids, &gold, &words).load(&mut buffer).is_ok(), "{name}");
    }
    let mut fail =
        |logits: &B::Tensor| B::word_logits(logits, &gold, &words).load(&mut buffer).unwrap_err();
    let zeros = |shape: &[usize]| B::floats(&vec![0.; shape.iter().product()], shape, "f32");
    for shape in [&[2, 4, 5][..], &[3, 3, 5], &[2, 3], &[2, 3, 5, 1]] {
        let e = fail(&zeros(shape));
        assert!(matches!(e.kind(), ErrorKind::Shape { .. }), "{e}");
    }
    assert_eq!(
        fail(&zeros(&[2, 4, 5])).to_string(),
        "logits [2, 4, 5] does not fit [batch, tokens, classes] of word ids [2, 3]"
    );
    let integers = B::integers(&[0; 30], &[2, 3, 5], "i64");
    assert!(matches!(fail(&integers).kind(), ErrorKind::Dtype { .. }));
    let e = B::word_ids(&zeros(&[2, 3]), &gold, &words).load(&mut buffer).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Dtype { .. }), "{e}");
}
