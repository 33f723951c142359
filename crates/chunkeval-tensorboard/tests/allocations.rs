//! A point of a known tag allocates nothing.

#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use chunkeval_core::Sink;
use chunkeval_tensorboard::TensorBoard;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `at` came from `System`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn the_steady_state_allocates_nothing() {
    let tags = ["dev/precision", "dev/recall", "dev/f1", "dev/per_type/人名/f1"];
    let folder = tempfile::tempdir().unwrap();
    let mut board = TensorBoard::create(folder.path()).unwrap();
    let mut log = |steps: std::ops::Range<u64>| {
        for step in steps {
            for tag in tags {
                board.scalar(tag, step, 0.5).unwrap();
            }
            board.flush().unwrap();
        }
    };
    assert!(allocations(|| log(0..1)) > 0, "the counter must count");
    log(1_000_000..1_000_001); // the longest event
    assert_eq!(allocations(|| log(1..1000)), 0);
}
