//! Counts of records that come from a file are checked.

use std::collections::BTreeMap;

use chunkeval_core::{ChunkCounts, Error, Fingerprint, Protocol, Result};
use serde::{Deserialize, Serialize};

use super::{Entry, ExtractionRows};
use crate::AnswerReading;

/// Counts that may come from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unchecked {
    fingerprint: Fingerprint,
    protocol: Protocol,
    reading: AnswerReading,
    types: BTreeMap<String, usize>,
    rows: Vec<(usize, bool)>,
    entries: Vec<Entry>,
}

/// An entry in a few bytes: type, whether it was asked for, gold, predicted, correct.
#[derive(Serialize, Deserialize)]
pub(super) struct Written(usize, bool, u64, u64, u64);

impl From<Entry> for Written {
    fn from(Entry { kind, asked, counts }: Entry) -> Self {
        Self(kind, asked, counts.gold, counts.predicted, counts.correct)
    }
}

impl From<Written> for Entry {
    fn from(Written(kind, asked, gold, predicted, correct): Written) -> Self {
        Self { kind, asked, counts: ChunkCounts { gold, predicted, correct } }
    }
}

impl TryFrom<Unchecked> for ExtractionRows {
    type Error = Error;

    fn try_from(unchecked: Unchecked) -> Result<Self> {
        let Unchecked { fingerprint, protocol, reading, types, rows, entries } = unchecked;
        let mut names: Vec<Option<&str>> = vec![None; types.len()];
        for (name, &number) in &types {
            match names.get_mut(number) {
                Some(slot) if slot.is_none() => *slot = Some(name),
                _ => return Err(refused("the numbers of the types are not 0, 1, …".to_owned())),
            }
        }
        let mut start = 0;
        for (row, &(end, read)) in rows.iter().enumerate() {
            let of_row = entries.get(start..end);
            let of_row = of_row.ok_or_else(|| refused(format!("row {row} ends nowhere")))?;
            let name = |entry: &Entry| names.get(entry.kind).copied().flatten();
            if !of_row.is_sorted_by(|a, b| name(a) < name(b)) {
                return Err(refused(format!("row {row}: its types are not sorted, or repeat")));
            }
            for Entry { kind, counts: ChunkCounts { gold, predicted, correct }, .. } in of_row {
                if *kind >= types.len() {
                    return Err(refused(format!("row {row} has a type that is not listed")));
                }
                if *correct > *gold.min(predicted) || !read && *predicted > 0 {
                    return Err(refused(format!("row {row} has counts that cannot be")));
                }
            }
            start = end;
        }
        if start != entries.len() {
            return Err(refused("there are entries behind the last row".to_owned()));
        }
        Ok(Self { fingerprint, protocol, reading, types, rows, entries })
    }
}

fn refused(reason: String) -> Error {
    Error::config("rows", reason)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Entities, ExtractionEvaluator, Record, RecordBatch};

    #[test]
    fn saved_rows_come_back_and_are_checked() {
        let gold: Entities = [("PER", "Ada"), ("LOC", "Rome")].into_iter().collect();
        let answers = [r#"{"PER": ["Ada", "Bo"], "X": []}"#, "?", "{}"];
        let records = answers.map(|answer| Record::new(gold.clone(), answer).schema(["PER"]));
        let metric = ExtractionEvaluator::new();
        let mut rows = ExtractionRows::new(&metric, AnswerReading::Lenient);
        rows.push(&metric, RecordBatch::new(&records)).unwrap();
        let saved = serde_json::to_value(&rows).unwrap();
        assert_eq!(saved["rows"], json!([[3, true], [5, false], [7, true]]));
        assert_eq!(saved["entries"][1], json!([1, true, 1, 2, 1]));
        assert_eq!(serde_json::from_value::<ExtractionRows>(saved.clone()).unwrap(), rows);

        let spoil = |at: &str, value: Value| {
            let mut spoiled = saved.clone();
            *spoiled.pointer_mut(at).unwrap() = value;
            serde_json::from_value::<ExtractionRows>(spoiled).unwrap_err().to_string()
        };
        for (at, value, reason) in [
            ("/types/X", json!(1), "not 0, 1"),
            ("/types/X", json!(3), "not 0, 1"),
            ("/rows/1/0", json!(2), "row 1 ends nowhere"),
            ("/rows/2/0", json!(9), "row 2 ends nowhere"),
            ("/rows/2/0", json!(6), "behind the last row"),
            ("/entries/0/0", json!(1), "row 0: its types are not sorted, or repeat"),
            ("/entries/2/0", json!(7), "row 0"),
            ("/entries/0/4", json!(2), "row 0 has counts that cannot be"),
            ("/entries/3/3", json!(1), "row 1 has counts that cannot be"),
            ("/reading", json!("x"), "unknown variant"),
        ] {
            let error = spoil(at, value);
            assert!(error.contains(reason), "{at}: {error}");
        }
    }
}
