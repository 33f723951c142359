//! A file of columns scored by the program's own reader, beside a plain pass over its lines.
//!
//! Within a group everything reads the same bytes: `lines` finds the line ends and does nothing
//! else, `columns` is what `chunkeval tags --threads 1` does, `sentences` the same through the
//! readers of `chunkeval-data`, `script` is our own conlleval.pl.
#![forbid(unsafe_code)]
// A bench that cannot run ends.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use chunkeval_benches::{Workload, shared_with_others};
use chunkeval_cli::tags::count_columns;
use chunkeval_data::{Conll, ConllReader, ReadSentences, Sentence};
use chunkeval_report::Conlleval;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// About how many bytes a file has.
const SIZE: usize = 16 << 20;

/// The rows as a file, again and again until it is large enough.
fn file(workload: &Workload, delimiter: char) -> Vec<u8> {
    let (gold, predicted) =
        (workload.strings(&workload.gold), workload.strings(&workload.predicted));
    let mut text = String::new();
    while text.len() < SIZE {
        for (gold, predicted) in gold.iter().zip(&predicted) {
            for (i, (gold, predicted)) in gold.iter().zip(predicted).enumerate() {
                // Words of 1 to 10 letters, as in English.
                let word = &"abcdefghij"[..1 + i * 7 % 10];
                text.push_str(&[word, *gold, *predicted].join(&delimiter.to_string()));
                text.push('\n');
            }
            text.push('\n');
        }
    }
    text.into_bytes()
}

fn files(c: &mut Criterion) {
    let workloads = shared_with_others().expect("the golden corpora");
    for workload in workloads.iter().filter(|w| w.style == chunkeval_core::TagStyle::Prefix) {
        let tabs: Arc<[u8]> = file(workload, '\t').into();
        let spaces = file(workload, ' ');
        let mut group = c.benchmark_group(format!("file of {}, bytes", workload.name));
        group
            .throughput(Throughput::Elements(tabs.len() as u64))
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(3));
        group.bench_function("lines", |b| {
            b.iter(|| memchr::memchr_iter(b'\n', black_box(&tabs)).count());
        });
        for threads in [1, 2] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let name = if threads.get() == 1 { "columns" } else { "columns, 2 threads" };
            group.bench_function(name, |b| {
                b.iter(|| count_columns(Arc::clone(&tabs), threads).unwrap());
            });
        }
        group.bench_function("sentences", |b| {
            b.iter(|| {
                let mut reader =
                    ConllReader::new(black_box(&*tabs), "f", &Conll::predictions()).unwrap();
                let (mut sentence, mut tokens) = (Sentence::new(), 0);
                while reader.read_into(&mut sentence).unwrap() {
                    tokens += sentence.len();
                }
                tokens
            });
        });
        group.bench_function("script", |b| {
            b.iter(|| Conlleval::default().run(black_box(&*spaces)).unwrap());
        });
    }
}

criterion_group!(benches, files);
criterion_main!(benches);
