//! [`RecordParser`] and [`RecordReader`]: from lines to records.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use chunkeval_core::Result;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, text_of};
use super::format::Prompt;
use super::gold;
use crate::{FieldPath, JsonLine, JsonLines, Record, RecordFormat, RecordId};

/// The records of a stream, one at a time.
///
/// A line that cannot be used is an error that names it, and the next one can be read. Blank lines
/// and a byte order mark are passed over; a line may be of any length up to a
/// [limit](JsonLines::longest).
///
/// ```
/// use chunkeval_llm::{Preset, RecordReader};
///
/// let file = r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"]}, "prediction": "{}"}"#;
/// let mut records = RecordReader::new(file.as_bytes(), "answers.jsonl", Preset::Plain);
/// let record = records.next().unwrap()?;
/// assert_eq!((record.gold.get("PER"), record.id.line), (&["Ada".to_owned()][..], 1));
///
/// let file = r#"{"text": "Ada in Rome", "gold": [7], "prediction": "{}"}"#;
/// let error = RecordReader::new(file.as_bytes(), "answers.jsonl", Preset::Plain).next();
/// assert_eq!(
///     error.unwrap().unwrap_err().to_string(),
///     "answers.jsonl:1:33: field gold: item 0 of the label is a number, and an object was expected"
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<R> {
    lines: JsonLines<R>,
    parser: RecordParser,
}

/// Makes records of lines that were read elsewhere, as for several threads.
#[derive(Clone, Debug)]
pub struct RecordParser {
    format: RecordFormat,
    /// The types of the line before and how they were written: most files ask for the same ones
    /// throughout.
    schema: SchemaCache,
}

/// Types and how they were written.
pub(crate) type SchemaCache = Option<(String, Arc<[String]>)>;

/// What an instruction says.
#[derive(Deserialize)]
pub(crate) struct Instruction<'a> {
    #[serde(borrow)]
    pub(crate) schema: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) input: Option<&'a RawValue>,
}

/// Text and types.
type Asked = (Option<String>, Option<Arc<[String]>>);

impl<R: BufRead> RecordReader<R> {
    /// The records of `source`; errors call it `path`.
    pub fn new(source: R, path: impl Into<PathBuf>, format: impl Into<RecordFormat>) -> Self {
        Self::of_lines(JsonLines::new(source, path), format)
    }

    /// The records of lines with options of their own.
    pub fn of_lines(lines: JsonLines<R>, format: impl Into<RecordFormat>) -> Self {
        Self { lines, parser: RecordParser::new(format) }
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next_line().transpose()?;
        Some(line.and_then(|line| self.parser.parse(line)))
    }
}

impl RecordParser {
    /// A parser for lines of a format.
    pub fn new(format: impl Into<RecordFormat>) -> Self {
        Self { format: format.into(), schema: None }
    }

    /// The record of a line.
    ///
    /// # Errors
    /// The line is no JSON object, lacks gold entities, has a field that is read twice, or a field
    /// holds what it may not. One without an answer is [unanswered](Record::unanswered).
    pub fn parse(&mut self, line: JsonLine<'_>) -> Result<Record> {
        let fields = Fields::of(&line, self.format.paths())?;
        let [id, prompt, schema, gold, answer] = fields.values();
        let [_, prompt_path, schema_path, gold_path, _] = self.format.paths();
        let at = |path: &FieldPath, raw: Option<&RawValue>, reason: &str| {
            line.error(fields.offset(raw), format!("field {path}: {reason}"))
        };

        let gold = gold.ok_or_else(|| at(gold_path, None, "there is none"))?;
        let entities =
            gold::read(&gold).map_err(|e| at(gold_path, fields.raw(3), &e.to_string()))?;
        let (text, schema) = match &self.format.prompt {
            Prompt::Instruction(_) => match prompt {
                Some(prompt) => instruction(&prompt, &mut self.schema),
                None => Ok((None, None)),
            }
            .map_err(|reason| at(prompt_path, fields.raw(1), reason))?,
            Prompt::Fields { .. } => {
                let text = prompt.as_deref().map(input).transpose();
                let schema =
                    schema.as_deref().map(|raw| self::schema(raw, &mut self.schema)).transpose();
                (
                    text.map_err(|reason| at(prompt_path, fields.raw(1), reason))?.flatten(),
                    schema.map_err(|reason| at(schema_path, fields.raw(2), reason))?.flatten(),
                )
            }
        };
        let id = id.and_then(|id| id_name(&id));
        let id = RecordId { line: line.number, id };
        let (unanswered, answer) =
            (answer.is_none(), answer.as_deref().map_or_else(String::new, said));
        Ok(Record { id, text, schema, gold: entities, answer, unanswered })
    }
}

/// Text and types of an instruction; nothing of a text that is no JSON object.
pub(crate) fn instruction(raw: &str, cache: &mut SchemaCache) -> Result<Asked, &'static str> {
    let text = text_of(raw);
    let json = text.as_deref().unwrap_or(raw);
    let Instruction { schema, input: text } = match serde_json::from_str(json) {
        Ok(instruction) => instruction,
        Err(error) if error.to_string().starts_with("duplicate field") => {
            return Err("schema or input stands there twice");
        }
        Err(_) => return Ok((None, None)),
    };
    let schema = schema.map(|raw| self::schema(raw.get(), cache)).transpose()?.flatten();
    Ok((text.map(|raw| input(raw.get())).transpose()?.flatten(), schema))
}

fn input(raw: &str) -> Result<Option<String>, &'static str> {
    match text_of(raw) {
        Some(text) => Ok(Some(text.into_owned())),
        None if raw == "null" => Ok(None),
        None => parts(raw).map(Some).ok_or("the text is no string"),
    }
}

/// The types that were asked for.
pub(crate) fn schema(
    raw: &str,
    cache: &mut SchemaCache,
) -> Result<Option<Arc<[String]>>, &'static str> {
    if let Some((_, types)) = cache.as_ref().filter(|(written, _)| written == raw) {
        return Ok(Some(types.clone()));
    }
    let bad = "the types that were asked for are no list of strings";
    let types: Arc<[String]> = match serde_json::from_str(raw).map_err(|_| bad)? {
        Value::Null => return Ok(None),
        Value::Array(types) => {
            let name = |value: &Value| value.as_str().map(str::to_owned).ok_or(bad);
            types.iter().map(name).collect::<Result<_, _>>()?
        }
        Value::Object(types) => types.into_iter().map(|(name, _)| name).collect(),
        _ => return Err(bad),
    };
    *cache = Some((raw.to_owned(), types.clone()));
    Ok(Some(types))
}

/// The text of an answer.
fn said(raw: &str) -> String {
    match text_of(raw) {
        Some(text) => text.into_owned(),
        None if raw == "null" => String::new(),
        None => parts(raw).unwrap_or_else(|| raw.to_owned()),
    }
}

/// The texts of content parts, `[{"type": "text", "text": …}, …]`, joined.
fn parts(raw: &str) -> Option<String> {
    let value: Value = serde_json::from_str(raw).ok()?;
    let parts = value.as_array().filter(|parts| !parts.is_empty())?;
    let is_text = |part: &Value| part.get("type").and_then(Value::as_str) == Some("text");
    let texts = parts.iter().filter(|part| is_text(part));
    let joined: String = texts.filter_map(|part| part.get("text")?.as_str()).collect();
    parts.iter().any(is_text).then_some(joined)
}

/// An id of any kind as a text.
pub(crate) fn id_name(raw: &str) -> Option<String> {
    match text_of(raw) {
        Some(text) => Some(text.into_owned()),
        None => (raw != "null").then(|| raw.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    fn read(text: &str, format: impl Into<RecordFormat>) -> Vec<Result<Record, String>> {
        let reader = RecordReader::new(text.as_bytes(), "f", format);
        reader.map(|record| record.map_err(|e| e.to_string())).collect()
    }

    fn one(text: &str, format: impl Into<RecordFormat>) -> Record {
        let [record] = &read(text, format)[..] else { panic!("{text}") };
        record.clone().unwrap()
    }

    fn gold(pairs: &[(&str, &str)]) -> crate::Entities {
        pairs.iter().copied().collect()
    }

    #[test]
    fn the_published_form_is_read() {
        let line = r#"{"id": 7, "instruction": "{\"schema\": [\"LOC\", \"PER\"], \"input\": \"美\\n台\"}", "label": "[{\"entity\": \"美\", \"entity_type\": \"LOC\"}]", "output": "{'LOC': ['美']}", "other": [{}]}"#;
        let record = one(line, Preset::Instruction);
        assert_eq!(record.id, RecordId { line: 1, id: Some("7".to_owned()) });
        assert_eq!(record.text.as_deref(), Some("美\n台"));
        assert_eq!(record.schema.as_deref(), Some(&["LOC".to_owned(), "PER".to_owned()][..]));
        assert_eq!(record.gold, gold(&[("LOC", "美")]));
        assert_eq!(record.answer, "{'LOC': ['美']}");
        // An instruction in plain words has neither types nor text.
        let record =
            one(r#"{"instruction": "Find!", "label": [], "output": null}"#, Preset::Instruction);
        assert_eq!(record, Record::new(gold(&[]), "").at(1, None));
    }

    #[test]
    fn gold_comes_in_many_forms() {
        let expected = gold(&[("PER", "O'Brien"), ("LOC", "Rome")]);
        for label in [
            r#"[{"entity": "O'Brien", "entity_type": "PER"}, {"entity_type": "LOC", "entity": "Rome", "start": 3}]"#,
            r#""[{'entity': \"O'Brien\", 'entity_type': 'PER'}, {'entity': 'Rome', 'entity_type': 'LOC'}]""#,
            r#"{"PER": ["O'Brien"], "LOC": ["Rome"]}"#,
            r#""{'PER': [\"O'Brien\"], 'LOC': ['Rome']}""#,
            r#"[["PER", "O'Brien"], ["LOC", "Rome"]]"#,
            r#""[('PER', \"O'Brien\"), ['LOC', 'Rome']]""#,
            r#""{'PER': (\"O'Brien\",), 'LOC': ['Rome']}""#,
            r#""({'entity': \"O'Brien\", 'entity_type': 'PER'}, ('LOC', 'Rome'))""#,
        ] {
            let line = format!(r#"{{"gold": {label}, "prediction": ""}}"#);
            assert_eq!(one(&line, Preset::Plain).gold, expected, "{label}");
        }
        let line = r#"{"gold": {"PER": []}, "prediction": ""}"#;
        assert!(one(line, Preset::Plain).gold.has_type("PER"));
    }

    #[test]
    fn chats_and_tool_calls_are_read() {
        let chat = r#"{"gold": [], "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "no"}, {"role": "user", "content": [{"type": "text", "text": "Again"}]}, {"role": "assistant", "content": [{"type": "text", "text": "{\"A\""}, {"type": "text", "text": ": []}"}], "tool_calls": [{"function": {"arguments": "{\"B\": []}"}}]}], "schema": {"A": "a thing"}}"#;
        let record = one(chat, Preset::Chat);
        assert_eq!((&*record.answer, record.text.as_deref()), (r#"{"A": []}"#, Some("Again")));
        assert_eq!(record.schema.as_deref(), Some(&["A".to_owned()][..]));
        assert_eq!(one(chat, Preset::ToolCall).answer, r#"{"B": []}"#);
        // Arguments that are no string but JSON already, and a list of entities that is no text.
        let format = RecordFormat::from(Preset::Plain).answer("a[0].b".parse().unwrap());
        let line = r#"{"gold": [], "a": [{"b": [{"type": "PER", "text": "Kim"}]}]}"#;
        assert_eq!(one(line, format).answer, r#"[{"text":"Kim","type":"PER"}]"#);
    }

    #[test]
    fn errors_name_line_and_field_and_the_next_line_is_read() {
        let file = "{\"gold\": [], \"prediction\": \"{}\"}\n\
            {\"gold\": [}\n\
            {\"prediction\": \"{}\"}\n\
            {\"gold\": []}\n\
            {\"text\": 5, \"gold\": [], \"prediction\": \"\"}\n\
            {\"schema\": [1], \"gold\": [], \"prediction\": \"\"}\n\
            {\"gold\": {\"A\": \"x\"}, \"prediction\": \"\"}\n\
            {\"gold\": \"[{'entity': 1, 'entity_type': 'A'}]\", \"prediction\": \"\"}\n\
            []\n\
            {\"gold\": [], \"prediction\": \"\"} x\n\
            {\"gold\": [], \"prediction\": \"last\"}";
        let found = read(file, Preset::Plain);
        let errors: Vec<&String> = found.iter().filter_map(|r| r.as_ref().err()).collect();
        assert_eq!(found.len(), 11);
        let expected = [
            "f:2:11: no JSON object: expected value",
            "f:3:1: field gold: there is none",
            "f:5:10: field text: the text is no string",
            "f:6:12: field schema: the types that were asked for are no list of strings",
            "f:7:10: field gold: the entities of \"A\" are no list of strings",
            "f:8:10: field gold: entity of item 0 of the label is a number, and a text was expected",
            "f:9:1: no JSON object: invalid type: sequence, expected an object",
            "f:10:32: no JSON object: trailing characters",
        ];
        assert_eq!(errors, expected);
        assert_eq!(found[10].as_ref().unwrap().answer, "last");
        let unanswered = found[3].as_ref().unwrap();
        assert!(unanswered.unanswered && unanswered.answer.is_empty());
    }

    #[test]
    fn what_stands_in_a_line_twice_is_refused_where_it_is_read() {
        let refused = |line: &str, format: RecordFormat| match &read(line, format)[..] {
            [Err(error)] => error.clone(),
            other => panic!("{other:?}"),
        };
        let plain = || RecordFormat::from(Preset::Plain);
        let line = r#"{"gold": [], "prediction": "é", "gold": [["A", "x"]], "prediction": "b"}"#;
        let reason = "f:1:41: field gold: it stands in the line twice, first at column 10";
        assert_eq!(refused(line, plain()), reason);
        // A field in which two are found is no other matter.
        let line = r#"{"messages": [], "gold": [], "messages": []}"#;
        let reason = "f:1:42: field messages: it stands in the line twice, first at column 14";
        assert_eq!(refused(line, Preset::Chat.into()), reason);
        let line = r#"{"gold": {"A": ["x"], "B": [], "A": ["y"]}, "prediction": ""}"#;
        let reason = "f:1:10: field gold: the type \"A\" stands there twice";
        assert_eq!(refused(line, plain()), reason);
        let line = r#"{"instruction": {"input": "a", "input": "b"}, "label": [], "output": ""}"#;
        let reason = "f:1:17: field instruction: schema or input stands there twice";
        assert_eq!(refused(line, Preset::Instruction.into()), reason);
        // Nobody reads the others; of a Python dict's equal keys the last one counts, as in Python.
        let line =
            r#"{"note": 1, "note": 2, "gold": "{'A': ['x'], 'A': ['y']}", "prediction": ""}"#;
        assert_eq!(one(line, Preset::Plain).gold, gold(&[("A", "y")]));
    }

    #[test]
    fn types_of_gold_entities_keep_their_order() {
        let line = r#"{"gold": {"PER": [], "LOC": ["x"]}, "prediction": ""}"#;
        let record = one(line, Preset::Plain);
        assert_eq!(record.gold.types().collect::<Vec<_>>(), ["PER", "LOC"]);
    }

    #[test]
    fn types_are_those_of_their_own_line() {
        let line =
            |types: &str| format!("{{\"schema\": {types}, \"gold\": [], \"prediction\": \"\"}}\n");
        let file = [line(r#"["A"]"#), line(r#"["A"]"#), line(r#"["B"]"#), line("null")].concat();
        let types = read(&file, Preset::Plain).into_iter().map(|r| r.unwrap().schema);
        let types: Vec<Option<Vec<String>>> = types.map(|t| t.map(|t| t.to_vec())).collect();
        let of = |name: &str| Some(vec![name.to_owned()]);
        assert_eq!(types, [of("A"), of("A"), of("B"), None]);
    }
}
