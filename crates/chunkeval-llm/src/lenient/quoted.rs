//! Point 1: an answer that was written in a string, once too often.

use super::repairs::Repairs;
use super::signs::{is_space, opener};
use super::strings::{escaped, string, string_prefix};
use crate::cursor::Cursor;

/// The answer in a string that is the whole text, or in one whose quotes are missing, as its escaped
/// quotes show: `{\"LOC\": [\"Rome\"]}`.
pub(crate) fn content(body: &str) -> Option<String> {
    whole_string(body).or_else(|| without_quotes(body))
}

fn whole_string(body: &str) -> Option<String> {
    let mut cursor = Cursor::new(body);
    let letters = string_prefix(&cursor)?;
    let content = string(&mut cursor, letters, &mut Repairs::default())?;
    cursor.peek().is_none().then(|| content.into_owned())
}

fn without_quotes(body: &str) -> Option<String> {
    let begin = body.find(['{', '['])?;
    let inside = body.get(begin..)?.trim_start_matches(|c| opener(c).is_some() || is_space(c));
    if !inside.starts_with("\\\"") {
        return None;
    }
    let mut decoded = String::with_capacity(body.len());
    let mut cursor = Cursor::new(body);
    while let Some(c) = cursor.bump() {
        if c == '\\' {
            escaped(&mut cursor, 0, &mut decoded, &mut Repairs::default());
        } else {
            decoded.push(c);
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_opened_with_or_without_its_quotes() {
        let object = r#"{"a": ["b"]}"#;
        for body in [
            r#""{\"a\": [\"b\"]}""#,
            r#"'{"a": ["b"]}'"#,
            r#"b'{"a": ["b"]}'"#,
            r#"{\"a\": [\"b\"]}"#,
        ] {
            assert_eq!(content(body).as_deref(), Some(object), "{body}");
        }
        assert_eq!(content(r#"So: [{\"a\": \"b"#).as_deref(), Some(r#"So: [{"a": "b"#));
        for body in [r#"{"a": ["\"b\""]}"#, r#""a": ["b"]}"#, r#""a" "b""#, "a", r#"[\n]"#] {
            assert_eq!(content(body), None, "{body}");
        }
    }
}
