//! The counting kernel beside a plain pass over the same arrays and crate rusev on the same rows.
//!
//! Within a group everything counts the same rows: `xor` is the floor, `update` and `measure`
//! take all rows as one batch, `batches_of_32` takes 32 rows at a time, `padded` starts from
//! padded 64-bit ids, `strings` and `rusev` get the same rows as strings. `strict` and `conlleval`
//! are `update` in other modes, `side_by_side` is all three modes in one update.
#![forbid(unsafe_code)]
// A bench that cannot run ends.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod rusev;

use std::hint::black_box;
use std::time::Duration;

use chunkeval_benches::{Workload, in_cache, large, shared_with_others, xor_pass};
use chunkeval_core::{
    Batch, ChunkEvaluator, Mergeable, Metric, Mode, PaddedTags, Source, TagBuffer, TagRows,
};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn kernel(c: &mut Criterion) {
    for workload in large() {
        let mut group = group(c, &workload);
        whole(&mut group, &workload);
    }
    for workload in shared_with_others().expect("the golden corpora") {
        let mut group = group(c, &workload);
        whole(&mut group, &workload);
        other_modes(&mut group, &workload);
        batches_of_32(&mut group, &workload);
        strings(&mut group, &workload);
        rusev::bench(&mut group, &workload);
    }
    let workload = in_cache();
    let mut group = group(c, &workload);
    whole(&mut group, &workload);
    other_modes(&mut group, &workload);
    padded(&mut group, &workload);
}

fn group<'a>(c: &'a mut Criterion, workload: &Workload) -> Group<'a> {
    let mut group = c.benchmark_group(&workload.name);
    group
        .throughput(Throughput::Elements(workload.gold.len() as u64))
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    group
}

fn whole(group: &mut Group<'_>, workload: &Workload) {
    group.bench_function("xor", |b| {
        b.iter(|| xor_pass(black_box(&workload.gold), black_box(&workload.predicted)));
    });
    let mut metric = workload.metric().unwrap();
    let batch = workload.batch().unwrap();
    group.bench_function("update", |b| b.iter(|| metric.update(black_box(batch)).unwrap()));
    group.bench_function("measure", |b| b.iter(|| metric.measure(black_box(batch)).unwrap()));
}

/// The strict scheme of the labels, conlleval's reading, and both beside the lenient one.
fn other_modes(group: &mut Group<'_>, workload: &Workload) {
    let batch = workload.batch().unwrap();
    let strict = workload.strict().unwrap();
    for (way, mode) in [("strict", strict), ("conlleval", Mode::Conlleval)] {
        let mut metric = workload.builder().mode(mode).build().unwrap();
        group.bench_function(way, |b| b.iter(|| metric.update(black_box(batch)).unwrap()));
    }
    let modes = [Mode::Lenient, strict, Mode::Conlleval];
    let mut metric = workload.builder().side_by_side(modes).unwrap();
    group.bench_function("side_by_side", |b| {
        b.iter(|| metric.update(black_box(batch)).unwrap());
    });
}

fn batches_of_32(group: &mut Group<'_>, workload: &Workload) {
    let mut metric = workload.metric().unwrap();
    let batch = workload.batch().unwrap();
    let mut pass = || {
        metric.reset();
        for first in (0..batch.len()).step_by(32) {
            metric.update(batch.rows(first..first + 32)).unwrap();
        }
        metric.accumulate()
    };
    assert_eq!(pass().overall.counts, workload.counts().unwrap());
    group.bench_function("batches_of_32", |b| b.iter(&mut pass));
}

/// From lists of strings to a report, without a label list.
fn strings(group: &mut Group<'_>, workload: &Workload) {
    let (gold, predicted) =
        (workload.strings(&workload.gold), workload.strings(&workload.predicted));
    let report = || {
        let rows = TagRows::new(black_box(&gold), black_box(&predicted)).unwrap();
        let builder = ChunkEvaluator::builder(rows.labels()).style(workload.style);
        let mut metric = builder.build().unwrap();
        metric.update(rows.batch()).unwrap();
        metric.accumulate()
    };
    assert_eq!(report().overall.counts, workload.counts().unwrap());
    group.bench_function("strings", |b| b.iter(report));
}

fn padded(group: &mut Group<'_>, workload: &Workload) {
    let wide = |ids: &[i32]| ids.iter().map(|&id| i64::from(id)).collect::<Vec<_>>();
    let (gold, predicted) = (wide(&workload.gold), wide(&workload.predicted));
    let lengths: Vec<usize> = workload.lengths().collect();
    let width = lengths.iter().copied().max().unwrap_or(0);
    let mut metric = workload.metric().unwrap();
    let mut buffer = TagBuffer::default();
    group.bench_function("padded", |b| {
        b.iter(|| {
            let tags = PaddedTags::ids(black_box(&gold), black_box(&predicted), width).unwrap();
            metric.update(tags.lengths(&lengths).load(&mut buffer).unwrap()).unwrap();
        });
    });
}

criterion_group!(benches, kernel);
criterion_main!(benches);
