//! Real answers of a language model: the counts of their expected.json, and of a plain loop.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;

use chunkeval::llm::{
    AnswerReading, ExtractionEvaluator, ExtractionScores, Matching, MentionSpans, Normalisation,
    Preset, Record, RecordBatch, RecordReader,
};
use chunkeval::span::{SpanDocs, SpanEvaluator};
use chunkeval::{Metric, measure_parallel, testkit};
use chunkeval_tests::corpora;
use serde_json::Value;

/// The corpus, if it is there: a folder with JSON Lines files and an expected.json of the
/// published method.
fn corpus() -> Option<(std::path::PathBuf, Value)> {
    let folder = corpora()?.join("llm-ner-zh");
    let Ok(expected) = fs::read_to_string(folder.join("expected.json")) else {
        chunkeval_tests::skip(&format!("no expected.json in {}", folder.display()));
        return None;
    };
    Some((folder, serde_json::from_str(&expected).unwrap()))
}

fn records(text: &str) -> Vec<Record> {
    let reader = RecordReader::new(text.as_bytes(), "answers", Preset::Instruction);
    reader.map(|record| record.unwrap()).collect()
}

fn report(records: &[Record], matching: Matching) -> Vec<(AnswerReading, ExtractionScores)> {
    let mut metric = ExtractionEvaluator::builder().matching(matching).build().unwrap();
    metric.update(RecordBatch::new(records)).unwrap();
    let readings = metric.accumulate().readings;
    readings
        .into_iter()
        .flat_map(|r| [(r.reading, r.skip), (r.reading, r.count_as_empty)])
        .collect()
}

#[test]
fn real_answers_equal_expected_json() {
    let Some((folder, expected)) = corpus() else { return };
    for (file, expected) in expected["files"].as_object().unwrap() {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let records = records(&text);
        assert_eq!(records.len() as u64, expected["records"].as_u64().unwrap());
        let exact = records.iter().filter(|record| {
            let sets = |e: &chunkeval::llm::Entities| -> BTreeMap<String, BTreeSet<String>> {
                let set = |list: &[String]| list.iter().cloned().collect();
                let all = e.iter().map(|(name, list)| (name.to_owned(), set(list)));
                all.filter(|(_, set): &(_, BTreeSet<String>)| !set.is_empty()).collect()
            };
            sets(&record.gold) == sets(&AnswerReading::Lenient.read(&record.answer).entities)
        });
        assert_eq!(exact.count() as u64, expected["exact_records"].as_u64().unwrap());
        for (reading, scores) in report(&records, Matching::Set) {
            let types = expected["per_type"].as_object().unwrap();
            let rows = types.iter().map(|(name, row)| (scores.get(name).unwrap(), row));
            for (found, row) in rows.chain([(&scores.overall, &expected["micro"])]) {
                let counts = [found.counts.correct, found.counts.predicted, found.counts.gold];
                let named = ["correct", "pred", "gold"].map(|key| row[key].as_u64().unwrap());
                assert_eq!(counts, named, "{reading}");
                for (key, value) in
                    [("precision", found.precision), ("recall", found.recall), ("f1", found.f1)]
                {
                    let expected = row[key].as_f64().unwrap();
                    assert!((value - expected).abs() < 1e-15, "{reading} {key}: {value}");
                }
            }
        }
    }
}

/// The published loop over plain JSON, which all answers of this corpus are.
#[test]
fn real_answers_equal_a_plain_loop() {
    let Some((folder, expected)) = corpus() else { return };
    for file in expected["files"].as_object().unwrap().keys() {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let mut plain: BTreeMap<String, [u64; 3]> = BTreeMap::new();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let inner = |field: &str| -> Value {
                serde_json::from_str(line[field].as_str().unwrap()).unwrap()
            };
            let mut gold: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for item in inner("label").as_array().unwrap() {
                let text = |key: &str| item[key].as_str().unwrap().to_owned();
                gold.entry(text("entity_type")).or_default().insert(text("entity"));
            }
            let predicted: BTreeMap<String, BTreeSet<String>> =
                serde_json::from_value(inner("output")).unwrap();
            let (nothing, types) = (BTreeSet::new(), gold.keys().chain(predicted.keys()));
            for name in types.collect::<BTreeSet<_>>() {
                let of = |side: &'_ BTreeMap<String, BTreeSet<String>>| {
                    side.get(name).unwrap_or(&nothing).clone()
                };
                let (gold, predicted) = (of(&gold), of(&predicted));
                let sums = plain.entry(name.clone()).or_default();
                sums[0] += gold.intersection(&predicted).count() as u64;
                sums[1] += predicted.len() as u64;
                sums[2] += gold.len() as u64;
            }
        }
        for (reading, scores) in report(&records(&text), Matching::Set) {
            let found: BTreeMap<String, [u64; 3]> = scores
                .per_type
                .iter()
                .map(|t| (t.entity_type.clone(), t.scores.counts))
                .map(|(name, c)| (name, [c.correct, c.predicted, c.gold]))
                .collect();
            assert_eq!(found, plain, "{reading}");
        }
    }
}

/// Where every answer repeats the text's own words once, all rules of matching agree, threads do
/// not show, and the laws of metrics hold.
#[test]
fn real_answers_keep_the_laws_and_match_by_place_as_by_text() {
    let Some((folder, expected)) = corpus() else { return };
    for file in expected["files"].as_object().unwrap().keys() {
        let records = records(&fs::read_to_string(folder.join(file)).unwrap());
        let batch = RecordBatch::new(&records);
        let counts = |matching| {
            let all = report(&records, matching).into_iter();
            all.map(|(reading, scores)| (reading, scores.overall.counts)).collect::<Vec<_>>()
        };
        for (set, grounded) in counts(Matching::Set).iter().zip(counts(Matching::Grounded)) {
            assert_eq!(*set, grounded, "a match by text is one by place, and here the reverse");
        }
        // As spans with offsets, too.
        let mut docs = SpanDocs::default();
        for record in &records {
            let answer = AnswerReading::Lenient.read(&record.answer);
            let spans = MentionSpans::of(record, &answer, Normalisation::ALL).unwrap();
            docs.push(spans.gold, spans.predicted).unwrap();
        }
        let mut spans = SpanEvaluator::new();
        spans.update(docs.batch()).unwrap();
        let strict = spans.accumulate().overall.strict;
        let (_, lenient) = counts(Matching::Grounded)[2];
        let found = [strict.counts.correct.gold, strict.actual, strict.possible];
        assert_eq!(found, [lenient.correct, lenient.predicted, lenient.gold]);

        let metric = ExtractionEvaluator::builder().list_first(3).build().unwrap();
        testkit::mergeable(|| metric.clone(), batch, 7).unwrap();
        let threads = NonZeroUsize::new(3).unwrap();
        let state = measure_parallel(&metric, batch, threads).unwrap();
        let mut one = metric.clone();
        one.update(batch).unwrap();
        assert_eq!(&state, chunkeval::Mergeable::state(&one));
    }
}
