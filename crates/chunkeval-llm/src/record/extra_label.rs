//! From `label` to `extra_label`.

use serde_json::json;

use super::error::LineErrorKind;
use super::fields::Fields;
use super::gold;
use crate::{FieldPath, JsonLine, LineError};

/// The field that is added.
const EXTRA_LABEL: &str = "extra_label";

/// A line with the field `extra_label` added at its end: the gold entities as type → list, in order
/// of first appearance. All else is as it was, to the byte.
///
/// ```
/// use chunkeval_llm::{JsonLines, extra_label_line};
///
/// let file = r#"{"label": "[{'entity': '美', 'entity_type': 'LOC'}]", "output": "{}"}"#;
/// let mut lines = JsonLines::new(file.as_bytes(), "answers.jsonl");
/// let line = lines.next_line()?.unwrap();
/// assert_eq!(
///     extra_label_line(line, &"label".parse()?)?,
///     r#"{"label": "[{'entity': '美', 'entity_type': 'LOC'}]", "output": "{}", "extra_label": {"LOC":["美"]}}"#
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// # Errors
/// The line is no JSON object, its gold entities are missing or cannot be read, or it has an
/// `extra_label` already.
pub fn extra_label_line(line: JsonLine<'_>, gold: &FieldPath) -> Result<String, LineError> {
    let added = FieldPath::field(EXTRA_LABEL);
    let fields = Fields::of(&line, [gold, &added, gold, gold, gold])?;
    let [label, present, ..] = fields.values();
    if let Some(present) = present {
        return Err(line.error(line.offset_of(present), None, LineErrorKind::Converted));
    }
    let raw = label.ok_or_else(|| fields.error(gold, None, LineErrorKind::Missing))?;
    let entities = gold::read(raw).map_err(|error| fields.error(gold, label, error))?;
    let pairs: Vec<String> =
        entities.iter().map(|(name, list)| format!("{}:{}", json!(name), json!(list))).collect();
    let entities = format!("{{{}}}", pairs.join(","));
    // It has the field with the gold entities, so it is not empty.
    let object = line.text.trim_ascii().strip_suffix('}').unwrap_or(line.text).trim_ascii_end();
    Ok(format!("{object}, \"{EXTRA_LABEL}\": {entities}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JsonLines;

    fn convert(line: &str, gold: &str) -> Result<String, String> {
        let mut lines = JsonLines::new(line.as_bytes(), "f");
        let line = lines.next_line().unwrap().unwrap();
        extra_label_line(line, &gold.parse().unwrap()).map_err(|e| e.to_string())
    }

    #[test]
    fn all_else_stays_as_it_was() {
        let line = r#"{ "a" : 1e2 , "d": {"label": [{"entity_type": "X", "entity": "\u00e9"}, {"entity_type": "X", "entity": "é"}]} } "#;
        let object = line.trim_end().strip_suffix(" }").unwrap();
        let expected = format!(r#"{object}, "extra_label": {{"X":["é","é"]}}}}"#);
        assert_eq!(convert(line, "d.label").unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_converted_is_named() {
        let twice = convert(r#"{"label": [], "extra_label": {}}"#, "label").unwrap_err();
        assert_eq!(twice, "f:1:30: there is a field extra_label already");
        assert_eq!(convert("{}", "label").unwrap_err(), "f:1:1: field label: there is none");
        assert!(
            convert(r#"{"label": 5}"#, "label").unwrap_err().starts_with("f:1:11: field label:")
        );
    }
}
