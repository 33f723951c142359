//! Once its buffers are large enough, an update on the CPU allocates nothing, whatever the element
//! types and strides of its tensors.

use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, Tagging, WordIds};

use super::{BackEnd, Layout};
use counting::allocations;

#[path = "../shared/counting.rs"]
mod counting;

const LABELS: [&str; 9] =
    ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-MISC", "I-MISC"];

const ROWS: usize = 16;
const WIDTH: usize = 40;

pub(crate) fn none_in_the_steady_state<B: BackEnd>() {
    for layout in Layout::ALL {
        B::FLOATS.iter().for_each(|float| check::<B>(layout, float, "i64"));
        B::INTEGERS.iter().for_each(|integer| check::<B>(layout, "f32", integer));
    }
}

fn check<B: BackEnd>(layout: Layout, float: &str, integer: &str) {
    let classes = LABELS.len();
    let values: Vec<f64> = (0..ROWS * WIDTH * classes).map(|i| (i * 31 % 17) as f64).collect();
    let logits = layout.floats::<B>(&values, &[ROWS, WIDTH, classes], float);
    let integers = |values: Vec<usize>, shape: &[usize]| {
        let values: Vec<i64> = values.into_iter().map(|n| n as i64).collect();
        layout.integers::<B>(&values, shape, integer)
    };
    let by_token = |of: fn(usize) -> usize| {
        integers((0..ROWS * WIDTH).map(|i| of(i) % classes).collect(), &[ROWS, WIDTH])
    };
    let (labels, ids, mask) = (by_token(|i| i), by_token(|i| i * i), by_token(|i| i % 3));
    let lengths = integers((0..ROWS).map(|row| 10 + row * 2).collect(), &[ROWS]);
    let row: Vec<Option<u32>> = (0..WIDTH as u32).map(|c| (c > 0).then_some(c / 3)).collect();
    let words = WordIds::new(Pieces::Majority).rows(vec![row; ROWS]).unwrap();
    let gold = vec![vec![1i64; 20]; ROWS];

    let of_logits = B::logits(&logits, &labels);
    let cases = [
        ("logits", of_logits),
        ("lengths", B::lengths(of_logits, &lengths)),
        ("ignored", B::ignore_index(B::lengths(of_logits, &lengths), 3)),
        ("mask", B::mask(of_logits, &mask)),
        ("ids", B::lengths(B::ids(&ids, &labels), &lengths)),
        ("pieces", B::words(B::ignore_index(of_logits, 3), &words)),
    ];
    let types = format!("{layout:?} {float} {integer}");
    for (name, tags) in cases {
        assert_eq!(in_steady_state(tags), 0, "{name}: {types}");
    }
    assert_eq!(in_steady_state(B::word_logits(&logits, &gold, &words)), 0, "words: {types}");
    assert_eq!(in_steady_state(B::word_ids(&ids, &gold, &words)), 0, "words, ids: {types}");
}

/// How many allocations ten updates make after two.
fn in_steady_state(tags: impl Source<Tagging>) -> u64 {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    let mut buffer = TagBuffer::default();
    let mut update = || metric.update(tags.load(&mut buffer).unwrap()).unwrap();
    update();
    update();
    allocations(|| (0..10).for_each(|_| update()))
}
