//! Reading tags and ids out of JSON.

use chunkeval::TagStyle;
use serde_json::Value;

/// The style that an oracle's `suffix` option names.
pub fn style(line: &Value) -> TagStyle {
    match line["suffix"].as_bool() {
        Some(true) => TagStyle::Suffix,
        _ => TagStyle::Prefix,
    }
}

/// A list of strings; `None` if something else is in it.
pub fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|s| s.as_str().map(str::to_owned)).collect()
}

/// Rows of strings; `None` if something else is in them.
pub fn string_rows(value: &Value) -> Option<Vec<Vec<String>>> {
    value.as_array()?.iter().map(strings).collect()
}

/// Rows of strings where Python takes a string for the list of its characters; `None` if something
/// else is in them.
pub fn python_rows(value: &Value) -> Option<Vec<Vec<String>>> {
    let row = |row: &Value| match row.as_str() {
        Some(text) => Some(text.chars().map(String::from).collect()),
        None => strings(row),
    };
    value.as_array()?.iter().map(row).collect()
}

/// A list of integers; `None` if something else is in it.
pub fn ints(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}

/// Rows of integers; `None` if something else is in them.
pub fn int_rows(value: &Value) -> Option<Vec<Vec<i64>>> {
    value.as_array()?.iter().map(ints).collect()
}

/// The different tags of some rows, in order of appearance.
pub fn labels<'a>(rows: impl IntoIterator<Item = &'a Vec<String>>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for tag in rows.into_iter().flatten() {
        if !labels.contains(tag) {
            labels.push(tag.clone());
        }
    }
    labels
}
