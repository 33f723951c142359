//! A small corpus of our own with the answers of a tagger, and the page that shows it.

use chunkeval_core::{
    ChunkCounts, ChunkErrors, ChunkEvaluator, Mergeable, Metric, RowCounts, TagBatch,
};
use chunkeval_html::{Errors, Example, Examples, Finding, Group, Groups, Health, Page, Scores};
use chunkeval_stats::Resampling;

const LABELS: [&str; 9] =
    ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG", "B-WORK", "I-WORK"];

/// Gold, and what was predicted where that is something else.
const SENTENCES: [(&str, &str); 20] = [
    ("[PER Ada Lovelace] lived in [LOC London] .", ""),
    (
        "She met [PER Charles Babbage] in [LOC Turin] .",
        "She met [PER Charles Babbage] in [PER Turin] .",
    ),
    ("他 在 [ORG 北京 大学] 工作 。", "他 在 [LOC 北京] 大学 工作 。"),
    ("[PER 张 伟] 住 在 [LOC 上海] 。", ""),
    ("ولد [PER طه حسين] في [LOC المنيا] .", "ولد [PER طه] حسين في [LOC المنيا] ."),
    (
        "[ORG University of Turin] invited [PER Babbage] in 1840 .",
        "University of [LOC Turin] invited [PER Babbage] in 1840 .",
    ),
    (
        "[WORK Notes by the Translator] made her known .",
        "Notes by the [WORK Translator] made her known .",
    ),
    ("[PER Augusta Ada King] was born in [LOC London] , [LOC England] .", ""),
    ("[PER Mary Somerville] taught her .", ""),
    (
        "The engine was never built in [LOC England] .",
        "The [WORK engine] was never built in [LOC England] .",
    ),
    ("[ORG Royal Society] gave him a medal .", ""),
    ("[PER Luigi Menabrea] wrote in French .", "[PER Luigi Menabrea] wrote in [LOC French] ."),
    ("他 读 了 [WORK 红楼梦] 。", "他 读 了 红楼梦 。"),
    ("[PER 李 娜] 去 [LOC 北京] 。", ""),
    ("She died in [LOC Marylebone] , [LOC London] .", ""),
    ("Nothing happened here .", ""),
    (
        "[ORG Analytical Society] was founded in [LOC Cambridge] by [PER Babbage] , [PER Herschel] and [PER Peacock] .",
        "[ORG Analytical Society] was founded in [LOC Cambridge] by [PER Babbage] , [PER Herschel and Peacock] .",
    ),
    ("[LOC Egypt] and [LOC Italy]", ""),
    (
        "[PER Byron] left [LOC England] in 1816 and never came back to see his daughter [PER Ada] again .",
        "",
    ),
    ("[ORG 上海 交通 大学] 在 [LOC 上海] 。", ""),
];

/// Tokens and tag ids of a sentence with its chunks in brackets.
fn read(text: &str) -> (Vec<&str>, Vec<i32>) {
    let (mut tokens, mut ids, mut tag) = (Vec::new(), Vec::new(), 0);
    for word in text.split(' ') {
        if let Some(name) = word.strip_prefix('[') {
            tag = LABELS.iter().position(|l| *l == format!("B-{name}")).unwrap() as i32;
            continue;
        }
        tokens.push(word.trim_end_matches(']'));
        ids.push(tag);
        tag = match tag {
            _ if word.ends_with(']') => 0,
            begin if begin % 2 == 1 => begin + 1,
            same => same,
        };
    }
    (tokens, ids)
}

/// A page with every part that one system has.
pub(crate) fn page() -> Page {
    let mut metric = ChunkEvaluator::new(LABELS).unwrap();
    let mut errors = ChunkErrors::with_tags(metric.tags().clone()).unwrap();
    let mut rows = RowCounts::new(&metric);
    let (mut examples, mut lengths) = (Vec::new(), [(0, ChunkCounts::default()); 3]);
    for (number, (gold, predicted)) in SENTENCES.into_iter().enumerate() {
        let (tokens, gold) = read(gold);
        let predicted = if predicted.is_empty() { gold.clone() } else { read(predicted).1 };
        let ends = [tokens.len()];
        let batch = TagBatch::new(&gold, &predicted, &ends).unwrap();
        let group = &mut lengths[(tokens.len() / 5).min(2)];
        let state = metric.measure(batch).unwrap();
        group.0 += 1;
        group.1.add(&metric.finish(&state).overall.counts).unwrap();
        metric.update(batch).unwrap();
        errors.update(batch).unwrap();
        rows.push(&metric, batch).unwrap();
        if gold != predicted {
            let (gold, predicted) =
                (metric.tags().entities(&gold), metric.tags().entities(&predicted));
            let place = format!("sample.tsv:{}", number + 1);
            examples.push(Example::new(place, tokens, &gold, &predicted));
        }
    }
    let report = metric.accumulate();
    let intervals = Resampling::new(1000).seed(1).report(&rows).unwrap();
    let protocol = report.protocol.clone();
    let all = examples.len() as u64;
    examples.truncate(7);
    let by_length = ["1–4", "5–9", "10–"].into_iter().zip(lengths);
    let by_length = by_length.fold(
        Groups::new("F1 by sentence length", "tokens", "sentences"),
        |groups, (name, (sentences, counts))| groups.with(Group::new(name, sentences, counts)),
    );
    Page::new("A tagger on sample.tsv")
        .with(Scores::of(&report).intervals(intervals))
        .with(by_length)
        .with(Errors::of(&errors.accumulate()))
        .with(Examples::new(examples).of(all, "sentences with errors"))
        .with(
            Health::new("Health of answers", 20)
                .finding(Finding::new("clean", 17))
                .finding(Finding::new("repaired", 2).ids(["sample.tsv:3", "sample.tsv:13"]))
                .finding(Finding::new("unreadable", 1).ids(["sample.tsv:20"])),
        )
        .with(protocol)
}
