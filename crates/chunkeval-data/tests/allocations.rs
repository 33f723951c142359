//! Reading into one sentence allocates nothing once the longest line has been seen.

#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use chunkeval_data::{
    Conll, ConllReader, PairReader, ParallelReader, ReadSentences, Sentence, WaybillReader,
};

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

/// Reads all, and counts the allocations after the first two sentences.
fn allocations(mut reader: impl ReadSentences) -> u64 {
    let mut sentence = Sentence::new();
    for _ in 0..2 {
        assert!(reader.read_into(&mut sentence).unwrap());
    }
    let before = COUNT.with(Cell::get);
    let mut sentences = 0;
    while reader.read_into(&mut sentence).unwrap() {
        sentences += 1;
    }
    let after = COUNT.with(Cell::get);
    assert_eq!(sentences, 98);
    after - before
}

#[test]
fn the_steady_state_allocates_nothing() {
    assert!(allocations_of_a_reader_that_does(), "the counter must count");

    let conll = "a\tB-X\tO\nbc\tI-X\tO\n\n".repeat(100);
    let open = || ConllReader::new(conll.as_bytes(), "f", &Conll::predictions()).unwrap();
    assert_eq!(allocations(open()), 0);
    assert_eq!(allocations(PairReader::new(open(), open())), 0);

    let waybill = format!("text_a\tlabel\n{}", "川\u{2}蜀\tX-B\u{2}X-I\n".repeat(100));
    assert_eq!(allocations(WaybillReader::new(waybill.as_bytes(), "f")), 0);

    let (tokens, tags, labels) = ("a bc\n".repeat(100), "O B-X\n".repeat(100), "L\n".repeat(100));
    let parallel = ParallelReader::new(tokens.as_bytes(), "in", tags.as_bytes(), "out");
    assert_eq!(allocations(parallel.with_labels(labels.as_bytes(), "label")), 0);
}

fn allocations_of_a_reader_that_does() -> bool {
    let before = COUNT.with(Cell::get);
    let text = "a\tO\n\n".repeat(10);
    let all = ConllReader::new(text.as_bytes(), "f", &Conll::two_columns()).unwrap().count();
    COUNT.with(Cell::get) - before > all as u64
}
