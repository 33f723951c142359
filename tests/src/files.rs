//! Where vectors, cases and corpora are found.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::say;

/// What a golden file holds, told by the fields of its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// seqeval's `get_entities`.
    Entities,
    /// One `compute` of PaddleNLP's `ChunkEvaluator`.
    ChunkCounts,
    /// A `ChunkEvaluator` over several calls.
    ChunkSessions,
    /// nervaluate's `Evaluator`, and its helper functions.
    Nervaluate,
    /// seqeval's scores and reports in its default mode.
    Reports,
    /// seqeval's scores and reports under other options, and its token-level functions.
    ReportOptions,
    /// The chunks of seqeval's strict schemes.
    StrictChunks,
    /// seqeval's scores and reports in its strict mode.
    StrictReports,
    /// The scheme that seqeval detects.
    AutoDetect,
    /// conlleval.pl's answer to a text.
    Conlleval,
    /// The counts of several oracles on rows over which they disagree.
    Disagreements,
    /// Intervals and significance tests of scipy and statsmodels.
    Stats,
    /// The answer of a language model, read strictly and leniently.
    LlmNerParse,
    /// A label of entity objects, by type.
    LlmNerLabel,
    /// Files of a language model's answers with the counts of the published loop.
    LlmNerCorpus,
    /// A whole corpus with the answers of several oracles.
    Corpus,
}

/// The functions that vectors of [`Kind::Stats`] call.
const STATS: [&str; 6] = [
    "proportion_ci",
    "mcnemar",
    "multiple_testing",
    "approximate_randomisation",
    "paired_bootstrap",
    "degenerate_pair",
];

impl Kind {
    fn of(line: &Value) -> Option<Self> {
        let has = |key: &str| line.get(key).is_some();
        match () {
            () if has("seq") || has("seq_described") => Some(Self::Entities),
            () if has("scheme") && has("sequences") && has("delimiter") => Some(Self::StrictChunks),
            () if has("sequences") && has("suffix") => Some(Self::AutoDetect),
            () if has("report_text") && has("scheme") => Some(Self::StrictReports),
            () if has("report_text") => Some(Self::Reports),
            () if has("y_true") && (has("result") || has("performance_measure")) => {
                Some(Self::ReportOptions)
            }
            () if has("args") && has("stdout") => Some(Self::Conlleval),
            () if has("infer_label_correct") => Some(Self::Disagreements),
            () if has("steps") && has("label_list") => Some(Self::ChunkSessions),
            () if has("loader") && has("min_overlap_percentage") => Some(Self::Nervaluate),
            () if line["fn"].as_str().is_some_and(|f| STATS.contains(&f)) => Some(Self::Stats),
            () if line["fn"] == "llm_ner_parse" => Some(Self::LlmNerParse),
            () if line["fn"] == "llm_ner_label" => Some(Self::LlmNerLabel),
            () if line["fn"] == "llm_ner_corpus" => Some(Self::LlmNerCorpus),
            () if has("gold") && has("pred") && has("expected") => Some(Self::Corpus),
            () if has("label_list") && has("predictions") => Some(Self::ChunkCounts),
            () => None,
        }
    }
}

/// One JSON object and where it stands.
#[derive(Debug)]
pub struct Line {
    /// The file's name and the line number.
    pub place: String,
    /// The object.
    pub value: Value,
}

impl Line {
    /// The `family` the line belongs to, or an empty text.
    pub fn family(&self) -> &str {
        self.value["family"].as_str().unwrap_or_default()
    }
}

/// The lines of one kind in the golden folder: `CHUNKEVAL_GOLDEN`, or the vectors of this
/// repository. Files of no known kind are named on standard error.
pub fn golden(kind: Kind) -> Vec<Line> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let folder = std::env::var_os("CHUNKEVAL_GOLDEN").map_or(ours, PathBuf::from);
    let entries = folder.read_dir().unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(".json") {
            continue;
        }
        let of_file = json_lines(&file);
        match of_file.first().map(|line| Kind::of(&line.value)) {
            Some(Some(found)) if found == kind => lines.extend(of_file),
            Some(Some(_)) => {}
            _ if kind == Kind::Entities => {
                say!("golden: {name} skipped: no test reads this kind yet")
            }
            _ => {}
        }
    }
    lines
}

/// The users' cases: the file `CHUNKEVAL_CASES`, or the cases of this repository.
pub fn cases() -> Vec<Line> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/given.jsonl");
    json_lines(&std::env::var_os("CHUNKEVAL_CASES").map_or(ours, PathBuf::from))
}

/// The folder of real corpora: `CHUNKEVAL_DATA`, or `shared/data` beside the repository. They are
/// others' text and not part of it.
///
/// `None`, and a loud word, when there is none; a failure where `CI` is set.
pub fn corpora() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = std::env::var_os("CHUNKEVAL_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("NO CORPORA: {} is no folder; set CHUNKEVAL_DATA", folder.display()));
    None
}

/// Says that a check had nothing to check; a failure where `CI` is set, since a check that did not
/// run must not look like one that passed.
pub fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    say!("SKIPPED: {why}");
}

fn json_lines(path: &Path) -> Vec<Line> {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let gzipped = path.extension().is_some_and(|e| e == "gz");
    let reader: Box<dyn Read> =
        if gzipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(reader).lines()) {
        let place = format!("{name}:{number}");
        let line = line.unwrap_or_else(|e| panic!("{place}: {e}"));
        if !line.trim().is_empty() {
            let value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{place}: {e}"));
            lines.push(Line { place, value });
        }
    }
    lines
}
