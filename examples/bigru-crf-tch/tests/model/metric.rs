//! The same predictions through both adapters give the same report, bit for bit.

use chunkeval::candle::CandleTags;
use chunkeval::tch::TchTags;
use chunkeval::{ChunkEvaluator, Metric, Source, TagBuffer, Tagging};

const LABELS: [&str; 9] =
    ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-MISC", "I-MISC"];

fn report(source: &impl Source<Tagging>) -> String {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    metric.update(source.load(&mut TagBuffer::default()).unwrap()).unwrap();
    // JSON that reads back as the same `f64`.
    serde_json::to_string(&metric.accumulate()).unwrap()
}

#[test]
fn reports_are_equal_bit_for_bit() {
    let [rows, width, classes] = [7usize, 60, LABELS.len()];
    let numbers = training_loop::model::random::initial(4, 0, rows * width * classes, 3.0);
    let labels: Vec<i64> = (0..rows * width).map(|i| (i * i % 11) as i64 % 9).collect();
    let lengths: Vec<i64> = (0..rows as i64).map(|row| 60 - row * 7).collect();

    let cpu = &candle_core::Device::Cpu;
    let there = [
        candle_core::Tensor::from_slice(&numbers, (rows, width, classes), cpu).unwrap(),
        candle_core::Tensor::from_slice(&labels, (rows, width), cpu).unwrap(),
        candle_core::Tensor::from_slice(&lengths, rows, cpu).unwrap(),
    ];
    let dims = |shape: &[usize]| shape.iter().map(|&n| n as i64).collect::<Vec<_>>();
    let here = [
        tch::Tensor::from_slice(&numbers).view(&dims(&[rows, width, classes])[..]),
        tch::Tensor::from_slice(&labels).view(&dims(&[rows, width])[..]),
        tch::Tensor::from_slice(&lengths),
    ];
    let there = report(&CandleTags::logits(&there[0], &there[1]).lengths(&there[2]));
    let here = report(&TchTags::logits(&here[0], &here[1]).lengths(&here[2]));
    assert!(there.contains("\"correct\":") && !there.contains("\"correct\":0,\"f1\":0"));
    assert_eq!(here, there);
}
