//! A table as comma-separated values.

use std::io::{self, Write};

use chunkeval_core::visible_text;

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
            &escape(name),
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

/// A text of others as a cell. Hidden characters are spelled out, as in tables for people, so that
/// a terminal that shows the file is not told what to do. A text that a spreadsheet would take for
/// a formula has an apostrophe before it: names of types and entities are what a model has written.
pub(crate) fn escape(text: &str) -> String {
    let text = visible_text(text);
    let mut signs = text.chars();
    let first = signs.next();
    let is_formula = matches!(first, Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠'));
    if is_formula && signs.next().is_some() { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn texts_do_nothing_in_a_terminal_or_a_spreadsheet() {
        for (text, cell) in [
            ("PER", "PER"),
            ("地名", "地名"),
            ("a\u{1b}[2J\0", "a\\u{1b}[2J\\u{0}"),
            ("two\nlines", "two\\u{a}lines"),
            ("=1+1", "'=1+1"),
            ("@user", "'@user"),
            ("＝1", "'＝1"),
            ("\t=1", "\\u{9}=1"), // begins with a backslash
            ("'=1", "'=1"),
            ("-", "-"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(escape(text), cell);
        }
    }
}
