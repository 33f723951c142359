//! [`RecordFormat`]: which fields of a line hold what.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use chunkeval_core::{Error, Result};

use crate::FieldPath;

/// Which fields of a line hold text, types, gold entities and answer.
///
/// Start from a [`Preset`] and name the fields that are elsewhere:
///
/// ```
/// use chunkeval_llm::{Preset, RecordFormat};
///
/// let format = RecordFormat::from(Preset::Instruction).answer("response.text".parse()?);
/// let sharegpt = RecordFormat::from(Preset::Chat)
///     .answer("conversations[from=gpt].value".parse()?)
///     .text("conversations[from=human].value".parse()?);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// What the fields may hold:
///
/// | field | holds |
/// |---|---|
/// | gold | a list of `{entity, entity_type}`; type → list; a list of pairs; or a string with one of them, as JSON or as a Python literal |
/// | answer | the model's text; a list of content parts, whose texts are joined; other JSON counts as its own text; null, or none, is an empty answer; [half of a surrogate pair](crate::Record::half_pairs) is U+FFFD, and so are [bytes that are no UTF-8](crate::Record::not_utf8), which are an error elsewhere |
/// | text | a string; may be missing |
/// | types asked for | a list of strings, or an object whose keys they are; may be missing |
/// | instruction | a JSON text (or object) with the last two as `input` and `schema`; one that is no such text has neither |
/// | id | anything; may be missing |
///
/// Items of gold entities may have the names that answers use, too: the type as `entity_type`, `type`,
/// `label`, `category` or `tag`, the entity as `entity`, `text`, `name`, `word`, `span`, `mention` or
/// `value`. Where two of them are there that differ, an item is refused, but for `entity` with
/// `entity_type`, the published form, beside which all others are passed over. An item without an
/// entity may have `start` and `end` instead, in characters of the text, the end not included.
///
/// Of pairs either side may be the type: if one side has types that were asked for, it is that one;
/// else, if one side stands in the text, it is the other one. It is the same side in all pairs of a
/// line. Pairs that do not tell are refused, and so are those that contradict each other.
///
/// ```
/// use chunkeval_llm::{Preset, RecordReader};
///
/// let file = r#"{"text": "Ada in Rome", "gold": [["Ada", "PER"], ["Rome", "LOC"]], "prediction": "{}"}
/// {"text": "Ada in Rome", "gold": [{"start": 0, "end": 3, "label": "PER"}], "prediction": "{}"}
/// {"text": "Ada in Rome", "gold": [["PER", "LOC"]], "prediction": "{}"}"#;
/// let mut records = RecordReader::new(file.as_bytes(), "answers.jsonl", Preset::Plain);
/// assert_eq!(records.next().unwrap()?.gold.get("LOC"), ["Rome"]);
/// assert_eq!(records.next().unwrap()?.gold.get("PER"), ["Ada"]);
/// let error = records.next().unwrap().unwrap_err().to_string();
/// assert!(error.contains("which side of the pairs is the type cannot be told"));
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// A line in which such a field stands twice is refused, since either could be meant; so is a type
/// that stands twice among gold entities, a field in an item of them, and schema or
/// input in an instruction. Other fields are passed over; of equal keys deeper inside, and of those
/// of a Python dict, the last one counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct RecordFormat {
    pub(crate) id: FieldPath,
    pub(crate) prompt: Prompt,
    pub(crate) gold: FieldPath,
    pub(crate) answer: FieldPath,
    pub(crate) answer_key: Option<Arc<str>>,
}

/// Where the text and the types that were asked for stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prompt {
    Instruction(FieldPath),
    Fields { text: FieldPath, schema: FieldPath },
}

/// A usual form of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// `{instruction, label, output}`: the published form.
    #[default]
    Instruction,
    /// `{text, gold, prediction}`, and `schema` if there is one.
    Plain,
    /// `{messages, gold}`: the answer is the content of the last message of role `assistant`, the
    /// text that of the last one of role `user`.
    Chat,
    /// The same with the arguments of the first tool call of the last message of role `assistant`.
    ToolCall,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Instruction, Self::Plain, Self::Chat, Self::ToolCall];

    /// The name, `tool-call` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instruction => "instruction",
            Self::Plain => "plain",
            Self::Chat => "chat",
            Self::ToolCall => "tool-call",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `instruction`, `plain`, `chat` or `tool-call`.
impl FromStr for Preset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|preset| preset.name() == name);
        known.ok_or_else(|| {
            let reason = format!("{name:?} is not instruction, plain, chat or tool-call");
            Error::config("preset", reason)
        })
    }
}

impl From<Preset> for RecordFormat {
    fn from(preset: Preset) -> Self {
        let field = FieldPath::field;
        let last = |role: &str| field("messages").last_with("role", role);
        let fields = |text| Prompt::Fields { text, schema: field("schema") };
        let (prompt, gold, answer) = match preset {
            Preset::Instruction => {
                (Prompt::Instruction(field("instruction")), "label", field("output"))
            }
            Preset::Plain => (fields(field("text")), "gold", field("prediction")),
            Preset::Chat => {
                (fields(last("user").then("content")), "gold", last("assistant").then("content"))
            }
            Preset::ToolCall => {
                let call = last("assistant").then("tool_calls").item(0).then("function");
                (fields(last("user").then("content")), "gold", call.then("arguments"))
            }
        };
        Self { id: field("id"), prompt, gold: field(gold), answer, answer_key: None }
    }
}

/// [`Preset::Instruction`].
impl Default for RecordFormat {
    fn default() -> Self {
        Preset::Instruction.into()
    }
}

impl RecordFormat {
    /// Where the gold entities are.
    pub fn gold(self, gold: FieldPath) -> Self {
        Self { gold, ..self }
    }

    /// Where the answer is.
    pub fn answer(self, answer: FieldPath) -> Self {
        Self { answer, ..self }
    }

    /// The key of the answer that the entities stand under, if they are not the whole answer, as where
    /// a model was asked for its reasons, too. What else the answer says is passed over; what would be no
    /// answer by itself is none under the key. Read
    /// leniently, an answer without the key is taken as a whole; read strictly it is of wrong shape,
    /// as Python's `eval(output)["entities"]` would fail.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, Preset, RecordFormat, RecordReader};
    ///
    /// let file = r#"{"gold": {"PER": ["Ada"]}, "prediction": {
    ///     "reasoning": "A name.", "entities": [{"type": "PER", "text": "Ada"}], "count": 1
    /// }}"#.replace('\n', " ");
    /// let read = |format: RecordFormat| {
    ///     let mut records = RecordReader::new(file.as_bytes(), "answers.jsonl", format);
    ///     records.next().unwrap().map(|record| AnswerReading::Lenient.read_record(&record).entities)
    /// };
    /// let format = RecordFormat::from(Preset::Plain);
    /// let types: Vec<String> = read(format.clone())?.types().map(str::to_owned).collect();
    /// assert_eq!(types, ["reasoning", "entities", "count"]);
    /// let entities = read(format.answer_key("entities"))?;
    /// assert_eq!((entities.get("PER"), entities.len()), (&["Ada".to_owned()][..], 1));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn answer_key(self, key: impl Into<Arc<str>>) -> Self {
        Self { answer_key: Some(key.into()), ..self }
    }

    /// Where the id is; `id` if not said.
    pub fn id(self, id: FieldPath) -> Self {
        Self { id, ..self }
    }

    /// Where the instruction is, which holds text and types.
    pub fn instruction(self, instruction: FieldPath) -> Self {
        Self { prompt: Prompt::Instruction(instruction), ..self }
    }

    /// Where the text is, which is then not taken from an instruction; the types neither.
    pub fn text(self, text: FieldPath) -> Self {
        let schema = match self.prompt {
            Prompt::Fields { schema, .. } => schema,
            Prompt::Instruction(_) => FieldPath::field("schema"),
        };
        Self { prompt: Prompt::Fields { text, schema }, ..self }
    }

    /// Where the types that were asked for are, which are then not taken from an instruction; the
    /// text neither.
    pub fn schema(self, schema: FieldPath) -> Self {
        let text = match self.prompt {
            Prompt::Fields { text, .. } => text,
            Prompt::Instruction(_) => FieldPath::field("text"),
        };
        Self { prompt: Prompt::Fields { text, schema }, ..self }
    }

    /// Where the gold entities are.
    #[must_use]
    pub fn gold_path(&self) -> &FieldPath {
        &self.gold
    }

    /// Where the answer is.
    #[must_use]
    pub fn answer_path(&self) -> &FieldPath {
        &self.answer
    }

    /// The fields that are read, in the order in which a parser keeps them.
    pub(crate) fn paths(&self) -> [&FieldPath; 5] {
        let [first, second] = match &self.prompt {
            Prompt::Instruction(path) => [path, path],
            Prompt::Fields { text, schema } => [text, schema],
        };
        [&self.id, first, second, &self.gold, &self.answer]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_paths_that_can_be_written() {
        let paths = |preset: Preset| {
            RecordFormat::from(preset).paths().map(|path| {
                assert_eq!(path.to_string().parse::<FieldPath>().unwrap(), *path);
                path.to_string()
            })
        };
        let call = "messages[role=assistant].tool_calls[0].function.arguments";
        let user = "messages[role=user].content";
        assert_eq!(paths(Preset::ToolCall), ["id", user, "schema", "gold", call]);
        assert_eq!(
            paths(Preset::Instruction),
            ["id", "instruction", "instruction", "label", "output"]
        );
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().parse::<Preset>().unwrap(), preset);
        }
        assert!("Plain".parse::<Preset>().is_err());
    }
}
