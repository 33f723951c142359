//! How an answer is read.

use std::fmt;
use std::str::FromStr;

use chunkeval_core::Error;
use serde::{Deserialize, Serialize};

use crate::{Answer, AnswerStatus, Fault, FaultKind, lenient, strict};

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
        if text.len() > Self::MOST_BYTES {
            let kind = FaultKind::TooLong { limit: Self::MOST_BYTES };
            let fault = Fault::new(kind, Self::MOST_BYTES);
            return Answer::unreadable(AnswerStatus::Unparsable, fault);
        }
        match self {
            Self::Strict => strict::read(text),
            Self::Lenient => lenient::read(text),
        }
    }
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
