//! What does not fit is an error that names tensors and shapes, and changes nothing.

use chunkeval_core::{
    Batch, ChunkEvaluator, Error, ErrorKind, Metric, Place, Result, Source, TagBatch, TagBuffer,
    Tagging,
};

use super::BackEnd;

fn logits<B: BackEnd>(shape: &[usize]) -> B::Tensor {
    B::floats(&vec![0.0; shape.iter().product()], shape, "f32")
}

fn ids<B: BackEnd>(shape: &[usize]) -> B::Tensor {
    B::integers(&vec![0; shape.iter().product()], shape, "i64")
}

fn error<B: BackEnd>(tags: B::Tags<'_>) -> Error {
    tags.load(&mut TagBuffer::default()).unwrap_err()
}

pub(crate) fn shapes_that_disagree_are_both_printed<B: BackEnd>() {
    let (l, g) = (logits::<B>(&[2, 3, 5]), ids::<B>(&[2, 3]));
    let (long, flat, flat_logits) = (ids::<B>(&[2, 4]), ids::<B>(&[6]), logits::<B>(&[6, 5]));
    let (turned, three, two) = (ids::<B>(&[3, 2]), ids::<B>(&[3]), ids::<B>(&[2]));
    let cases = [
        (B::logits(&l, &long), "labels [2, 4] does not fit [batch, tokens] of logits [2, 3, 5]"),
        (B::logits(&l, &flat), "labels [6] does not fit [batch, tokens] of logits [2, 3, 5]"),
        (
            B::logits(&flat_logits, &g),
            "logits [6, 5] does not fit [batch, tokens, classes] of labels [2, 3]",
        ),
        (B::ids(&turned, &g), "labels [2, 3] does not fit [batch, tokens] of predicted ids [3, 2]"),
        (B::ids(&flat, &flat), "predicted ids [6] does not fit [batch, tokens] of labels [6]"),
        (
            B::lengths(B::logits(&l, &g), &three),
            "lengths [3] does not fit [batch] of labels [2, 3]",
        ),
        (B::lengths(B::logits(&l, &g), &g), "lengths [2, 3] does not fit [batch] of labels [2, 3]"),
        (
            B::mask(B::logits(&l, &g), &two),
            "mask [2] does not fit [batch, tokens] of labels [2, 3]",
        ),
    ];
    for (tags, message) in cases {
        let e = error::<B>(tags);
        assert!(matches!(e.kind(), ErrorKind::Shape { .. }));
        assert_eq!(e.to_string(), message);
    }
}

pub(crate) fn element_types_are_named<B: BackEnd>() {
    let (l, g, cube) = (logits::<B>(&[2, 3, 5]), ids::<B>(&[2, 3]), ids::<B>(&[2, 3, 5]));
    let (floats, lengths) = (logits::<B>(&[2, 3]), logits::<B>(&[2]));
    let named = |tags: B::Tags<'_>, message: String| {
        let e = error::<B>(tags);
        assert!(matches!(e.kind(), ErrorKind::Dtype { .. }));
        assert_eq!(e.to_string(), message);
    };
    let (float_types, integer_types) = (B::FLOATS.join(", "), B::INTEGERS.join(", "));
    named(B::logits(&cube, &g), format!("logits has dtype i64, expected one of {float_types}"));
    let floats_of = |what: &str| format!("{what} has dtype f32, expected one of {integer_types}");
    named(B::logits(&l, &floats), floats_of("labels"));
    named(B::ids(&floats, &g), floats_of("predicted ids"));
    named(B::mask(B::ids(&g, &g), &floats), floats_of("mask"));
    named(B::lengths(B::ids(&g, &g), &lengths), floats_of("lengths"));
}

pub(crate) fn lengths_outside_the_row_name_the_row<B: BackEnd>() {
    let g = ids::<B>(&[2, 3]);
    let refused = |lengths: [i64; 2]| {
        let lengths = B::integers(&lengths, &[2], "i64");
        let e = error::<B>(B::lengths(B::ids(&g, &g), &lengths));
        let Some(Place::Row(row)) = e.place() else { panic!("{e}") };
        (row, e.to_string())
    };
    let message = "row 1: the row length exceeds the width: expected 3, found 4";
    assert_eq!(refused([3, 4]), (1, message.to_owned()));
    let message = "row 0: how far the row length lies below 0: expected 0, found 2";
    assert_eq!(refused([-2, 3]), (0, message.to_owned()));
    assert_eq!(refused([0, i64::MIN]).0, 1);
}

pub(crate) fn a_failing_update_changes_nothing<B: BackEnd>() {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    let mut buffer = TagBuffer::default();
    let gold = B::integers(&[1, 2, 0], &[1, 3], "i64");
    metric.update(B::ids(&gold, &gold).load(&mut buffer).unwrap()).unwrap();
    let before = metric.accumulate();

    let many = logits::<B>(&[1, 3, 4]);
    let e = metric.update(B::logits(&many, &gold).load(&mut buffer).unwrap()).unwrap_err();
    assert_eq!(e.to_string(), "the logits have 4 classes, the label list has 3 labels");
    let unknown = B::integers(&[0, 7, 0], &[1, 3], "i32");
    let e = metric.update(B::ids(&gold, &unknown).load(&mut buffer).unwrap()).unwrap_err();
    assert_eq!(e.place(), Some(Place::Cell { row: 0, column: 1 }));
    assert_eq!(metric.accumulate(), before);
}

pub(crate) fn tensors_without_elements_hold_no_token<B: BackEnd>() {
    for (rows, width) in [(0, 4), (3, 0), (0, 0)] {
        let (l, g) = (logits::<B>(&[rows, width, 5]), ids::<B>(&[rows, width]));
        let lengths = ids::<B>(&[rows]);
        for tags in [B::logits(&l, &g), B::ids(&g, &g)] {
            for tags in [tags, B::lengths(tags, &lengths), B::mask(tags, &g)] {
                let mut buffer = TagBuffer::default();
                let batch = tags.load(&mut buffer).unwrap();
                assert_eq!((batch.len(), batch.tokens()), (rows, 0));
            }
        }
    }
    let (none, g) = (logits::<B>(&[2, 3, 0]), ids::<B>(&[2, 3]));
    let e = error::<B>(B::logits(&none, &g));
    assert_eq!(e.to_string(), "logits: the last dimension, the classes, is 0");
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

pub(crate) fn any_metric_of_the_task_can_be_fed<B: BackEnd>() {
    fn feed<M: Metric<Task = Tagging>>(mut metric: M, tags: &impl Source<Tagging>) -> M::Output {
        metric.update(tags.load(&mut TagBuffer::default()).unwrap()).unwrap();
        metric.accumulate()
    }
    let gold = B::integers(&[1, 2, 0, 0, 0, 2], &[2, 3], "u8");
    let predicted = B::integers(&[1, 0, 0, 0, 0, 1], &[2, 3], "i32");
    let lengths = B::integers(&[2, 3], &[2], "u8");
    let tags = B::lengths(B::ids(&predicted, &gold), &lengths);
    assert_eq!(feed(TokenAccuracy::default(), &tags), (3, 5));
}
