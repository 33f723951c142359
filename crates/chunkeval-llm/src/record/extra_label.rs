//! From `label` to `extra_label`.

use chunkeval_core::Result;

use super::fields::Fields;
use super::gold;
use crate::{FieldPath, JsonLine};

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
pub fn extra_label_line(line: JsonLine<'_>, gold: &FieldPath) -> Result<String> {
    let added = FieldPath::field(EXTRA_LABEL);
    let fields = Fields::of(&line, [gold, &added, gold, gold, gold])?;
    let [label, present, ..] = fields.values();
    if present.is_some() {
        let at = fields.offset(fields.raw(1));
        return Err(line.error(at, format!("there is a field {EXTRA_LABEL} already")));
    }
    let bad = |reason: String| {
        line.error(fields.offset(fields.raw(0)), format!("field {gold}: {reason}"))
    };
    let label = label.ok_or_else(|| bad("there is none".to_owned()))?;
    let entities = gold::read(&label).map_err(|e| bad(e.to_string()))?;
    let entities = serde_json::to_string(&entities).map_err(|e| bad(e.to_string()))?;
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
