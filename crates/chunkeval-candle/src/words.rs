//! [`CandleWords`]: gold tags by word beside predictions by piece.

use std::ops::Deref;

use candle_core::Tensor;
use chunkeval_core::adapter::{TagId, assemble_words};
use chunkeval_core::{Result, Source, TagBatch, TagBuffer, Tagging, WordIds};

use crate::check;
use crate::tags::Predicted;

/// Gold tag ids by word, on the host, beside predictions for the pieces of the words as a tensor.
///
/// What [`WordTags`](chunkeval_core::WordTags) is for slices; the counts are the same.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use chunkeval_candle::CandleWords;
/// use chunkeval_core::{ChunkEvaluator, Metric, Pieces, Source, TagBuffer, WordIds};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let gold = [vec![1u32, 2, 0, 1]]; // the last word was cut off
/// //         [CLS]  Ada      Love     ##lace   slept    [SEP]
/// let row = [None, Some(0), Some(1), Some(1), Some(2), None];
/// let words = WordIds::new(Pieces::First).rows([row])?;
/// let logits = Tensor::new(
///     &[[[0f32, 0., 0.], [0., 9., 0.], [0., 0., 9.], [9., 0., 0.], [9., 0., 0.], [0., 0., 0.]]],
///     &Device::Cpu,
/// )?;
/// let tags = CandleWords::logits(&logits, &gold, &words);
/// metric.update(tags.load(&mut TagBuffer::default())?)?;
///
/// let report = metric.accumulate();
/// assert_eq!((report.overall.precision, report.overall.recall), (1.0, 0.5));
/// assert_eq!(report.diagnostics.missing_predicted, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct CandleWords<'t, G> {
    predicted: Predicted<'t>,
    gold: &'t [G],
    words: &'t WordIds,
    ignore_index: Option<i64>,
}

impl<'t, G> CandleWords<'t, G> {
    /// Logits `[batch, tokens, classes]`, with word ids for each row. The class of the highest
    /// logit is the prediction, the lowest class if several are equal.
    pub fn logits(logits: &'t Tensor, gold: &'t [G], words: &'t WordIds) -> Self {
        Self { predicted: Predicted::Logits(logits), gold, words, ignore_index: None }
    }

    /// Predicted ids `[batch, tokens]`, with word ids for each row.
    pub fn ids(ids: &'t Tensor, gold: &'t [G], words: &'t WordIds) -> Self {
        Self { predicted: Predicted::Ids(ids), gold, words, ignore_index: None }
    }

    /// Words whose gold id is this do not count; they do not split a chunk.
    pub fn ignore_index(self, ignore_index: i64) -> Self {
        Self { ignore_index: Some(ignore_index), ..self }
    }

    /// Loads the batch; `readable` says which tensors can be read where they are.
    fn load_where<'b, I>(
        &self,
        readable: &dyn Fn(&Tensor) -> bool,
        buffer: &'b mut TagBuffer,
    ) -> Result<TagBatch<'b>>
    where
        G: Deref<Target = [I]>,
        I: TagId,
    {
        check::predicted_words(self.predicted, self.words)?;
        let rows = &mut buffer.rows;
        self.predicted.show(readable, |predicted| {
            assemble_words(rows, self.gold, predicted, self.words, self.ignore_index)
        })
    }
}

// By hand: no gold needs to be copied.
impl<G> Clone for CandleWords<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for CandleWords<'_, G> {}

impl<G, I> Source<Tagging> for CandleWords<'_, G>
where
    G: Deref<Target = [I]>,
    I: TagId,
{
    fn load<'b>(&'b self, buffer: &'b mut TagBuffer) -> Result<TagBatch<'b>> {
        self.load_where(&|tensor| tensor.device().is_cpu(), buffer)
    }
}

/// These run on tensors of the CPU what would run on a GPU.
#[cfg(test)]
mod tests {
    use candle_core::{DType, Device};
    use chunkeval_core::{Pieces, Windows};

    use super::*;
    use crate::CandleTags;

    #[test]
    fn a_device_gives_what_the_cpu_gives() {
        let cpu = &Device::Cpu;
        let (rows, width, classes) = (4, 9, 5);
        let logits = Tensor::randn(0f32, 1., (rows, width, classes), cpu).unwrap();
        let labels = Tensor::zeros((rows, width), DType::I64, cpu).unwrap();
        let gold = vec![vec![1i32; 7]; 2];
        for pieces in [Pieces::First, Pieces::Last, Pieces::Majority] {
            let mut words = WordIds::new(pieces).windows(Windows::MostContext);
            for row in 0..rows as u32 {
                let id = |column: u32| (column > 0).then_some(row % 2 + column / 2);
                let ids: Vec<Option<u32>> = (0..width as u32).map(id).collect();
                words.push(row as usize / 2, &ids).unwrap();
            }
            let by_word = CandleWords::logits(&logits, &gold, &words);
            let by_piece = CandleTags::logits(&logits, &labels).words(&words);
            let (mut a, mut b) = (TagBuffer::default(), TagBuffer::default());
            let rows = |batch: TagBatch<'_>| -> Vec<(Vec<i32>, Vec<i32>)> {
                batch.iter_rows().map(|(g, p)| (g.to_vec(), p.to_vec())).collect()
            };
            assert_eq!(
                rows(by_word.load(&mut a).unwrap()),
                rows(by_word.load_where(&|_| false, &mut b).unwrap())
            );
            assert_eq!(
                rows(by_piece.load(&mut a).unwrap()),
                rows(by_piece.load_where(&|_| false, &mut b).unwrap())
            );
        }
    }
}
