//! Entities extracted by language models: what their answers say and how they had to be read.
//!
//! For those who prompted or fine-tuned a model for entity extraction and have its answers as text.
//! Any text gives an [`Answer`]; nothing in it is ever executed.
//!
//! ```
//! use chunkeval_llm::{AnswerReading, Entities};
//!
//! let label = "[{'entity': '美', 'entity_type': 'LOC'}, {'entity': '台', 'entity_type': 'LOC'}]";
//! let gold = Entities::from_label(label)?;
//! let answer = AnswerReading::Lenient.read("识别结果：{LOC：[“美”，“台”]}");
//! assert_eq!(answer.entities, gold);
//! assert_eq!(answer.entities.get("LOC"), ["美", "台"]);
//! # Ok::<(), chunkeval_llm::LabelError>(())
//! ```
//!
//! A file of answers becomes precision, recall and F1:
//!
//! ```
//! use chunkeval_core::Metric;
//! use chunkeval_llm::{AnswerReading, ExtractionEvaluator, Preset, RecordBatch, RecordReader};
//!
//! let file = r#"{"text": "Ada in Rome", "gold": {"PER": ["Ada"], "LOC": ["Rome"]}, "prediction": "{'PER': ['Ada']}"}
//! {"text": "Bo in Bonn", "gold": {"PER": ["Bo"], "LOC": ["Bonn"]}, "prediction": "I am not sure."}"#;
//!
//! let mut metric = ExtractionEvaluator::new();
//! for record in RecordReader::new(file.as_bytes(), "answers.jsonl", Preset::Plain) {
//!     metric.update(RecordBatch::new(&[record?]))?;
//! }
//! let report = metric.accumulate();
//! let strict = report.get(AnswerReading::Strict).unwrap();
//! assert_eq!(strict.answers.unreadable(), 1);
//! assert_eq!(strict.skip.overall.recall, 0.5); // as published: of the answers that could be read
//! assert_eq!(strict.count_as_empty.overall.recall, 0.25); // of all answers
//! # Ok::<(), chunkeval_core::Error>(())
//! ```
//!
//! | to | look at |
//! |---|---|
//! | score answers | [`ExtractionEvaluator`], its [`ExtractionReport`] with an [`ExtractionScores`] for each [`Treatment`] |
//! | choose when an entity is right | [`Matching`], [`Normalisation`] |
//! | score large files fast | [`LineEvaluator`] |
//! | read files of answers | [`RecordReader`], [`RecordFormat`], [`Preset`], [`FieldPath`]; [`JsonLines`] |
//! | see what is wrong with answers | [`HealthKind`], [`SchemaCounts`], [`MentionCounts`] |
//! | find mentions in their text, make spans of them | [`ground`], [`MentionSpans`] |
//! | see what is right, missed, spurious or almost right | [`ExtractionEvaluator::pairs`], [`near_matches`] |
//! | find intervals, compare two systems | [`ExtractionRows`] |
//! | add `extra_label` to the lines of a file | [`extra_label_line`] |
//! | read an answer | [`AnswerReading`] |
//! | know what an answer says | [`Answer`], its [`AnswerStatus`] |
//! | know how it had to be read | [`Repair`], [`Malformed`], [`Unmatchable`], [`Fault`] |
//! | hold entities by type, convert a label | [`Entities`], [`LabelError`] |
//! | know why a line cannot be used | [`LineError`], [`LineErrorKind`] |
//!
//! # How an answer is read
//!
//! **Strictly**, as the published loop reads it: Python's literal evaluation, then `set(value)` for
//! each type. Whatever is not Python is [unparsable](AnswerStatus::Unparsable), `null` included;
//! what is Python but no dictionary of collections is of [wrong shape](AnswerStatus::WrongShape).
//! Its quirks: a string becomes a set of characters, the last of two equal keys wins, and a number
//! counts as predicted but never equals a text ([`Unmatchable`]). `\N{…}` in a string is not
//! supported and is a fault.
//!
//! ```
//! use chunkeval_llm::{AnswerReading, AnswerStatus};
//!
//! let read = |text| AnswerReading::Strict.read(text);
//! assert_eq!(read("{'LOC': ['Rome', 'Bonn']}").status, AnswerStatus::Clean);
//! assert_eq!(read("{'LOC': 'Rome'}").entities.get("LOC"), ["R", "o", "m", "e"]);
//! assert_eq!(read("{'YEAR': [2008]}").unmatchable[0].shown, "2008");
//! assert_eq!(read("{}").status, AnswerStatus::Empty);
//! assert_eq!(read("['Rome']").status, AnswerStatus::WrongShape);
//!
//! let answer = read(r#"{"LOC": ["Rome"], "PER": null}"#);
//! assert_eq!(answer.status, AnswerStatus::Unparsable);
//! let fault = answer.fault.unwrap();
//! assert_eq!(fault.to_string(), "byte 25: null (Python's is None) is no literal");
//! ```
//!
//! **Leniently**, by what it most likely means, in this order:
//!
//! 1. `<think>` (and `<thinking>`) blocks are dropped, wherever they stand and an unclosed one to the
//!    end; so is all before a `</think>` that was opened in the prompt, and outer space. A lone `null`
//!    is an empty answer; a string that holds the answer is opened once.
//! 2. `{…}` and `[…]` are looked for in code fences first, then everywhere. The first that is an
//!    answer and names a type wins; else an empty one; else a text that begins with a quote is read
//!    as an object without its first brace.
//! 3. Neighbours with only space or commas between them are one answer.
//! 4. Brackets `{}`, `[]`, `()`, separators `,` `、` `;` or none, colons `:` `=`, all of them
//!    full-width, too; comments; separators doubled or at the end. A wrong bracket closes a list, and
//!    so does a key in it; one too many is passed over.
//! 5. Quotes `"` `'` `“”` `‘’` `＂` `＇`; one ends a string only before a separator, colon, closing
//!    bracket, comment, quote or the end. Where the string would take the next key with it, a comma or
//!    quote is missing (`["New York" Bonn], "PER": …`, `["Bonn], "PER": …`), and it ends before that.
//!    Escapes of JSON and Python. What the end of the text cuts off is dropped.
//! 6. A value: `null` is no entity; a string or number is one, as it is written; lists are flattened;
//!    of an object its `entity`, `text`, `name`, `word`, `span`, `mention` or `value`.
//! 7. An answer: types with values; a list of entity objects with `entity_type`, `type`, `label`,
//!    `category` or `tag`, whose entity must be a text; a list of such; any of them under a lone
//!    `entities`, `output`, `result` or `answer`.
//! 8. Types and entities are trimmed, empty ones dropped, equal types joined; gold ones, too
//!    ([`AnswerReading::record`]).
//!
//! Every repair is counted with its first place, every item that gave no entity is listed. Brackets
//! nested deeper than 64, and more than 65,536 keys and values, are not read. The time is linear in
//! the length of the text.
//!
//! ```
//! use chunkeval_llm::{AnswerReading, AnswerStatus, MalformedKind, RepairKind};
//!
//! let read = |text| AnswerReading::Lenient.read(text);
//! assert_eq!(read(r#"{"LOC": ["Rome"], "PER": []}"#).status, AnswerStatus::Clean);
//! assert_eq!(read("null").status, AnswerStatus::Empty);
//! assert_eq!(read("Sorry, I cannot do that.").status, AnswerStatus::Unparsable);
//! assert_eq!(read(r#"["Rome"]"#).status, AnswerStatus::WrongShape);
//!
//! // A fence, single quotes, a missing comma; then the limit of tokens.
//! let answer = read("```json\n{'LOC': ['Rome' 'Bonn'], 'PER': ['A");
//! assert_eq!(answer.status, AnswerStatus::Repaired);
//! assert_eq!(answer.entities.get("LOC"), ["Rome", "Bonn"]);
//! assert!(answer.is_truncated());
//! let kinds: Vec<RepairKind> = answer.repairs.iter().map(|repair| repair.kind).collect();
//! let expected = [
//!     RepairKind::Fence,
//!     RepairKind::Truncated,
//!     RepairKind::Separator,
//!     RepairKind::Quotes,
//! ];
//! assert_eq!(kinds, expected);
//!
//! // An item without a type among good ones.
//! let answer = read(r#"{"entities": [{"type": "LOC", "text": "Rome"}, {"text": "Ann"}]}"#);
//! assert_eq!(answer.status, AnswerStatus::Clean);
//! assert_eq!(answer.malformed[0].kind, MalformedKind::NoType);
//! assert_eq!(answer.malformed[0].shown, r#"{"text": "Ann"}"#);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod asked;
mod compare;
mod cursor;
mod entities;
mod escape;
mod evaluator;
mod fault;
mod grounding;
mod health;
mod label;
mod lenient;
mod line_evaluator;
mod matching;
mod near;
mod normalisation;
mod overlap;
mod pairs;
mod reading;
mod record;
mod repair;
mod report;
mod rows;
mod scores;
mod spans;
mod state;
mod strict;
#[cfg(test)]
mod tests;
mod treatment;
mod usual;

pub use answer::{Answer, AnswerStatus, Malformed, MalformedKind, Unmatchable, UnmatchableKind};
pub use entities::Entities;
pub use evaluator::{ExtractionEvaluator, ExtractionEvaluatorBuilder};
pub use fault::{Fault, FaultKind};
pub use grounding::{Grounding, Location, ground};
pub use health::{Health, HealthKind, RecordId};
pub use label::LabelError;
pub use line_evaluator::LineEvaluator;
pub use matching::Matching;
pub use near::{NearMatch, near_matches};
pub use normalisation::{Fold, Normalisation};
pub use pairs::{EntityPair, PairKind};
pub use reading::AnswerReading;
pub use record::{
    Extraction, FieldPath, JsonLine, JsonLines, LineError, LineErrorKind, Preset, Record,
    RecordBatch, RecordFormat, RecordParser, RecordReader, extra_label_line, without_nan,
};
pub use repair::{Repair, RepairCounts, RepairKind};
pub use report::{ExtractionReport, ReadingReport};
pub use rows::ExtractionRows;
pub use scores::{ExtractionScores, ExtractionTypeScores, MacroScores};
pub use spans::MentionSpans;
pub use state::{AnswerCounts, ExtractionState, MentionCounts, RecordCounts, SchemaCounts};
pub use treatment::Treatment;
