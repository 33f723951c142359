//! From f32 logits to ids and to counts: this crate beside candle's own arg-max.
#![allow(clippy::unwrap_used, reason = "a bench stops at what it cannot use")]

use std::hint::black_box;

use candle_core::{D, Device, Tensor};
use chunkeval_candle::CandleTags;
use chunkeval_core::{ChunkEvaluator, IdRows, Metric, Source, TagBuffer};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn argmax(c: &mut Criterion) {
    for (rows, width, classes) in [(64, 128, 9), (64, 512, 33)] {
        let cpu = &Device::Cpu;
        let logits = Tensor::randn(0f32, 1., (rows, width, classes), cpu).unwrap();
        let labels = Tensor::randn(0f32, 1., (rows, width, classes), cpu).unwrap();
        let labels = labels.argmax(D::Minus1).unwrap();
        let gold = labels.to_vec2::<u32>().unwrap();
        let list = (0..classes).map(|i| match i {
            0 => "O".to_owned(),
            i => format!("{}-{}", ["I", "B"][i % 2], (i - 1) / 2),
        });
        let mut metric = ChunkEvaluator::new(list).unwrap();
        let mut buffer = TagBuffer::default();
        let tags = CandleTags::logits(&logits, &labels);

        let mut group = c.benchmark_group(format!("[{rows},{width},{classes}]"));
        group.throughput(Throughput::Elements((rows * width) as u64));
        group.bench_function("ids: argmax + to_vec2", |b| {
            b.iter(|| black_box(&logits).argmax(D::Minus1).unwrap().to_vec2::<u32>().unwrap());
        });
        group.bench_function("ids: CandleTags", |b| {
            b.iter(|| black_box(tags.load(&mut buffer).unwrap()).tokens());
        });
        group.bench_function("counts: argmax + to_vec2 + IdRows", |b| {
            b.iter(|| {
                let ids = logits.argmax(D::Minus1).unwrap().to_vec2::<u32>().unwrap();
                metric.update(IdRows::new(&gold, &ids).load(&mut buffer).unwrap()).unwrap();
            });
        });
        group.bench_function("counts: CandleTags", |b| {
            b.iter(|| metric.update(tags.load(&mut buffer).unwrap()).unwrap());
        });
        group.finish();
    }
}

criterion_group!(benches, argmax);
criterion_main!(benches);
