//! A table as comma-separated values.

use std::io::{self, Write};

use super::{Name, Table};

/// The signature is a column, so that every record says how it was made, also after files have
/// been joined, and any reader of CSV can read the file.
pub(super) fn write(table: &Table<'_>, to: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(to);
    let f_name = &*table.f_name();
    csv.write_record([
        "kind",
        "name",
        "precision",
        "recall",
        f_name,
        "support",
        "predicted",
        "correct",
        "signature",
    ])?;
    let signature = table.signature().to_string();
    for row in table.rows() {
        let (kind, name) = match row.name {
            Name::Type(name) => ("type", name),
            Name::Average(average) => ("average", average.name()),
        };
        let score = |score: Option<f64>| score.map_or(String::new(), |s| s.to_string());
        let count = |count: Option<u64>| count.map_or(String::new(), |n| n.to_string());
        csv.write_record([
            kind,
            name,
            &score(row.precision),
            &score(row.recall),
            &score(row.f_score),
            &row.support.to_string(),
            &count(row.predicted),
            &count(row.correct),
            &signature,
        ])?;
    }
    csv.flush()
}
