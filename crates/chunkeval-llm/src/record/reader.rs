//! [`RecordParser`] and [`RecordReader`]: from lines to records.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use chunkeval_core::Result;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::{LineErrorKind, ValueError};
use super::fields::{Fields, text_of};
use super::format::Prompt;
use super::gold::{self, Said};
use super::{half_pair, not_a_number};
use crate::{JsonLine, JsonLines, LineError, Record, RecordFormat, RecordId};

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
        let line = self.lines.next_line_lossy().transpose()?;
        Some(line.and_then(|line| Ok(self.parser.parse(line)?)))
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
    /// The line is no JSON object, is no UTF-8 but in its answer, lacks gold entities, has a field that is read twice, or a field
    /// holds what it may not. One without an answer is [unanswered](Record::unanswered).
    ///
    /// As for Python's json, `NaN`, `Infinity` and `-Infinity` are numbers; of a field that is read
    /// they are no value but an answer.
    pub fn parse(&mut self, line: JsonLine<'_>) -> Result<Record, LineError> {
        in_json(line, |json| self.parse_json(json, line))
    }

    /// The record of a line, in JSON and as it is written.
    fn parse_json(
        &mut self,
        line: JsonLine<'_>,
        written: JsonLine<'_>,
    ) -> Result<Record, LineError> {
        let fields = Fields::of(&line, self.format.paths());
        let outside = match &fields {
            Ok(fields) => {
                let [.., answer] = fields.values();
                fields.mended_outside(answer)
            }
            Err(_) => line.mended.first().copied(),
        };
        if let Some(place) = outside {
            return Err(line.error(place, None, LineErrorKind::NotUtf8));
        }
        let fields = fields?;
        let [id, prompt, schema, gold, answer] = fields.values();
        let [_, prompt_path, schema_path, gold_path, _] = self.format.paths();

        for (path, value) in [(prompt_path, prompt), (schema_path, schema), (gold_path, gold)] {
            if let Some(word) =
                value.and_then(|value| not_a_number::word(line.written(value, written)))
            {
                return Err(fields.error(path, value, LineErrorKind::NotANumber { word }));
            }
        }
        let raw = gold.ok_or_else(|| fields.error(gold_path, None, LineErrorKind::Missing))?;
        let (text, schema) = match &self.format.prompt {
            Prompt::Instruction(_) => match prompt {
                Some(prompt) => instruction(prompt, &mut self.schema),
                None => Ok((None, None)),
            }
            .map_err(|error| fields.error(prompt_path, prompt, error))?,
            Prompt::Fields { .. } => {
                let text = prompt.map(input).transpose();
                let types = schema.map(|raw| self::schema(raw, &mut self.schema)).transpose();
                (
                    text.map_err(|error| fields.error(prompt_path, prompt, error))?.flatten(),
                    types.map_err(|error| fields.error(schema_path, schema, error))?.flatten(),
                )
            }
        };
        let said = Said { text: text.as_deref(), schema: schema.as_deref() };
        let entities = gold::read(raw, said).map_err(|e| fields.error(gold_path, gold, e))?;
        let id = RecordId {
            line: line.number,
            id: id.and_then(|id| id_name(line.written(id, written))),
            file: None,
        };
        let unanswered = answer.is_none();
        let answer = answer.map(|raw| self::said(line.written(raw, written)));
        let (answer, half_pairs) = answer.unwrap_or_default();
        let not_utf8 = line.mended.len(); // all of them in the answer
        let answer_key = self.format.answer_key.clone();
        Ok(Record {
            id,
            text,
            schema,
            gold: entities,
            answer,
            half_pairs,
            not_utf8,
            unanswered,
            answer_key,
        })
    }
}

/// Reads a line; where it is no JSON, without the numbers that Python alone has.
pub(super) fn in_json<T>(
    line: JsonLine<'_>,
    mut read: impl FnMut(JsonLine<'_>) -> Result<T, LineError>,
) -> Result<T, LineError> {
    match read(line) {
        Err(error) if matches!(error.kind(), LineErrorKind::NoObject(_)) => {
            match not_a_number::replaced(line.text) {
                Some(text) => read(JsonLine { text: &text, ..line }),
                None => Err(error),
            }
        }
        read => read,
    }
}

/// Text and types of an instruction; nothing of a text that is no JSON object.
pub(crate) fn instruction(raw: &str, cache: &mut SchemaCache) -> Result<Asked, ValueError> {
    if is_prose(raw) {
        return Ok((None, None));
    }
    let text = text_of(raw);
    if text.is_none() && raw.starts_with('"') {
        half_pair::refuse(raw)?;
    }
    let json = text.as_deref().unwrap_or(raw);
    let mut parsed = serde_json::from_str(json);
    let without_nan = if parsed.is_err() { not_a_number::replaced(json) } else { None };
    if let Some(json) = &without_nan {
        parsed = serde_json::from_str(json);
    }
    let Instruction { schema, input: text } = match parsed {
        Ok(instruction) => instruction,
        Err(error) if error.to_string().starts_with("duplicate field") => {
            return Err(LineErrorKind::InstructionTwice.into());
        }
        Err(_) => return Ok((None, None)),
    };
    // Their places are those of the string, if the instruction is one.
    let within = |error: ValueError| ValueError { at: 0, ..error };
    let schema = schema.map(|raw| self::schema(raw.get(), cache)).transpose().map_err(within)?;
    let text = text.map(|raw| input(raw.get())).transpose().map_err(within)?;
    Ok((text.flatten(), schema.flatten()))
}

/// Whether an instruction is a text that cannot be JSON.
pub(crate) fn is_prose(raw: &str) -> bool {
    let first = raw.strip_prefix('"').and_then(|inner| inner.bytes().next());
    first.is_some_and(|first| !matches!(first, b'{' | b'[' | b' ' | b'\\'))
}

fn input(raw: &str) -> Result<Option<String>, ValueError> {
    match text_of(raw) {
        Some(text) => Ok(Some(text.into_owned())),
        None if raw == "null" => Ok(None),
        None => {
            let text = parts(raw).map(Some);
            text.ok_or_else(|| half_pair::refuse(raw).err().unwrap_or(LineErrorKind::NoText.into()))
        }
    }
}

/// The types that were asked for.
pub(crate) fn schema(
    raw: &str,
    cache: &mut SchemaCache,
) -> Result<Option<Arc<[String]>>, ValueError> {
    if let Some((_, types)) = cache.as_ref().filter(|(written, _)| written == raw) {
        return Ok(Some(types.clone()));
    }
    let bad = || half_pair::refuse(raw).err().unwrap_or(LineErrorKind::NoTypes.into());
    let types: Arc<[String]> = match serde_json::from_str(raw).map_err(|_| bad())? {
        Value::Null => return Ok(None),
        Value::Array(types) => {
            let name = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(bad);
            types.iter().map(name).collect::<Result<_, _>>()?
        }
        Value::Object(types) => types.into_iter().map(|(name, _)| name).collect(),
        _ => return Err(bad()),
    };
    *cache = Some((raw.to_owned(), types.clone()));
    Ok(Some(types))
}

/// The text of an answer, and how many halves of surrogate pairs are U+FFFD in it.
fn said(raw: &str) -> (String, usize) {
    let of = |raw: &str| match text_of(raw) {
        Some(text) => Some(text.into_owned()),
        None if raw == "null" => Some(String::new()),
        None => parts(raw),
    };
    of(raw).map(|text| (text, 0)).unwrap_or_else(|| {
        let (replaced, half_pairs) = half_pair::replaced(raw);
        let text = if half_pairs > 0 { of(&replaced) } else { None };
        text.map_or_else(|| (raw.to_owned(), 0), |text| (text, half_pairs))
    })
}

/// The texts of content parts, `[{"type": "text", "text": …}, …]`, joined.
fn parts(raw: &str) -> Option<String> {
    let value: Value = not_a_number::parse(raw, |json| serde_json::from_str(json))?;
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
mod tests;
