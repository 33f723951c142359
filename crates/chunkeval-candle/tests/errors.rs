//! What does not fit is an error that names tensors and shapes, and changes nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at what it cannot use")]

use candle_core::{DType, Device, Tensor};
use chunkeval_candle::CandleTags;
use chunkeval_core::{
    ChunkEvaluator, Error, ErrorKind, Metric, Place, Result, Source, TagBatch, TagBuffer, Tagging,
};

fn zeros(shape: &[usize], dtype: DType) -> Tensor {
    Tensor::zeros(shape, dtype, &Device::Cpu).unwrap()
}

fn logits(shape: &[usize]) -> Tensor {
    zeros(shape, DType::F32)
}

fn ids(shape: &[usize]) -> Tensor {
    zeros(shape, DType::I64)
}

fn error(tags: CandleTags<'_>) -> Error {
    tags.load(&mut TagBuffer::default()).unwrap_err()
}

#[test]
fn shapes_that_disagree_are_both_printed() {
    let (l, g) = (logits(&[2, 3, 5]), ids(&[2, 3]));
    let (long, flat) = (ids(&[2, 4]), ids(&[6]));
    let cases = [
        (
            error(CandleTags::logits(&l, &long)),
            "labels [2, 4] does not fit [batch, tokens] of logits [2, 3, 5]",
        ),
        (
            error(CandleTags::logits(&l, &flat)),
            "labels [6] does not fit [batch, tokens] of logits [2, 3, 5]",
        ),
        (
            error(CandleTags::logits(&logits(&[6, 5]), &g)),
            "logits [6, 5] does not fit [batch, tokens, classes] of labels [2, 3]",
        ),
        (
            error(CandleTags::ids(&ids(&[3, 2]), &g)),
            "labels [2, 3] does not fit [batch, tokens] of predicted ids [3, 2]",
        ),
        (
            error(CandleTags::ids(&flat, &flat)),
            "predicted ids [6] does not fit [batch, tokens] of labels [6]",
        ),
        (
            error(CandleTags::logits(&l, &g).lengths(&ids(&[3]))),
            "lengths [3] does not fit [batch] of labels [2, 3]",
        ),
        (
            error(CandleTags::logits(&l, &g).lengths(&g)),
            "lengths [2, 3] does not fit [batch] of labels [2, 3]",
        ),
        (
            error(CandleTags::logits(&l, &g).mask(&ids(&[2]))),
            "mask [2] does not fit [batch, tokens] of labels [2, 3]",
        ),
    ];
    for (e, message) in cases {
        assert!(matches!(e.kind(), ErrorKind::Shape { .. }));
        assert_eq!(e.to_string(), message);
    }
}

#[test]
fn element_types_are_named() {
    let (l, g) = (logits(&[2, 3, 5]), ids(&[2, 3]));
    let floats = logits(&[2, 3]);
    let named = |e: Error, message: &str| {
        assert!(matches!(e.kind(), ErrorKind::Dtype { .. }));
        assert_eq!(e.to_string(), message);
    };
    named(
        error(CandleTags::logits(&ids(&[2, 3, 5]), &g)),
        "logits has dtype i64, expected one of f16, bf16, f32, f64",
    );
    let integers = "has dtype f32, expected one of u8, u32, i16, i32, i64";
    named(error(CandleTags::logits(&l, &floats)), &format!("labels {integers}"));
    named(error(CandleTags::ids(&floats, &g)), &format!("predicted ids {integers}"));
    named(error(CandleTags::ids(&g, &g).mask(&floats)), &format!("mask {integers}"));
    let lengths = logits(&[2]);
    named(error(CandleTags::ids(&g, &g).lengths(&lengths)), &format!("lengths {integers}"));
}

#[test]
fn lengths_outside_the_row_name_the_row() {
    let g = ids(&[2, 3]);
    let lengths = |l: [i64; 2]| Tensor::new(&l, &Device::Cpu).unwrap();
    let e = error(CandleTags::ids(&g, &g).lengths(&lengths([3, 4])));
    assert_eq!(e.place(), Some(Place::Row(1)));
    assert_eq!(e.to_string(), "row 1: the row length exceeds the width: expected 3, found 4");
    let e = error(CandleTags::ids(&g, &g).lengths(&lengths([-2, 3])));
    assert_eq!(e.place(), Some(Place::Row(0)));
    assert_eq!(e.to_string(), "row 0: how far the row length lies below 0: expected 0, found 2");
    let e = error(CandleTags::ids(&g, &g).lengths(&lengths([0, i64::MIN])));
    assert_eq!(e.place(), Some(Place::Row(1)));
}

#[test]
fn a_failing_update_changes_nothing() {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    let mut buffer = TagBuffer::default();
    let gold = Tensor::new(&[[1u32, 2, 0]], &Device::Cpu).unwrap();
    metric.update(CandleTags::ids(&gold, &gold).load(&mut buffer).unwrap()).unwrap();
    let before = metric.accumulate();

    let many = logits(&[1, 3, 4]);
    let e = metric.update(CandleTags::logits(&many, &gold).load(&mut buffer).unwrap()).unwrap_err();
    assert_eq!(e.to_string(), "the logits have 4 classes, the label list has 3 labels");
    let unknown = Tensor::new(&[[0i32, 7, 0]], &Device::Cpu).unwrap();
    let e = metric.update(CandleTags::ids(&gold, &unknown).load(&mut buffer).unwrap()).unwrap_err();
    assert_eq!(e.place(), Some(Place::Cell { row: 0, column: 1 }));
    assert_eq!(metric.accumulate(), before);
}

/// A metric of someone else's.
#[derive(Default)]
struct TokenAccuracy {
    equal: usize,
    tokens: usize,
}

impl Metric for TokenAccuracy {
    type Task = Tagging;
    type Output = (usize, usize);

    fn name(&self) -> Vec<&str> {
        vec!["token_accuracy"]
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn update(&mut self, batch: TagBatch<'_>) -> Result<()> {
        for (gold, predicted) in batch.iter_rows() {
            self.equal += gold.iter().zip(predicted).filter(|(g, p)| g == p).count();
        }
        self.tokens += batch.tokens();
        Ok(())
    }

    fn accumulate(&self) -> (usize, usize) {
        (self.equal, self.tokens)
    }
}

#[test]
fn any_metric_of_the_task_can_be_fed() {
    fn feed<M: Metric<Task = Tagging>>(mut metric: M, tags: CandleTags<'_>) -> M::Output {
        metric.update(tags.load(&mut TagBuffer::default()).unwrap()).unwrap();
        metric.accumulate()
    }
    let gold = Tensor::new(&[[1u8, 2, 0], [0, 0, 2]], &Device::Cpu).unwrap();
    let predicted = Tensor::new(&[[1i32, 0, 0], [0, 0, 1]], &Device::Cpu).unwrap();
    let lengths = Tensor::new(&[2u8, 3], &Device::Cpu).unwrap();
    let tags = CandleTags::ids(&predicted, &gold).lengths(&lengths);
    assert_eq!(feed(TokenAccuracy::default(), tags), (3, 5));
}
