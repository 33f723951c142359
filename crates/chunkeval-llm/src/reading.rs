//! How an answer is read.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use chunkeval_core::Error;
use serde::{Deserialize, Serialize};

use crate::lenient::is_space;
use crate::{
    Answer, AnswerStatus, Entities, Fault, FaultKind, Record, Repair, RepairKind, lenient, strict,
};

/// How an answer is read.
///
/// ```
/// use chunkeval_llm::{AnswerReading, AnswerStatus};
///
/// let answer = AnswerReading::Strict.read("{'LOC': ['美', '台']}");
/// assert_eq!(answer.status, AnswerStatus::Clean);
/// assert_eq!(answer.entities.get("LOC"), ["美", "台"]);
///
/// let answer = AnswerReading::Lenient.read("The places: {LOC：[“美”，“台”]}");
/// assert_eq!(answer.status, AnswerStatus::Repaired);
/// assert_eq!(answer.entities.get("LOC"), ["美", "台"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerReading {
    /// As the published loop: what Python 3.11's literal evaluation accepts, of every value a set.
    /// A string becomes a set of characters, the last of two equal keys wins, `null` is an error.
    Strict,
    /// What the answer most likely means, with every repair counted: see the page of the crate.
    #[default]
    Lenient,
}

impl AnswerReading {
    /// Both readings.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Lenient];

    /// The most bytes of an answer that are read: 16 MiB.
    pub const MOST_BYTES: usize = 16 << 20;

    /// The name in reports and signatures: `strict` or `lenient`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lenient => "lenient",
        }
    }

    /// Reads an answer. Any text has an [`Answer`]; nothing in it is ever executed.
    #[must_use]
    pub fn read(self, text: &str) -> Answer {
        self.read_under(text, None)
    }

    /// The same of what stands under a key of it.
    fn read_under(self, text: &str, key: Option<&str>) -> Answer {
        if text.len() > Self::MOST_BYTES {
            let kind = FaultKind::TooLong { limit: Self::MOST_BYTES };
            let fault = Fault::new(kind, Self::MOST_BYTES);
            return Answer::unreadable(AnswerStatus::Unparsable, fault);
        }
        match self {
            Self::Strict => strict::read(text, key),
            Self::Lenient => lenient::read(text, key),
        }
    }

    /// Reads the answer of a record. One that has [half of a surrogate pair](Record::half_pairs) in
    /// its file, or [bytes that are no UTF-8](Record::not_utf8), is no text that Python would evaluate;
    /// read leniently, U+FFFD stands for them, which is a repair.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, AnswerStatus, Preset, RecordReader};
    ///
    /// let file = r#"{"gold": {}, "prediction": "{'X': ['\ud83d']}"}"#;
    /// let mut records = RecordReader::new(file.as_bytes(), "answers.jsonl", Preset::Plain);
    /// let record = records.next().unwrap()?;
    /// let answer = AnswerReading::Lenient.read_record(&record);
    /// assert_eq!(answer.status, AnswerStatus::Repaired);
    /// assert_eq!(answer.entities.get("X"), ["\u{fffd}"]);
    /// let fault = AnswerReading::Strict.read_record(&record).fault.unwrap();
    /// assert_eq!(fault.to_string(), "byte 8: half of a surrogate pair, which Python refuses");
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn read_record(self, record: &Record) -> Answer {
        let answer = self.read_under(&record.answer, record.answer_key.as_deref());
        let repairs =
            [(RepairKind::Escape, record.half_pairs), (RepairKind::NotUtf8, record.not_utf8)];
        if repairs.iter().all(|(_, count)| *count == 0) {
            return answer;
        }
        let offset = record.answer.find(char::REPLACEMENT_CHARACTER).unwrap_or_default();
        match self {
            Self::Strict => {
                let kind = match record.not_utf8 {
                    0 => FaultKind::HalfPair,
                    _ => FaultKind::NotUtf8,
                };
                Answer::unreadable(AnswerStatus::Unparsable, Fault::new(kind, offset))
            }
            Self::Lenient => {
                let needed = repairs.into_iter().filter(|(_, count)| *count > 0);
                needed.fold(answer, |answer, (kind, count)| {
                    answer.repaired(Repair { kind, count, offset })
                })
            }
        }
    }

    /// A record as this reading takes it, so that gold entities and those of the answer are treated
    /// alike: read leniently, types and entities lose their outer space, and blank ones are left out.
    /// Read strictly it is what it is, as published.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, Record};
    ///
    /// let gold = [("LOC", " Rome"), ("LOC", " "), ("PER", "")];
    /// let record = Record::new(gold.into_iter().collect(), r#"{"LOC": [" Rome"]}"#);
    /// let lenient = AnswerReading::Lenient.record(&record);
    /// assert_eq!(lenient.gold.get("LOC"), ["Rome"]);
    /// assert!(lenient.gold.has_type("PER") && lenient.gold.len() == 1);
    /// assert_eq!(*AnswerReading::Strict.record(&record), record);
    /// ```
    #[must_use]
    pub fn record(self, record: &Record) -> Cow<'_, Record> {
        let schema = record.schema.iter().flat_map(|types| types.iter());
        let lists = record.gold.iter().flat_map(|(_, list)| list);
        let trimmed = |text: &str| trim(text).len() == text.len();
        if self == Self::Strict
            || record.gold.types().chain(schema.map(String::as_str)).all(trimmed)
                && lists.into_iter().all(|entity| trimmed(entity) && !entity.is_empty())
                && !record.gold.has_type("")
        {
            return Cow::Borrowed(record);
        }
        let mut gold = Entities::default();
        for (entity_type, list) in record.gold.iter() {
            let entity_type = trim(entity_type);
            if entity_type.is_empty() {
                continue;
            }
            gold.declare(entity_type);
            for entity in list.iter().map(|entity| trim(entity)).filter(|e| !e.is_empty()) {
                gold.push(entity_type, entity);
            }
        }
        let types =
            |types: &Arc<[String]>| types.iter().map(|name| trim(name).to_owned()).collect();
        let schema = record.schema.as_ref().map(types);
        Cow::Owned(Record { gold, schema, ..record.clone() })
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

impl fmt::Display for AnswerReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `strict` or `lenient`.
impl FromStr for AnswerReading {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|reading| reading.name() == name);
        known.ok_or_else(|| Error::config("reading", format!("{name:?} is not strict or lenient")))
    }
}
