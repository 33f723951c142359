//! A batch as plain data, and the same batch through slices and through tensors.

use candle_core::{DType, Device, Tensor};
use chunkeval_candle::CandleTags;
use chunkeval_core::{ChunkEvaluator, Metric, PaddedTags, Result, Source, TagBuffer, Tagging};

pub(crate) const INTEGERS: [DType; 5] = [DType::U8, DType::U32, DType::I16, DType::I32, DType::I64];
pub(crate) const FLOATS: [DType; 4] = [DType::F16, DType::BF16, DType::F32, DType::F64];

/// One batch.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) shape: [usize; 3],
    /// `[rows, width, classes]`; every value must be exact in every float type.
    pub(crate) logits: Vec<f64>,
    /// `[rows, width]`.
    pub(crate) gold: Vec<i64>,
    pub(crate) counts: Counts,
    pub(crate) ignore_index: Option<i64>,
}

/// Which positions count.
#[derive(Clone, Debug)]
pub(crate) enum Counts {
    All,
    Lengths(Vec<usize>),
    Mask(Vec<bool>),
}

impl Case {
    /// What plain slices give: the report as JSON, which is exact for `f64`, or the error.
    pub(crate) fn expected(&self) -> Outcome {
        let [_, width, classes] = self.shape;
        let tags = PaddedTags::logits(&self.gold, &self.logits, width, classes);
        evaluate(
            classes,
            tags.map(|mut tags| {
                tags = match &self.counts {
                    Counts::All => tags,
                    Counts::Lengths(lengths) => tags.lengths(lengths),
                    Counts::Mask(mask) => tags.mask(mask),
                };
                match self.ignore_index {
                    Some(id) => tags.ignore_index(id),
                    None => tags,
                }
            }),
        )
    }

    /// The same through tensors, each changed to a dtype and layout by the functions.
    pub(crate) fn through_tensors(
        &self,
        floats: impl Fn(Tensor) -> Tensor,
        integers: impl Fn(Tensor) -> Tensor,
    ) -> Outcome {
        let cpu = &Device::Cpu;
        let [rows, width, classes] = self.shape;
        let logits = floats(Tensor::from_slice(&self.logits, (rows, width, classes), cpu).unwrap());
        let labels = integers(Tensor::from_slice(&self.gold, (rows, width), cpu).unwrap());
        let positions = match &self.counts {
            Counts::All => None,
            Counts::Lengths(lengths) => {
                let lengths: Vec<i64> = lengths.iter().map(|&l| l as i64).collect();
                Some(integers(Tensor::from_vec(lengths, rows, cpu).unwrap()))
            }
            Counts::Mask(mask) => {
                let mask: Vec<i64> = mask.iter().map(|&m| 3 * i64::from(m)).collect();
                Some(integers(Tensor::from_vec(mask, (rows, width), cpu).unwrap()))
            }
        };
        let mut tags = CandleTags::logits(&logits, &labels);
        tags = match (&self.counts, &positions) {
            (Counts::Lengths(_), Some(lengths)) => tags.lengths(lengths),
            (Counts::Mask(_), Some(mask)) => tags.mask(mask),
            _ => tags,
        };
        if let Some(id) = self.ignore_index {
            tags = tags.ignore_index(id);
        }
        evaluate(classes, Ok(tags))
    }
}

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
