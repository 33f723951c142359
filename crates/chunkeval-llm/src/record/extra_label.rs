//! From `label` to `extra_label`.

use serde_json::json;

use super::error::LineErrorKind;
use super::fields::Fields;
use super::reader::in_json;
use crate::{Entities, FieldPath, JsonLine, LineError};

/// The field that is added.
const EXTRA_LABEL: &str = "extra_label";

/// A line with the field `extra_label` added at its end: the gold entities of its record as type →
/// list, in order of first appearance. All else is as it was, to the byte.
///
/// ```
/// use chunkeval_llm::{JsonLines, Preset, RecordParser, extra_label_line};
///
/// let file = r#"{"label": "[{'entity': '美', 'entity_type': 'LOC'}]", "output": "{}"}"#;
/// let mut lines = JsonLines::new(file.as_bytes(), "answers.jsonl");
/// let line = lines.next_line()?.unwrap();
/// let record = RecordParser::new(Preset::Instruction).parse(line)?;
/// assert_eq!(
///     extra_label_line(line, &record.gold)?,
///     r#"{"label": "[{'entity': '美', 'entity_type': 'LOC'}]", "output": "{}", "extra_label": {"LOC":["美"]}}"#
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// # Errors
/// The line is no JSON object, or has an `extra_label` already.
pub fn extra_label_line(line: JsonLine<'_>, entities: &Entities) -> Result<String, LineError> {
    let added = FieldPath::field(EXTRA_LABEL);
    in_json(line, |line| match Fields::of(&line, [&added; 5])?.values() {
        [Some(present), ..] => {
            Err(line.error(line.offset_of(present), None, LineErrorKind::Converted))
        }
        _ => Ok(()),
    })?;
    let pairs: Vec<String> =
        entities.iter().map(|(name, list)| format!("{}:{}", json!(name), json!(list))).collect();
    let entities = format!("{{{}}}", pairs.join(","));
    let object = line.text.trim_ascii().strip_suffix('}').unwrap_or(line.text).trim_ascii_end();
    let comma = if object.ends_with('{') { "" } else { ", " };
    Ok(format!("{object}{comma}\"{EXTRA_LABEL}\": {entities}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JsonLines;

    fn convert(line: &str) -> Result<String, String> {
        let mut lines = JsonLines::new(line.as_bytes(), "f");
        let line = lines.next_line().unwrap().unwrap();
        let entities = [("X", "é"), ("X", "é")].into_iter().collect();
        extra_label_line(line, &entities).map_err(|e| e.to_string())
    }

    #[test]
    fn all_else_stays_as_it_was() {
        let line = r#"{ "a" : 1e2 , "d": {"label": [{"entity_type": "X", "entity": "\u00e9"}]} } "#;
        let object = line.trim_end().strip_suffix(" }").unwrap();
        let expected = format!(r#"{object}, "extra_label": {{"X":["é","é"]}}}}"#);
        assert_eq!(convert(line).unwrap(), expected);
        assert_eq!(convert("{ } ").unwrap(), r#"{"extra_label": {"X":["é","é"]}}"#);
    }

    #[test]
    fn what_cannot_be_converted_is_named() {
        let twice = convert(r#"{"label": [], "extra_label": {}}"#).unwrap_err();
        assert_eq!(twice, "f:1:30: there is a field extra_label already");
        assert!(convert("[]").unwrap_err().starts_with("f:1:1: no JSON object"));
    }
}
