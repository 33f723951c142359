//! [`Record`]: a text, what is in it, and what a model says is in it.

mod error;
mod extra_label;
mod fields;
mod format;
mod gold;
mod half_pair;
mod item;
mod lines;
mod node;
mod not_a_number;
mod path;
mod reader;
mod sides;

use std::ops::Range;
use std::sync::Arc;

use chunkeval_core::{Batch, Task};

pub use error::{LineError, LineErrorKind};
pub use extra_label::extra_label_line;
pub use format::{Preset, RecordFormat};
pub use lines::{JsonLine, JsonLines};
pub use not_a_number::without_nan;
pub use path::FieldPath;
pub use reader::{RecordParser, RecordReader};

pub(crate) use fields::text_of;
pub(crate) use format::Prompt;
pub(crate) use item::Item;
pub(crate) use node::Node;
pub(crate) use not_a_number::parse as parse_json;
pub(crate) use reader::{Instruction, SchemaCache, id_name, instruction, is_prose, schema};

use crate::{Entities, RecordId};

/// One line of a file of answers.
///
/// ```
/// use chunkeval_llm::{Entities, Record};
///
/// let gold: Entities = [("LOC", "美"), ("LOC", "台")].into_iter().collect();
/// let record = Record::new(gold, "{'LOC': ['美', '台']}").schema(["LOC"]).text("美台关系");
/// assert_eq!(record.schema.as_deref().unwrap(), ["LOC"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Where it stands; line 0, if it was made by hand and nothing was said.
    pub id: RecordId,
    /// The text that entities are taken from.
    pub text: Option<String>,
    /// The types that were asked for.
    pub schema: Option<Arc<[String]>>,
    /// The entities that are in it.
    pub gold: Entities,
    /// What the model said, as it said it; see [`half_pairs`](Self::half_pairs) and
    /// [`not_utf8`](Self::not_utf8).
    pub answer: String,
    /// How many halves of surrogate pairs the answer has in its file, as where an emoji was cut in
    /// two. No text can hold them: U+FFFD stands for each. [`AnswerReading::read_record`] takes them
    /// for what they are.
    ///
    /// [`AnswerReading::read_record`]: crate::AnswerReading::read_record
    pub half_pairs: usize,
    /// How many parts of the answer are no UTF-8 in its file, as where a character was cut in two
    /// bytes: U+FFFD stands for each. [`AnswerReading::read_record`] takes them for what they are.
    ///
    /// [`AnswerReading::read_record`]: crate::AnswerReading::read_record
    pub not_utf8: usize,
    /// Whether the line lacks the field of the answer, which is empty then and cannot be read.
    pub unanswered: bool,
    /// The key of the answer that the entities stand under, beside others; see
    /// [`RecordFormat::answer_key`].
    pub answer_key: Option<Arc<str>>,
}

impl Record {
    /// A record without text and schema.
    #[must_use]
    pub fn new(gold: Entities, answer: impl Into<String>) -> Self {
        Self { gold, answer: answer.into(), ..Self::default() }
    }

    /// With the text that entities are taken from.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// With the types that were asked for.
    #[must_use]
    pub fn schema<S: Into<String>>(self, types: impl IntoIterator<Item = S>) -> Self {
        Self { schema: Some(types.into_iter().map(Into::into).collect()), ..self }
    }

    /// With the key of the answer that the entities stand under; see [`RecordFormat::answer_key`].
    #[must_use]
    pub fn answer_key(self, key: impl Into<Arc<str>>) -> Self {
        Self { answer_key: Some(key.into()), ..self }
    }

    /// With the number of its line, and an id if it has one.
    #[must_use]
    pub fn at(self, line: u64, id: Option<&str>) -> Self {
        Self { id: RecordId { line, id: id.map(str::to_owned), file: None }, ..self }
    }
}

/// The task of taking entities from texts. Its batch is a [`RecordBatch`].
#[derive(Debug)]
pub enum Extraction {}

impl Task for Extraction {
    type Batch<'a> = RecordBatch<'a>;
    type Buffer = Vec<Record>;
}

/// Records, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct RecordBatch<'a>(&'a [Record]);

impl<'a> RecordBatch<'a> {
    /// These records.
    #[must_use]
    pub fn new(records: &'a [Record]) -> Self {
        Self(records)
    }

    /// The records.
    #[must_use]
    pub fn records(self) -> &'a [Record] {
        self.0
    }
}

impl Batch for RecordBatch<'_> {
    fn len(self) -> usize {
        self.0.len()
    }

    /// Bytes of answers and texts.
    fn cost(self) -> usize {
        let bytes = |r: &Record| r.answer.len() + r.text.as_ref().map_or(0, String::len) + 64;
        self.0.iter().map(bytes).sum()
    }

    fn rows(self, rows: Range<usize>) -> Self {
        let end = rows.end.min(self.0.len());
        Self(self.0.get(rows.start.min(end)..end).unwrap_or_default())
    }
}
