//! A batch as plain data, and the same batch through slices and through tensors.

use chunkeval_core::{ChunkEvaluator, Metric, PaddedTags, Result, Source, TagBuffer, Tagging};

use super::{BackEnd, Layout};

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

/// A report as JSON, which is exact for `f64`, or an error's message.
pub(crate) type Outcome = std::result::Result<String, String>;

impl Case {
    /// What plain slices give.
    pub(crate) fn through_slices(&self) -> Outcome {
        let [_, width, classes] = self.shape;
        let tags = PaddedTags::logits(&self.gold, &self.logits, width, classes);
        let tags = tags.map(|tags| {
            let tags = match &self.counts {
                Counts::All => tags,
                Counts::Lengths(lengths) => tags.lengths(lengths),
                Counts::Mask(mask) => tags.mask(mask),
            };
            match self.ignore_index {
                Some(id) => tags.ignore_index(id),
                None => tags,
            }
        });
        evaluate(classes, tags)
    }

    /// What tensors of these types and layouts give.
    pub(crate) fn through_tensors<B: BackEnd>(
        &self,
        (float, logits): (&str, Layout),
        (integer, labels): (&str, Layout),
    ) -> Outcome {
        let [rows, width, classes] = self.shape;
        let integers =
            |values: &[i64], shape: &[usize]| labels.integers::<B>(values, shape, integer);
        let logits = logits.floats::<B>(&self.logits, &self.shape, float);
        let gold = integers(&self.gold, &[rows, width]);
        let mut tags = B::logits(&logits, &gold);
        if let Some(id) = self.ignore_index {
            tags = B::ignore_index(tags, id);
        }
        let positions = match &self.counts {
            Counts::All => return evaluate(classes, Ok(tags)),
            Counts::Lengths(lengths) => {
                let lengths: Vec<i64> = lengths.iter().map(|&n| n as i64).collect();
                integers(&lengths, &[rows])
            }
            Counts::Mask(mask) => {
                let mask: Vec<i64> = mask.iter().map(|&counts| 3 * i64::from(counts)).collect();
                integers(&mask, &[rows, width])
            }
        };
        let tags = match self.counts {
            Counts::Lengths(_) => B::lengths(tags, &positions),
            _ => B::mask(tags, &positions),
        };
        evaluate(classes, Ok(tags))
    }
}

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
