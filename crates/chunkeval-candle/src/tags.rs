//! [`CandleTags`] and [`CandleWords`]: which tensors make a batch, and which of their positions
//! count.

use candle_core::Tensor;
use chunkeval_core::adapter::{tensor_tags, tensor_words};

use crate::library::Candle;

tensor_tags! {
    /// The tensors of one batch: predictions, gold labels, and what says which positions count.
    ///
    /// See the [crate's page](crate) for shapes, element types and an example. Nothing is read
    /// before [`load`](chunkeval_core::Source::load), and no tensor is changed.
    pub struct CandleTags(Candle) of Tensor;
}

tensor_words! {
    /// Gold tag ids by word, on the host, beside predictions for the pieces of the words as a
    /// tensor.
    ///
    /// What [`WordTags`](chunkeval_core::WordTags) is for slices; the counts are the same. For
    /// labels by piece see [`CandleTags::words`].
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
    pub struct CandleWords(Candle) of Tensor;
}
