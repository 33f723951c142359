//! Once its buffers are large enough, an update on the CPU allocates nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

#[path = "../../../tests/back_ends/counting.rs"]
mod counting;

use candle_core::{DType, Device, Tensor};
use chunkeval_candle::{CandleTags, CandleWords};
use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, Tagging, WordIds};
use counting::allocations;

const LABELS: [&str; 9] =
    ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-MISC", "I-MISC"];

/// How many allocations 50 updates make after two.
fn in_steady_state(tags: impl Source<Tagging>) -> u64 {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    let mut buffer = TagBuffer::default();
    let mut update = || metric.update(tags.load(&mut buffer).unwrap()).unwrap();
    update();
    update();
    let before = allocations();
    for _ in 0..50 {
        update();
    }
    allocations() - before
}

#[test]
fn nothing_is_allocated_in_the_steady_state() {
    let cpu = &Device::Cpu;
    let (rows, width, classes) = (16, 40, LABELS.len());
    let logits = Tensor::randn(0f32, 1., (rows, width, classes), cpu).unwrap();
    let lengths: Vec<u32> = (0..rows as u32).map(|r| 10 + r * 2).collect();
    let lengths = Tensor::new(lengths, cpu).unwrap();
    let labels: Vec<i64> =
        (0..rows * width).map(|i| if i % 7 == 0 { -100 } else { (i % classes) as i64 }).collect();
    let ignored = Tensor::from_vec(labels.clone(), (rows, width), cpu).unwrap();
    let labels = ignored.clamp(0i64, 8i64).unwrap();
    let mask = labels.ne(3i64).unwrap();
    let ids = logits.argmax(2).unwrap();
    // The same values behind other strides.
    let strided_logits = logits.permute((2, 1, 0)).unwrap().contiguous().unwrap();
    let strided_logits = strided_logits.permute((2, 1, 0)).unwrap();
    let strided_labels = labels.t().unwrap().contiguous().unwrap().t().unwrap();
    assert!(!strided_logits.is_contiguous() && !strided_labels.is_contiguous());
    let half = logits.to_dtype(DType::BF16).unwrap();

    let row: Vec<Option<u32>> = (0..width as u32).map(|c| (c > 0).then_some(c / 3)).collect();
    let words = WordIds::new(Pieces::Majority).rows(vec![row; rows]).unwrap();
    let gold = vec![vec![1u8; 20]; rows];

    let probe = allocations();
    drop(std::hint::black_box(Vec::<u8>::with_capacity(9)));
    assert_eq!(allocations(), probe + 1, "the counter counts");

    let cases = [
        ("logits", CandleTags::logits(&logits, &labels)),
        ("lengths", CandleTags::logits(&logits, &labels).lengths(&lengths)),
        ("ignore", CandleTags::logits(&logits, &ignored).lengths(&lengths).ignore_index(-100)),
        ("mask", CandleTags::logits(&logits, &labels).mask(&mask)),
        ("strided", CandleTags::logits(&strided_logits, &strided_labels).lengths(&lengths)),
        ("bf16", CandleTags::logits(&half, &labels).lengths(&lengths)),
        ("ids", CandleTags::ids(&ids, &labels).lengths(&lengths)),
        ("pieces", CandleTags::logits(&logits, &ignored).ignore_index(-100).words(&words)),
    ];
    for (name, tags) in cases {
        assert_eq!(in_steady_state(tags), 0, "{name}");
    }
    assert_eq!(in_steady_state(CandleWords::logits(&logits, &gold, &words)), 0, "words");
}
