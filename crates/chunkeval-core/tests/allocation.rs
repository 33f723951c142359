//! Updates allocate nothing once the first one is done.
#![allow(clippy::unwrap_used)] // test code, helper functions included

use chunkeval_core::{
    ChunkErrors, ChunkEvaluator, Collection, Metric, Mode, PaddedTags, Pieces, Running, Scheme,
    Source, TagBatch, TagBuffer, TagDiagnostics, Tagging, Windowed, Windows, WordIds, WordTags,
};

#[path = "../../../tests/shared/counting.rs"]
mod counting;
use counting::allocations;

/// How many allocations a hundred updates make.
fn of_hundred(mut update: impl FnMut()) -> u64 {
    allocations(|| (0..100).for_each(|_| update()))
}

#[test]
fn updates_allocate_nothing() {
    let (rows, width, classes) = (16, 40, 5);
    let gold: Vec<i64> = (0..rows * width).map(|i| (i * i % 7) as i64 % 5).collect();
    let logits: Vec<f32> = (0..rows * width * classes).map(|i| (i * 31 % 17) as f32).collect();
    let lengths: Vec<usize> = (0..rows).map(|r| width - r).collect();
    let labels = ["O", "B-X", "I-X", "B-Y", "I-Y"];
    let mut metric = ChunkEvaluator::new(labels).unwrap();
    let modes = [Mode::Lenient, Mode::Strict(Scheme::Iob2), Mode::Conlleval];
    let mut side_by_side = ChunkEvaluator::builder(labels).side_by_side(modes).unwrap();
    let mut buffer = TagBuffer::default();
    let mut update = || {
        let tags = PaddedTags::logits(&gold, &logits, width, classes).unwrap();
        let tags = tags.lengths(&lengths).ignore_index(3);
        let batch = tags.load(&mut buffer).unwrap();
        metric.update(batch).unwrap();
        side_by_side.update(batch).unwrap();
    };
    update();
    assert_eq!(of_hundred(update), 0);
}

/// Rows of the same errors again: the list is full, and the pairs of types are known.
#[test]
fn error_analysis_allocates_nothing() {
    let labels = ["O", "B-X", "I-X", "B-Y", "I-Y"];
    let gold: Vec<i32> = (0..600).map(|i| i * i % 7 % 5).collect();
    let predicted: Vec<i32> = (0..600).map(|i| i * i % 11 % 6).collect();
    let ends: Vec<usize> = (1..=20).map(|row| row * 30).collect();
    let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
    let mut errors = ChunkErrors::new(labels).unwrap().list_first(3);
    let mut tags = TagDiagnostics::new(labels).unwrap().list_first(3);
    let mut update = || {
        errors.update(batch).unwrap();
        tags.update(batch).unwrap();
    };
    update();
    assert_eq!(of_hundred(update), 0);
}

#[test]
fn metrics_around_metrics_allocate_nothing() {
    let inner = || ChunkEvaluator::new(["O", "B-X", "I-X", "B-Y", "I-Y"]).unwrap();
    let collection = Collection::new().with("a", inner()).unwrap().with("b", inner()).unwrap();
    let (mut running, mut window) = (Running::new(inner()), Windowed::new(inner(), 3).unwrap());
    steady(&mut { collection });
    steady(&mut running);
    steady(&mut window);
}

fn steady<M: Metric<Task = Tagging>>(metric: &mut M) {
    let batch = TagBatch::new(&[1, 2, 0, 3], &[1, 2, 0, 1], &[3, 4]).unwrap();
    let mut update = || metric.update(batch).unwrap();
    (0..4).for_each(|_| update()); // one more than the window
    assert_eq!(of_hundred(update), 0);
}

#[test]
fn words_of_pieces_allocate_nothing() {
    let (rows, width, classes) = (16, 40, 5);
    let logits: Vec<f32> = (0..rows * width * classes).map(|i| (i * 31 % 17) as f32).collect();
    let labels: Vec<i64> = (0..rows * width).map(|i| (i * i % 7) as i64 % 5).collect();
    let gold: Vec<Vec<i32>> = vec![vec![1; 50]; rows / 2];
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X", "B-Y", "I-Y"]).unwrap();
    for pieces in [Pieces::First, Pieces::Last, Pieces::Majority, Pieces::All] {
        let mut words = WordIds::new(pieces).windows(Windows::MostContext);
        words = words.tag_set(metric.tags()).unwrap();
        let mut buffer = TagBuffer::default();
        let mut update = || {
            words.clear();
            for row in 0..rows {
                let mut ids = [None; 40];
                let first = row % 2 * 10;
                for (i, id) in ids[1..width - 1].iter_mut().enumerate() {
                    *id = Some((first + i / 2) as u32);
                }
                words.push(row / 2, &ids).unwrap();
            }
            let tags = WordTags::logits(&gold, &logits, width, classes, &words).unwrap();
            metric.update(tags.load(&mut buffer).unwrap()).unwrap();
            let tags = PaddedTags::logits(&labels, &logits, width, classes).unwrap();
            let tags = tags.ignore_index(3).words(&words);
            metric.update(tags.load(&mut buffer).unwrap()).unwrap();
        };
        update();
        assert_eq!(of_hundred(update), 0, "{pieces:?}");
    }
}
