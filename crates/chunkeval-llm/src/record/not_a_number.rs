//! `NaN`, `Infinity` and `-Infinity`: what Python's json writes and reads, and JSON does not have.

use std::borrow::Cow;

/// The words, and numbers of the same length.
const WORDS: [(&str, &str); 3] =
    [("NaN", "0.0"), ("-Infinity", "-0.000000"), ("Infinity", "0.000000")];

/// The same JSON with 0 for every `NaN`, `Infinity` and `-Infinity`, which Python's `json.dumps`
/// writes and no other reader takes. Each 0 is as long as its word, so all else stands where it
/// stood.
///
/// ```
/// use chunkeval_llm::without_nan;
///
/// let line = r#"{"loss": NaN, "text": "NaN", "margin": [-Infinity]}"#;
/// assert_eq!(without_nan(line), r#"{"loss": 0.0, "text": "NaN", "margin": [-0.000000]}"#);
/// ```
#[must_use]
pub fn without_nan(json: &str) -> Cow<'_, str> {
    replaced(json).map_or(Cow::Borrowed(json), Cow::Owned)
}

/// The word that a value is, if it is one of these.
pub(super) fn word(value: &str) -> Option<&'static str> {
    WORDS.into_iter().map(|(word, _)| word).find(|word| *word == value)
}

/// The same JSON without such words; `None` if there are none.
pub(super) fn replaced(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut replaced: Option<String> = None;
    let (mut at, mut in_string) = (0, false);
    while let Some(&byte) = bytes.get(at) {
        match (in_string, byte) {
            (_, b'"') => in_string = !in_string,
            (true, b'\\') => at += 1, // and what is escaped
            (false, b'N' | b'I' | b'-') => {
                let rest = json.get(at..).unwrap_or_default();
                if let Some((word, zero)) =
                    WORDS.into_iter().find(|(word, _)| rest.starts_with(word))
                    && stands_alone(bytes, at, at + word.len())
                {
                    let text = replaced.get_or_insert_with(|| json.to_owned());
                    text.replace_range(at..at + word.len(), zero);
                    at += word.len() - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    replaced
}

/// Whether what stands between two bytes is a value of its own.
fn stands_alone(json: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| json.get(at));
    let space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    before.is_none_or(|&byte| space(byte) || matches!(byte, b'[' | b',' | b':'))
        && json.get(end).is_none_or(|&byte| space(byte) || matches!(byte, b']' | b',' | b'}'))
}

/// What JSON says, read again without such words if that fails.
pub(crate) fn parse<T>(json: &str, read: impl Fn(&str) -> serde_json::Result<T>) -> Option<T> {
    read(json).ok().or_else(|| read(&replaced(json)?).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_are_replaced() {
        for (json, expected) in [
            ("NaN", Some("0.0")),
            ("[NaN,Infinity ,\t-Infinity]", Some("[0.0,0.000000 ,\t-0.000000]")),
            (r#"{"NaN":NaN}"#, Some(r#"{"NaN":0.0}"#)),
            (r#"["\"NaN", NaN]"#, Some(r#"["\"NaN", 0.0]"#)),
            (r#"["é\\", NaN, "#, Some(r#"["é\\", 0.0, "#)),
            // None of these is one for Python.
            ("-NaN", None),
            ("[1NaN]", None),
            ("[NaN5]", None),
            ("--Infinity", None),
            ("Infinityé", None),
            (r#""NaN, "#, None),
            ("nan, -1", None),
            ("", None),
        ] {
            assert_eq!(replaced(json).as_deref(), expected, "{json}");
            let length = replaced(json).map_or(json.len(), |text| text.len());
            assert_eq!(length, json.len());
        }
    }
}
