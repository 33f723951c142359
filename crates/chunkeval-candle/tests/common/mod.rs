//! Element types and layouts of tensors, and what a metric says to a batch.

use candle_core::{DType, Tensor};
use chunkeval_core::{ChunkEvaluator, Metric, Result, Source, TagBuffer, Tagging};

pub(crate) const INTEGERS: [DType; 5] = [DType::U8, DType::U32, DType::I16, DType::I32, DType::I64];
pub(crate) const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

/// A report as JSON, or an error's message.
pub(crate) type Outcome = std::result::Result<String, String>;

/// The report of a source on a label list of `classes` labels.
pub(crate) fn evaluate(classes: usize, tags: Result<impl Source<Tagging>>) -> Outcome {
    let labels = (0..classes).map(|i| match i {
        0 => "O".to_owned(),
        i => format!("{}-{}", ["I", "B"][i % 2], (i - 1) / 2),
    });
    let mut metric = ChunkEvaluator::new(labels).unwrap();
    let mut buffer = TagBuffer::default();
    tags.and_then(|tags| metric.update(tags.load(&mut buffer)?)).map_err(|e| e.to_string())?;
    Ok(serde_json::to_string(&metric.accumulate()).unwrap())
}

/// The same values behind other strides and offsets.
pub(crate) fn layouts(tensor: &Tensor) -> Vec<(&'static str, Tensor)> {
    let reversed: Vec<usize> = (0..tensor.rank()).rev().collect();
    let transposed = tensor.permute(&reversed[..]).unwrap().contiguous().unwrap();
    let mut narrowed = tensor.clone();
    for dim in 0..tensor.rank() {
        let length = tensor.dim(dim).unwrap();
        narrowed = narrowed.pad_with_zeros(dim, 1, 2).unwrap().narrow(dim, 1, length).unwrap();
    }
    vec![
        ("contiguous", tensor.clone()),
        ("transposed", transposed.permute(&reversed[..]).unwrap()),
        ("narrowed", narrowed),
    ]
}
