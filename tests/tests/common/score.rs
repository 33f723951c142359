//! Counts of a file, by chunkeval's own evaluator.

use chunkeval::data::{Sentence, Vocab};
use chunkeval::{ChunkEvaluator, ChunkReport, LabelReading, Metric, Mode, TagBatch, TagStyle};

/// The chunks of sentences; where there are no predictions, gold against itself.
pub(crate) fn score(sentences: &[Sentence], style: TagStyle, mode: Mode) -> ChunkReport {
    let mut labels = Vocab::builder();
    for sentence in sentences {
        labels.extend(sentence.gold().iter());
        labels.extend(sentence.predicted().unwrap_or(sentence.gold()).iter());
    }
    let labels = labels.build().unwrap();
    let texts = labels.iter().map(|(_, text)| text);
    // The expected numbers are seqeval's, and corpora nobody here has seen may have odd labels.
    let metric = ChunkEvaluator::builder(texts).style(style).reading(LabelReading::Reference);
    let mut metric = metric.mode(mode).build().unwrap();
    for sentence in sentences {
        let ids = |tag| labels.id(tag).unwrap() as i32;
        let gold: Vec<i32> = sentence.gold().iter().map(ids).collect();
        let predicted = sentence.predicted().unwrap_or(sentence.gold());
        let predicted: Vec<i32> = predicted.iter().map(ids).collect();
        metric.update(TagBatch::new(&gold, &predicted, &[gold.len()]).unwrap()).unwrap();
    }
    metric.accumulate()
}
