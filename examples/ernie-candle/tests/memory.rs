//! Memory does not grow from step to step, nor from evaluation to evaluation.
#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering};

use clap::Parser;
use ernie_candle::network::Ernie;
use ernie_candle::options::Options;
use training_loop::args::{Args, Task};
use training_loop::corpus::{Batch, Corpus, Labels, Rows};
use training_loop::network::Network;
use training_loop::run::Evaluator;

struct Counting;

/// Bytes that were asked for and not given back, by all threads.
static HELD: AtomicIsize = AtomicIsize::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`, and `at` came from `System`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_and_evaluations_give_back_what_they_took() {
    for decoder in ["--no-crf", "--crf"] {
        let args = ["ernie-candle", "--sentences", "16", "--layers", "1", "--hidden", "16"];
        let args = Args::<Options>::parse_from([&args[..], &[decoder]].concat());
        let Task::Start { settings, .. } = args.task().unwrap() else { unreachable!() };
        let corpus = Corpus::load(&settings.source).unwrap();
        let labels = Labels::new(&corpus.train, settings.style).unwrap();
        let mut network = Ernie::start(&args.network, &corpus.train, &labels, &settings).unwrap();
        let inputs = network.encode(&corpus.train).unwrap();
        let data = Rows { inputs, labels: labels.encode(&corpus.train).unwrap() };
        let mut evaluator = Evaluator::new(&labels, 4).unwrap();

        let rows: Vec<usize> = (0..16).collect();
        let mut held = Vec::new();
        for step in 0..30 {
            network.train(&Batch { data: &data, rows: &rows }, step, 1e-3).unwrap();
            evaluator.run(&network, &data).unwrap();
            held.push(HELD.load(Ordering::Relaxed));
        }
        // The first steps fill buffers that stay; a step that kept its activations would add
        // hundreds of kilobytes.
        let grown = held[29] - held[9];
        assert!(grown < 20_000, "{grown} bytes in 20 steps");
    }
}
