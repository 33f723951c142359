//! Which form lines have, where nobody said it.

use std::io::{self, Cursor, Read as _};

use chunkeval_core::visible_text;
use chunkeval_llm::{Preset, without_nan};
use serde_json::{Map, Value};

use crate::input::Input;
use crate::{Error, Result, interrupt};

/// So many bytes are looked at, at most.
const MOST: usize = 1 << 24;

/// What a line says of its form.
enum Form {
    /// It has the fields of that.
    Of(Preset),
    /// It has those of none.
    None,
    /// It is no JSON object.
    NoObject,
}

/// The form of the first line that is a JSON object; where a line that cannot be used does not end
/// the run, of the first one that has any. What was looked at is read again.
///
/// # Errors
/// The input cannot be read.
pub(crate) fn guess(input: &mut Input, keep_going: bool) -> Result<Option<Preset>> {
    let (mut start, mut from) = (Vec::new(), 0);
    let mut chunk = vec![0; 1 << 16];
    let mut found = None;
    while found.is_none() && start.len() < MOST {
        let read = match input.source.read(&mut chunk) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) if interrupt::asked() => break,
            Err(error) => return Err(Error::read(&input.path, error)),
        };
        let looked_at = start.len();
        start.extend_from_slice(chunk.get(..read).unwrap_or_default());
        let ends = memchr::memchr_iter(b'\n', start.get(looked_at..).unwrap_or_default());
        let mut ends: Vec<usize> = ends.map(|end| looked_at + end + 1).collect();
        if read == 0 {
            ends.push(start.len());
        }
        for end in ends {
            let line = start.get(from..end).unwrap_or_default();
            from = end;
            found = match form(line) {
                Form::Of(preset) => Some(Some(preset)),
                Form::None if !keep_going => Some(None),
                Form::None | Form::NoObject => continue,
            };
            break;
        }
        if read == 0 {
            break;
        }
    }
    let rest = std::mem::replace(&mut input.source, Box::new(io::empty()));
    input.source = Box::new(Cursor::new(start).chain(rest));
    Ok(found.flatten())
}

fn form(line: &[u8]) -> Form {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    match serde_json::from_str(&without_nan(&String::from_utf8_lossy(line))) {
        Ok(fields) => preset(&fields).map_or(Form::None, Form::Of),
        Err(_) => Form::NoObject,
    }
}

/// The form that has fields for gold entities and answer, and those of the line; else one that has a
/// field for the gold entities.
fn preset(fields: &Map<String, Value>) -> Option<Preset> {
    let has = |name| fields.contains_key(name);
    let messages = fields.get("messages").and_then(Value::as_array);
    Some(match messages {
        _ if has("label") && has("output") => Preset::Instruction,
        _ if has("gold") && has("prediction") => Preset::Plain,
        Some(messages) if has("gold") => {
            let mut answers = messages.iter().rev().filter(|of| of["role"] == "assistant");
            let call = answers.next().map(|of| &of["tool_calls"][0]["function"]["arguments"]);
            if call.is_some_and(|call| !call.is_null()) { Preset::ToolCall } else { Preset::Chat }
        }
        _ if has("label") => Preset::Instruction,
        _ if has("gold") => Preset::Plain,
        _ => return None,
    })
}

/// How to say which fields hold what.
pub(super) const FORMS: &str = "say which fields hold what: --preset plain for {text, gold, prediction}, chat for {messages, gold}, \
     tool-call for the same with tool calls, instruction for {instruction, label, output}; or \
     --gold-field, --answer-field, --text-field";

/// So many fields are named.
const NAMED: usize = 12;

/// The same for a line, with the fields that it has.
pub(super) fn forms(line: &str) -> String {
    let Ok(fields) = serde_json::from_str::<Map<String, Value>>(&without_nan(line)) else {
        return FORMS.to_owned();
    };
    let mut names: Vec<String> = fields.keys().take(NAMED).map(|name| visible_text(name)).collect();
    if fields.len() > NAMED {
        names.push("…".to_owned());
    }
    match names.is_empty() {
        true => format!("the line has no fields; {FORMS}"),
        false => format!("the fields of the line are {}; {FORMS}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_that_has_the_fields_is_taken() {
        let of = |line: &str| match form(line.as_bytes()) {
            Form::Of(preset) => preset.name(),
            Form::None => "none",
            Form::NoObject => "no object",
        };
        assert_eq!(of(r#"{"instruction": "", "label": [], "output": ""}"#), "instruction");
        assert_eq!(of("\u{feff}{\"gold\": [], \"prediction\": null}\r\n"), "plain");
        // Where several would do, the published form comes first.
        let several = r#"{"gold": [], "prediction": "", "label": [], "output": ""}"#;
        assert_eq!(of(several), "instruction");
        let chat = |message: &str| format!(r#"{{"gold": [], "messages": [{message}]}}"#);
        assert_eq!(of(&chat(r#"{"role": "assistant", "content": "x"}"#)), "chat");
        let empty = r#"{"role": "assistant", "content": "x", "tool_calls": []}"#;
        assert_eq!(of(&chat(empty)), "chat");
        let call = r#"{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}"#;
        assert_eq!(of(&chat(call)), "tool-call");
        assert_eq!(of(&chat("")), "chat");
        assert_eq!(of(r#"{"label": []}"#), "instruction");
        assert_eq!(of(r#"{"text": "", "gold": []}"#), "plain");
        assert_eq!(of(r#"{"text": "", "entities": [], "messages": []}"#), "none");
        assert_eq!(of(r#"{"gold": [], "prediction": "", "loss": NaN}"#), "plain");
        assert_eq!([of("[]"), of(""), of("{"), of("\u{0}")], ["no object"; 4]);
    }
}
