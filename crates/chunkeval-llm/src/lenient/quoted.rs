//! Point 1: an answer that was written in a string, once too often.

use super::repairs::Repairs;
use super::signs::{is_space, opener};
use super::strings::{escaped, escaped_space, string, string_prefix};
use crate::cursor::Cursor;

/// The answer in a string that is the whole text, or in one whose quotes are missing, as its escaped
/// quotes show: `{\"LOC\": [\"Rome\"]}`. And what is wrong with the string itself.
pub(crate) fn content(body: &str) -> Option<(String, Repairs)> {
    whole_string(body).or_else(|| without_quotes(body))
}

fn whole_string(body: &str) -> Option<(String, Repairs)> {
    let mut cursor = Cursor::new(body);
    let letters = string_prefix(&cursor)?;
    let mut repairs = Repairs::default();
    let content = string(&mut cursor, letters, &mut repairs)?;
    cursor.peek().is_none().then(|| (content.into_owned(), repairs))
}

fn without_quotes(body: &str) -> Option<(String, Repairs)> {
    let begin = body.find(['{', '['])?;
    let opened = |c| opener(c).is_some() || is_space(c);
    let mut inside = body.get(begin..)?.trim_start_matches(opened);
    while let Some(len) = escaped_space(inside) {
        inside = inside.get(len..)?.trim_start_matches(opened);
    }
    if !inside.starts_with("\\\"") {
        return None;
    }
    let (mut decoded, mut repairs) = (String::with_capacity(body.len()), Repairs::default());
    let mut cursor = Cursor::new(body);
    while let Some(c) = cursor.bump() {
        if c == '\\' {
            escaped(&mut cursor, 0, &mut decoded, &mut repairs);
        } else {
            decoded.push(c);
        }
    }
    Some((decoded, repairs))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_string_is_opened_with_or_without_its_quotes() {
        let content = |body| super::content(body).map(|(content, _)| content);
        let object = r#"{"a": ["b"]}"#;
        for body in [
            r#""{\"a\": [\"b\"]}""#,
            r#"'{"a": ["b"]}'"#,
            r#"b'{"a": ["b"]}'"#,
            r#"{\"a\": [\"b\"]}"#,
        ] {
            assert_eq!(content(body).as_deref(), Some(object), "{body}");
        }
        assert_eq!(content(r#"{\n  \"a\": \"b\"\n}"#).as_deref(), Some("{\n  \"a\": \"b\"\n}"));
        assert_eq!(content(r#"So: [{\"a\": \"b"#).as_deref(), Some(r#"So: [{"a": "b"#));
        for body in [r#"{"a": ["\"b\""]}"#, r#""a": ["b"]}"#, r#""a" "b""#, "a", r#"[\n]"#] {
            assert_eq!(content(body), None, "{body}");
        }
    }
}
