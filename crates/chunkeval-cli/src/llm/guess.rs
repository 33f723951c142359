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
    Of(Guess),
    /// It has those of none.
    None,
    /// It is no JSON object.
    NoObject,
}

/// The fields that were named, which are not looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named {
    pub(crate) gold: bool,
    pub(crate) text: bool,
    /// The types asked for: they, and the text, are then in no instruction.
    pub(crate) schema: bool,
    pub(crate) answer: bool,
}

/// A form, and the fields in which lines differ from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guess {
    pub(crate) preset: Preset,
    pub(crate) text: Option<&'static str>,
    pub(crate) answer: Option<&'static str>,
}

/// The form of the first line that is a JSON object; where a line that cannot be used does not end
/// the run, of the first one that has any. What was looked at is read again.
///
/// # Errors
/// The input cannot be read.
pub(crate) fn guess(input: &mut Input, named: Named, keep_going: bool) -> Result<Option<Guess>> {
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
            found = match form(line, named) {
                Form::Of(guess) => Some(Some(guess)),
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

fn form(line: &[u8], named: Named) -> Form {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    match serde_json::from_str(&without_nan(&String::from_utf8_lossy(line))) {
        Ok(fields) => Line { fields, named }.guess().map_or(Form::None, Form::Of),
        Err(_) => Form::NoObject,
    }
}

/// A line that is looked at.
struct Line {
    fields: Map<String, Value>,
    named: Named,
}

impl Line {
    /// The form of most fields for gold entities and answer that the line has, the first of several;
    /// one without a field for the gold entities is none. The text tells only where gold entities
    /// were named. What the line has not where that form has it is taken from where others do.
    fn guess(&self) -> Option<Guess> {
        let named = self.named;
        let rank = |&preset: &Preset| {
            let gold = !named.gold && self.has(gold(preset));
            let answer = !named.answer && self.answer(preset).is_some();
            let text = named.gold && !named.text && self.text(preset).is_some();
            (u8::from(gold) + u8::from(answer), text)
        };
        let with_gold = |&preset: &Preset| named.gold || self.has(gold(preset));
        // Of equal ones the last is the greatest.
        let preset = Preset::ALL.into_iter().rev().filter(with_gold).max_by_key(rank)?;
        let found = !named.gold || rank(&preset) > (0, false);
        let elsewhere =
            |named: bool, place: &dyn Fn(Preset) -> Option<&'static str>| match place(preset) {
                None if !named => Preset::ALL.into_iter().find_map(place),
                _ => None,
            };
        let text = elsewhere(named.text, &|preset| self.text(preset));
        let answer = elsewhere(named.answer, &|preset| self.answer(preset));
        found.then_some(Guess { preset, text, answer })
    }

    fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    fn messages(&self) -> Option<&Vec<Value>> {
        self.fields.get("messages").and_then(Value::as_array)
    }

    /// Where the answer of that form is, if the line has it.
    fn answer(&self, preset: Preset) -> Option<&'static str> {
        let call = || {
            let mut answers = self.messages()?.iter().rev().filter(|of| of["role"] == "assistant");
            let call = answers.next().map(|of| &of["tool_calls"][0]["function"]["arguments"]);
            Some(call.is_some_and(|call| !call.is_null()))
        };
        match preset {
            Preset::Plain => self.has("prediction").then_some("prediction"),
            Preset::Chat if call() == Some(false) => Some("messages[role=assistant].content"),
            Preset::ToolCall if call() == Some(true) => {
                Some("messages[role=assistant].tool_calls[0].function.arguments")
            }
            Preset::Chat | Preset::ToolCall => None,
            _ => self.has("output").then_some("output"),
        }
    }

    /// Where the text of that form is, if the line has it. An instruction holds one if it is JSON.
    fn text(&self, preset: Preset) -> Option<&'static str> {
        let json = || match self.fields.get("instruction") {
            Some(Value::String(text)) => serde_json::from_str::<Map<String, Value>>(text).is_ok(),
            other => other.is_some_and(Value::is_object),
        };
        match preset {
            Preset::Chat | Preset::ToolCall => {
                let asked = self.messages()?.iter().any(|of| of["role"] == "user");
                asked.then_some("messages[role=user].content")
            }
            Preset::Instruction if !self.named.schema => json().then_some("instruction"),
            _ => self.has("text").then_some("text"),
        }
    }
}

/// Where the gold entities of a form are.
fn gold(preset: Preset) -> &'static str {
    if preset == Preset::Instruction { "label" } else { "gold" }
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
        let of = |line: &str| match form(line.as_bytes(), Named::default()) {
            Form::Of(guess) => guess.preset.name(),
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
