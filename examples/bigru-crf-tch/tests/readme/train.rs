use chunkeval::tch::TchTags;
use chunkeval::tensorboard::TensorBoard;
use chunkeval::{ChunkEvaluator, EveryN, Logger, Metric, Source, TagBuffer};
use tch::Tensor;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn train(model: impl Fn(&Tensor) -> Tensor, dev: &[(Tensor, Tensor, Tensor)]) -> Result<()> {
    let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?; // labels in class order
    let mut log = Logger::new(TensorBoard::create("runs/ner")?, EveryN::new(100)?);
    let mut buffer = TagBuffer::default();

    for step in 1..=2000 {
        // … forward, loss, backward, optimizer step …
        if log.due(step) {
            metric.reset();
            for (tokens, labels, lengths) in dev {
                let logits = tch::no_grad(|| model(tokens)); // [batch, tokens, classes]
                let tags = TchTags::logits(&logits, labels).lengths(lengths);
                metric.update(tags.load(&mut buffer)?)?;
            }
            log.log(step, "dev", &metric.accumulate())?; // dev/precision, dev/recall, dev/f1, …
        }
    }
    Ok(())
}
