//! From f32 logits to ids and to counts: this crate beside libtorch's own arg-max, both with one
//! thread.
#![allow(clippy::unwrap_used, reason = "a bench stops at what it cannot use")]

use std::hint::black_box;

use chunkeval_core::{ChunkEvaluator, IdRows, Metric, Source, TagBuffer};
use chunkeval_tch::TchTags;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tch::{Device, Kind, Tensor};

/// The classes by libtorch, row by row.
fn libtorch(logits: &Tensor, width: usize) -> Vec<Vec<i64>> {
    let ids = Vec::<i64>::try_from(logits.argmax(-1, false).view(-1)).unwrap();
    ids.chunks(width).map(<[i64]>::to_vec).collect()
}

fn argmax(c: &mut Criterion) {
    tch::set_num_threads(1);
    for (rows, width, classes) in [(64, 128, 9), (64, 512, 33)] {
        let shape = [rows as i64, width as i64, classes as i64];
        let logits = Tensor::randn(shape, (Kind::Float, Device::Cpu));
        let labels = Tensor::randn(shape, (Kind::Float, Device::Cpu)).argmax(-1, false);
        let gold = Vec::<i64>::try_from(labels.view(-1)).unwrap();
        let gold: Vec<Vec<i64>> = gold.chunks(width).map(<[i64]>::to_vec).collect();
        let list = (0..classes).map(|i| match i {
            0 => "O".to_owned(),
            i => format!("{}-{}", ["I", "B"][i % 2], (i - 1) / 2),
        });
        let mut metric = ChunkEvaluator::new(list).unwrap();
        let mut buffer = TagBuffer::default();
        let tags = TchTags::logits(&logits, &labels);

        let mut group = c.benchmark_group(format!("tch [{rows},{width},{classes}]"));
        group.throughput(Throughput::Elements((rows * width) as u64));
        group.bench_function("ids: argmax + Vec", |b| {
            b.iter(|| libtorch(black_box(&logits), width));
        });
        group.bench_function("ids: TchTags", |b| {
            b.iter(|| black_box(tags.load(&mut buffer).unwrap()).tokens());
        });
        group.bench_function("counts: argmax + Vec + IdRows", |b| {
            b.iter(|| {
                let ids = libtorch(&logits, width);
                metric.update(IdRows::new(&gold, &ids).load(&mut buffer).unwrap()).unwrap();
            });
        });
        group.bench_function("counts: TchTags", |b| {
            b.iter(|| metric.update(tags.load(&mut buffer).unwrap()).unwrap());
        });
        group.finish();
    }
}

criterion_group!(benches, argmax);
criterion_main!(benches);
