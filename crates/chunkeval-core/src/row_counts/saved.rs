//! Row counts that come from a file are checked.

use serde::Deserialize;

use super::{Entry, RowCounts, counts, plus};
use crate::{ChunkCounts, Error, ErrorKind, Fingerprint, Protocol, Result, TagSet};

/// Rows that may come from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unchecked {
    fingerprint: Fingerprint,
    protocol: Protocol,
    types: Vec<String>,
    ends: Vec<usize>,
    entries: Vec<Entry>,
}

impl TryFrom<Unchecked> for RowCounts {
    type Error = Error;

    fn try_from(unchecked: Unchecked) -> Result<Self> {
        let Unchecked { fingerprint, protocol, types, ends, entries } = unchecked;
        if !types.is_sorted_by(|a, b| a < b) {
            return Err(Error::config("rows", "the types are not sorted, or repeat"));
        }
        let spans = !TagSet::counts_starts(&fingerprint);
        let mut start = 0;
        for (row, &end) in ends.iter().enumerate() {
            let of_row = entries.get(start..end).ok_or_else(|| {
                let what = "entries up to the end of a row";
                let expected = start.max(entries.len().min(end));
                Error::from(ErrorKind::Length { what, row: Some(row), expected, found: end })
            })?;
            if !of_row.is_sorted_by(|a, b| a[0] < b[0]) {
                return Err(Error::config("rows", format!("row {row}: a type stands twice")));
            }
            of_row.iter().fold(ChunkCounts::default(), plus).check()?;
            if spans {
                of_row.iter().try_for_each(|&entry| counts(entry).check())?;
            }
            start = end;
        }
        if start != entries.len() {
            let (what, found) = ("the last row end", start);
            let expected = entries.len();
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        if entries.iter().any(|entry| entry[0] as usize > types.len()) {
            return Err(Error::config("rows", "an entry is of a type that is not listed"));
        }
        Ok(Self { fingerprint, protocol, types, ends, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{evaluator, rows};
    use super::*;
    use crate::{ChunkEvaluator, TagBatch};

    #[test]
    fn saved_rows_are_checked() {
        let rows = rows();
        let saved = serde_json::to_value(&rows).unwrap();
        assert_eq!(serde_json::from_value::<RowCounts>(saved.clone()).unwrap(), rows);
        let spoil = |field: &str, value: serde_json::Value| {
            let mut spoiled = saved.clone();
            spoiled[field] = value;
            serde_json::from_value::<RowCounts>(spoiled).unwrap_err().to_string()
        };
        assert!(spoil("ends", serde_json::json!([1, 1, 3])).contains("last row end"));
        assert!(spoil("ends", serde_json::json!([1, 0, 3, 4])).contains("row 1"));
        assert!(spoil("ends", serde_json::json!([1, 1, 3, 9])).contains("row 3"));
        assert!(spoil("types", serde_json::json!(["Y", "X"])).contains("not sorted"));
        assert!(spoil("types", serde_json::json!([])).contains("not listed"));
        let impossible =
            serde_json::json!([[0, 1, 1, 2], [0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]]);
        assert!(spoil("entries", impossible).contains("cannot be"));
        let twice = serde_json::json!([[0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0]]);
        assert!(spoil("entries", twice).contains("stands twice"));
        // The row adds up, but Y has no gold chunk to be correct about.
        let of_none = serde_json::json!([[0, 1, 1, 1], [0, 2, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0]]);
        assert!(spoil("entries", of_none).contains("cannot be"));
    }

    /// In `Mode::Conlleval` a type may have more correct chunks than chunks.
    #[test]
    fn saved_rows_of_conlleval_come_back() {
        let builder = ChunkEvaluator::builder(["O", "B-X", ".-X", "O-Y", "B-Y"]);
        let builder = builder.mode(crate::Mode::Conlleval);
        let metric = builder.reading(crate::LabelReading::Reference).build().unwrap();
        let mut rows = RowCounts::new(&metric);
        rows.push(&metric, TagBatch::new(&[1, 2, 3], &[1, 2, 3], &[3]).unwrap()).unwrap();
        assert!(rows.row(0).any(|(_, counts)| counts.correct > counts.gold));
        let saved = serde_json::to_string(&rows).unwrap();
        assert_eq!(serde_json::from_str::<RowCounts>(&saved).unwrap(), rows);
    }

    #[test]
    fn rows_of_other_types_are_refused() {
        let mut saved = serde_json::to_value(rows()).unwrap();
        saved["types"] = serde_json::json!(["A", "B"]);
        let mut renamed: RowCounts = serde_json::from_value(saved).unwrap();
        let (before, batch) = (renamed.clone(), TagBatch::new(&[1], &[1], &[1]).unwrap());
        for refused in [renamed.push(&evaluator(), batch), renamed.append(&rows())] {
            assert!(refused.unwrap_err().to_string().contains("not those of the configuration"));
        }
        assert_eq!(renamed, before);
    }
}
