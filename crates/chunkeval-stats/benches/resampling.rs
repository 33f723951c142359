//! 1,000 resamples of a test set of 10,000 rows and ten entity types, on one thread.
//!
//! `cargo bench -p chunkeval-stats`; the goal is 0.3 s for micro F1.
#![allow(clippy::unwrap_used, missing_docs)] // not a library

use chunkeval_core::{Average, ChunkCounts, ChunkEvaluator, RowCounts, TagBatch};
use chunkeval_stats::{ByType, IntervalMethod, Resampling, Totals, TypeSums};
use criterion::{Criterion, criterion_group, criterion_main};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

const ROWS: usize = 10_000;
const TYPES: u32 = 10;

/// Rows with one chunk and a half on average, nine of ten predicted right.
fn rows(seed: u8) -> RowCounts {
    let labels = (0..TYPES).map(|t| format!("B-T{t}"));
    let metric = ChunkEvaluator::new(["O".to_owned()].into_iter().chain(labels)).unwrap();
    let (mut chance, mut answers) = ([0, seed].map(|s| ChaCha8Rng::from_seed([s; 32]))).into();
    let below = |rng: &mut ChaCha8Rng, n: u32| rng.next_u32() % n;
    let (mut gold, mut predicted, mut ends) = (vec![], vec![], vec![]);
    for _ in 0..ROWS {
        for _ in 0..below(&mut chance, 4) {
            let tag = 1 + below(&mut chance, TYPES) as i32;
            gold.push(tag);
            let other = 1 + below(&mut answers, TYPES) as i32;
            predicted.push(if below(&mut answers, 10) > 0 { tag } else { other });
        }
        ends.push(gold.len());
    }
    let mut rows = RowCounts::new(&metric);
    rows.push(&metric, TagBatch::new(&gold, &predicted, &ends).unwrap()).unwrap();
    rows
}

fn resampling(c: &mut Criterion) {
    let (first, second) = (rows(1), rows(2));
    let bytes = first.memory() as f64 / ROWS as f64;
    println!("RowCounts: {bytes:.1} bytes a row, spare room included");
    let (totals, others) = (Totals::of(&first).unwrap(), Totals::of(&second).unwrap());
    let by_type = ByType::of(&first).unwrap();
    let how = Resampling::new(1000);
    let macro_f1 = |sums: &TypeSums| sums.average(Average::Macro).map(|scores| scores.f_score);

    let mut group = c.benchmark_group("1,000 resamples of 10,000 rows");
    group.sample_size(20);
    group.bench_function("micro F1, percentile", |b| {
        b.iter(|| how.interval(&totals, ChunkCounts::f1).unwrap());
    });
    group.bench_function("micro F1, BCa", |b| {
        let how = how.method(IntervalMethod::Bca);
        b.iter(|| how.interval(&totals, ChunkCounts::f1).unwrap());
    });
    group.bench_function("macro F1 of ten types", |b| {
        b.iter(|| how.interval(&by_type, macro_f1).unwrap());
    });
    group.bench_function("report: 39 scores of ten types", |b| {
        b.iter(|| how.report(&first).unwrap());
    });
    group.bench_function("paired bootstrap of micro F1", |b| {
        b.iter(|| how.paired_bootstrap(&totals, &others, ChunkCounts::f1).unwrap());
    });
    group.bench_function("approximate randomisation of micro F1", |b| {
        b.iter(|| how.approximate_randomisation(&totals, &others, ChunkCounts::f1).unwrap());
    });
    group.finish();
}

criterion_group!(benches, resampling);
criterion_main!(benches);
