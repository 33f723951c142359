//! Prints the rows for the Python side of the benches, one JSON object a line, with our counts.
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use chunkeval_benches::{Workload, shared_with_others};
use chunkeval_core::TagStyle;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    for workload in shared_with_others()? {
        writeln!(out, "{}", line(&workload)?)?;
    }
    Ok(out.flush()?)
}

fn line(workload: &Workload) -> chunkeval_core::Result<serde_json::Value> {
    let counts = workload.counts()?;
    Ok(serde_json::json!({
        "name": workload.name,
        "label_list": workload.labels,
        "suffix": workload.style == TagStyle::Suffix,
        "lengths": workload.lengths().collect::<Vec<_>>(),
        "gold": workload.gold,
        "predicted": workload.predicted,
        "counts": [counts.predicted, counts.gold, counts.correct],
    }))
}
