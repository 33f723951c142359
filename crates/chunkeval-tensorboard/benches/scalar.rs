//! What one point costs the training loop, here and in tensorboard-rs's own writer.
//!
//! The own writer formats and buffers in the caller's thread; tensorboard-rs hands each event to a
//! thread of its own, which makes four system calls for it. `drained` includes what is left to do
//! when the last point was taken: for us the flush, for it the end of that thread.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use chunkeval_core::Sink;
use chunkeval_tensorboard::TensorBoard;
use criterion::{Criterion, criterion_group, criterion_main};
use tensorboard_rs::summary_writer::SummaryWriter;

const TAGS: [&str; 4] = ["dev/precision", "dev/recall", "dev/f1", "dev/per_type/PER/f1"];

/// The time until the last point was taken, and until everything was written.
type Times = [Duration; 2];

fn ours(points: u64) -> Times {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut board = TensorBoard::create(folder.path()).expect("an event file");
    let start = Instant::now();
    for step in 0..points {
        board.scalar(TAGS[step as usize % 4], step, 0.5).expect("a point");
    }
    let caller = start.elapsed();
    board.close().expect("a flush");
    [caller, start.elapsed()]
}

fn theirs(points: u64) -> Times {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = SummaryWriter::new(folder.path());
    let start = Instant::now();
    for step in 0..points {
        writer.add_scalar(TAGS[step as usize % 4], 0.5, step as usize);
    }
    let caller = start.elapsed();
    drop(writer);
    [caller, start.elapsed()]
}

fn scalar(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scalar");
    for (which, name) in ["caller", "drained"].into_iter().enumerate() {
        group.bench_function(format!("chunkeval/{name}"), |b| {
            b.iter_custom(|points| ours(points)[which]);
        });
        group.bench_function(format!("tensorboard-rs/{name}"), |b| {
            b.iter_custom(|points| theirs(points)[which]);
        });
    }
    group.finish();
}

criterion_group!(benches, scalar);
criterion_main!(benches);
