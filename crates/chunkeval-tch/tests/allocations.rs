//! Once its buffers are large enough, an update on the CPU allocates nothing, and its memory does
//! not grow.
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

#[path = "../../../tests/back_ends/counting.rs"]
mod counting;

use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, Tagging, WordIds};
use chunkeval_tch::{TchTags, TchWords};
use counting::allocations;
use tch::{Device, Kind, Tensor};

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
    let (rows, width, classes) = (16, 40, LABELS.len() as i64);
    let logits = Tensor::randn([rows, width, classes], (Kind::Float, Device::Cpu));
    let lengths: Vec<i64> = (0..rows).map(|row| 10 + row * 2).collect();
    let lengths = Tensor::from_slice(&lengths);
    let ids: Vec<i64> =
        (0..rows * width).map(|i| if i % 7 == 0 { -100 } else { i % classes }).collect();
    let ignored = Tensor::from_slice(&ids).view([rows, width]);
    let labels = ignored.clamp(0, 8);
    let mask = labels.ne(3);
    let ids = logits.argmax(2, false);
    // The same values behind other strides.
    let strided_logits = logits.permute([2, 1, 0]).contiguous().permute([2, 1, 0]);
    let strided_labels = labels.tr().contiguous().tr();
    assert!(!strided_logits.is_contiguous() && !strided_labels.is_contiguous());
    let half = logits.to_kind(Kind::BFloat16);

    let row: Vec<Option<u32>> = (0..width as u32).map(|c| (c > 0).then_some(c / 3)).collect();
    let words = WordIds::new(Pieces::Majority).rows(vec![row; rows as usize]).unwrap();
    let gold = vec![vec![1u8; 20]; rows as usize];

    let probe = allocations();
    drop(std::hint::black_box(Vec::<u8>::with_capacity(9)));
    assert_eq!(allocations(), probe + 1, "the counter counts");

    let cases = [
        ("logits", TchTags::logits(&logits, &labels)),
        ("lengths", TchTags::logits(&logits, &labels).lengths(&lengths)),
        ("ignore", TchTags::logits(&logits, &ignored).lengths(&lengths).ignore_index(-100)),
        ("mask", TchTags::logits(&logits, &labels).mask(&mask)),
        ("strided", TchTags::logits(&strided_logits, &strided_labels).lengths(&lengths)),
        ("bf16", TchTags::logits(&half, &labels).lengths(&lengths)),
        ("ids", TchTags::ids(&ids, &labels).lengths(&lengths)),
        ("pieces", TchTags::logits(&logits, &ignored).ignore_index(-100).words(&words)),
    ];
    for (name, tags) in cases {
        assert_eq!(in_steady_state(tags), 0, "{name}");
    }
    assert_eq!(in_steady_state(TchWords::logits(&logits, &gold, &words)), 0, "words");
}

/// Bytes of this process in memory.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}

/// Memory of libtorch's own counts too: tensors made and dropped, copies, errors.
#[test]
#[cfg(target_os = "linux")]
fn ten_thousand_updates_take_no_more_memory() {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    let mut buffer = TagBuffer::default();
    let (rows, width, classes) = (8, 32, LABELS.len() as i64);
    let labels = Tensor::zeros([rows, width], (Kind::Int64, Device::Cpu));
    let wrong = Tensor::zeros([rows, width + 1], (Kind::Int64, Device::Cpu));
    let mut run = |updates: u32| {
        for update in 0..updates {
            let logits = Tensor::randn([rows, width, classes], (Kind::Float, Device::Cpu));
            metric.update(TchTags::logits(&logits, &labels).load(&mut buffer).unwrap()).unwrap();
            if update % 10 == 0 {
                // These are copied before they are read.
                let sparse = labels.to_sparse_sparse_dim(2);
                TchTags::ids(&sparse, &labels).load(&mut buffer).unwrap();
                assert!(TchTags::logits(&logits, &wrong).load(&mut buffer).is_err());
            }
        }
    };
    run(1_000);
    let before = resident();
    run(10_000);
    let grown = resident().saturating_sub(before);
    // One of these batches that is kept in each update would be 92 MB.
    assert!(grown < 2_000_000, "{grown} bytes more than {before}");
}
