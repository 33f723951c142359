//! The memory of a process that updates again and again does not grow. A binary of its own: other
//! tests would grow it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

use chunkeval_core::{ChunkEvaluator, Metric, Source, TagBuffer};
use chunkeval_tch::TchTags;
use tch::{Device, Kind, Tensor};

/// Bytes of this process in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}

/// Memory of libtorch's own counts too: tensors made and dropped, copies, errors.
#[test]
fn ten_thousand_updates_take_no_more_memory() {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    let mut buffer = TagBuffer::default();
    let (rows, width, classes) = (8, 96, 3);
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
