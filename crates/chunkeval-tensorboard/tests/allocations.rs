//! A point of a known tag allocates nothing.

#![allow(clippy::unwrap_used)]

use chunkeval_core::Sink;
use chunkeval_tensorboard::TensorBoard;

#[path = "../../../tests/shared/counting.rs"]
mod counting;
use counting::allocations;

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
    log(0..1);
    log(1_000_000..1_000_001); // the longest event
    assert_eq!(allocations(|| log(1..1000)), 0);
}
