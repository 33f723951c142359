//! Reading into one sentence allocates nothing once the longest line has been seen.

#![allow(clippy::unwrap_used)]

use chunkeval_data::{
    Conll, ConllReader, PairReader, ParallelReader, ReadSentences, Sentence, WaybillReader,
};

#[path = "../../../tests/shared/counting.rs"]
mod counting;
use counting::allocations;

/// Reads all; how many allocations it makes after the first two sentences.
fn of_the_rest(mut reader: impl ReadSentences) -> u64 {
    let mut sentence = Sentence::new();
    for _ in 0..2 {
        assert!(reader.read_into(&mut sentence).unwrap());
    }
    let mut sentences = 0;
    let found = allocations(|| {
        while reader.read_into(&mut sentence).unwrap() {
            sentences += 1;
        }
    });
    assert_eq!(sentences, 98);
    found
}

#[test]
fn the_steady_state_allocates_nothing() {
    let conll = "a\tB-X\tO\nbc\tI-X\tO\n\n".repeat(100);
    let open = || ConllReader::new(conll.as_bytes(), "f", &Conll::predictions()).unwrap();
    assert_eq!(of_the_rest(open()), 0);
    assert_eq!(of_the_rest(PairReader::new(open(), open())), 0);

    let waybill = format!("text_a\tlabel\n{}", "川\u{2}蜀\tX-B\u{2}X-I\n".repeat(100));
    assert_eq!(of_the_rest(WaybillReader::new(waybill.as_bytes(), "f")), 0);

    let (tokens, tags, labels) = ("a bc\n".repeat(100), "O B-X\n".repeat(100), "L\n".repeat(100));
    let parallel = ParallelReader::new(tokens.as_bytes(), "in", tags.as_bytes(), "out");
    assert_eq!(of_the_rest(parallel.with_labels(labels.as_bytes(), "label")), 0);
}
