//! The corpora among the golden files.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use chunkeval_core::TagStyle;
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::Workload;

const NAMES: [&str; 3] = ["bio4", "iobes18", "suffix-cn"];

/// The three corpora. `CHUNKEVAL_GOLDEN` names another folder to read them from.
///
/// # Errors
/// A file cannot be read, or is not what it should be.
pub fn corpora() -> Result<Vec<Workload>, Box<dyn Error>> {
    let golden = std::env::var_os("CHUNKEVAL_GOLDEN").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden"),
        PathBuf::from,
    );
    NAMES.iter().map(|name| Ok(read(name, &golden)?.0)).collect()
}

fn read(name: &str, golden: &Path) -> Result<(Workload, Value), Box<dyn Error>> {
    let path = golden.join(format!("corpus-{name}.json.gz"));
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut json: Value = serde_json::from_reader(GzDecoder::new(file))?;
    let lengths: Vec<usize> = serde_json::from_value(json["lengths"].take())?;
    let ends = lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    let suffix = json["suffix"].as_bool().ok_or("no `suffix`")?;
    let workload = Workload {
        name: name.to_owned(),
        labels: serde_json::from_value(json["label_list"].take())?,
        style: if suffix { TagStyle::Suffix } else { TagStyle::Prefix },
        gold: serde_json::from_value(json["gold"].take())?,
        predicted: serde_json::from_value(json["pred"].take())?,
        ends: ends.collect(),
    };
    Ok((workload, json["expected"].take()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpora_are_counted_as_the_reference_did() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
        for name in NAMES {
            let (corpus, expected) = read(name, &golden).unwrap();
            let counts = corpus.counts().unwrap();
            let totals = &expected["chunk_evaluator"]["totals"];
            let found = serde_json::json!([counts.predicted, counts.gold, counts.correct]);
            assert_eq!(&found, totals, "{name}");
        }
    }
}
