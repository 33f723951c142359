//! What only tch has: gradients, bool, tensors without plain memory, exceptions of libtorch.

use chunkeval_core::{ChunkEvaluator, Error, ErrorKind, Metric, Source, TagBuffer};
use chunkeval_tch::TchTags;
use tch::{Kind, Tensor};

/// Gold, predicted and correct chunks.
fn counts(tags: TchTags<'_>) -> Result<[u64; 3], Error> {
    let mut metric = ChunkEvaluator::new(["O", "B-X", "I-X"]).unwrap();
    metric.update(tags.load(&mut TagBuffer::default())?)?;
    let counts = metric.accumulate().overall.counts;
    Ok([counts.gold, counts.predicted, counts.correct])
}

fn logits() -> Tensor {
    Tensor::from_slice(&[0f32, 1., 0., 0., 0., 1., 1., 0., 0., 0., 1., 0.]).view([2, 2, 3])
}

fn labels() -> Tensor {
    Tensor::from_slice(&[1i64, 2, 0, 1]).view([2, 2])
}

#[test]
fn tensors_with_gradients_are_read_and_their_graph_stays() {
    let (logits, labels) = (logits().set_requires_grad(true), labels());
    let doubled = &logits * 2.0;
    assert_eq!(counts(TchTags::logits(&doubled, &labels)).unwrap(), [2, 2, 2]);
    doubled.sum(Kind::Float).backward();
    assert_eq!(logits.grad().sum(Kind::Float).double_value(&[]), 24.0);
}

#[test]
fn a_mask_may_be_bool_and_ids_may_not() {
    let (logits, labels) = (logits(), labels());
    let mask = labels.ne(2);
    assert_eq!(mask.kind(), Kind::Bool);
    assert_eq!(counts(TchTags::logits(&logits, &labels).mask(&mask)).unwrap(), [2, 2, 2]);
    let e = counts(TchTags::ids(&labels, &mask)).unwrap_err();
    assert_eq!(e.to_string(), "labels has dtype bool, expected one of u8, i16, i32, i64");
}

#[test]
fn what_has_no_plain_memory_is_copied() {
    let (plain, labels) = (logits(), labels());
    let sparse = plain.to_sparse_sparse_dim(3);
    assert!(sparse.is_sparse());
    let tags = TchTags::logits(&sparse, &labels);
    assert_eq!(counts(tags).unwrap(), [2, 2, 2]);
    // Numbers that are negated when they are read.
    let negated = Tensor::complex(&plain, &-&plain).conj().imag();
    assert!(negated.f_is_neg().unwrap());
    assert_eq!(counts(TchTags::logits(&negated, &labels)).unwrap(), [2, 2, 2]);
}

#[test]
fn exceptions_of_libtorch_are_errors() {
    let (logits, labels) = (logits(), labels());
    let undefined = Tensor::new();
    let e = counts(TchTags::logits(&undefined, &labels)).unwrap_err();
    let message = "logits [] does not fit [batch, tokens, classes] of labels [2, 2]";
    assert_eq!(e.to_string(), message);
    let e = counts(TchTags::logits(&logits, &undefined)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Shape { .. }), "{e}");
    let complex = logits.to_kind(Kind::ComplexFloat);
    let e = counts(TchTags::logits(&complex, &labels)).unwrap_err();
    assert!(e.to_string().starts_with("logits has dtype complexfloat"), "{e}");
    let quantized = labels.to_kind(Kind::Float).quantize_per_tensor(1.0, 0, Kind::QInt32);
    let e = counts(TchTags::ids(&quantized, &labels)).unwrap_err();
    assert!(e.to_string().starts_with("predicted ids has dtype qint32"), "{e}");
}
