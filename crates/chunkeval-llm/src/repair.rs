//! What had to be repaired to read an answer.

use std::fmt;

use chunkeval_core::Result;
use serde::{Deserialize, Serialize};

use crate::state::{add, malformed};

/// A kind of repair, how often it was needed and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Repair {
    /// What was repaired.
    pub kind: RepairKind,
    /// How often.
    pub count: usize,
    /// The byte of the answer at which it was needed first.
    pub offset: usize,
}

/// How many answers had to be repaired in a way, and how often in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RepairCounts {
    /// Answers that needed it.
    pub answers: u64,
    /// How often in all of them.
    pub repairs: u64,
}

impl RepairCounts {
    /// One more answer, in which it was needed so often.
    pub(crate) fn note(&mut self, repairs: u64) {
        self.answers = self.answers.saturating_add(1);
        self.repairs = self.repairs.saturating_add(repairs);
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self> {
        let answers = add(self.answers, other.answers)?;
        Ok(Self { answers, repairs: add(self.repairs, other.repairs)? })
    }

    /// That it can have been counted among so many repaired answers.
    pub(crate) fn check(&self, repaired: u64) -> Result<()> {
        match (1..=repaired.min(self.repairs)).contains(&self.answers) {
            true => Ok(()),
            false => Err(malformed("more answers have a kind of repair than were repaired")),
        }
    }
}

/// The ways in which answers differ from JSON and can be read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RepairKind {
    /// A `<think>` block was dropped.
    Thought,
    /// The answer was looked for in a code fence.
    Fence,
    /// Text around the answer was passed over.
    Surroundings,
    /// The answer was written in a string, which was opened.
    OpenedString,
    /// Neighbouring objects or lists were taken for one answer.
    Joined,
    /// The brace before the first key was missing.
    MissingBrace,
    /// The answer ends before its last bracket, often in the middle of a word.
    Truncated,
    /// Brackets other than `{}` and `[]`: `()`, full-width ones, a set in braces.
    Bracket,
    /// A closing bracket of another kind, or one too many.
    Closer,
    /// A key in the middle of a list, which it closes.
    KeyInList,
    /// Something else than one comma between two items.
    Separator,
    /// Something else than one colon after a key.
    Colon,
    /// A key without a value, or a value without a key: left out.
    Unpaired,
    /// A comment.
    Comment,
    /// Quotes other than `"`, or a letter before them as in Python.
    Quotes,
    /// A quote or control character that should have been escaped.
    Unescaped,
    /// An escape that JSON does not have, or half of a surrogate pair.
    Escape,
    /// A word without quotes, `None`, `True` and `False` among them.
    BareWord,
    /// A type or entity with outer space, which was cut.
    Trimmed,
    /// A type that was written twice: its lists were joined.
    EqualKeys,
}

impl RepairKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 20] = [
        Self::Thought,
        Self::Fence,
        Self::Surroundings,
        Self::OpenedString,
        Self::Joined,
        Self::MissingBrace,
        Self::Truncated,
        Self::Bracket,
        Self::Closer,
        Self::KeyInList,
        Self::Separator,
        Self::Colon,
        Self::Unpaired,
        Self::Comment,
        Self::Quotes,
        Self::Unescaped,
        Self::Escape,
        Self::BareWord,
        Self::Trimmed,
        Self::EqualKeys,
    ];

    /// The name in reports: `thought`, `fence`, …
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Thought => "thought",
            Self::Fence => "fence",
            Self::Surroundings => "surroundings",
            Self::OpenedString => "opened_string",
            Self::Joined => "joined",
            Self::MissingBrace => "missing_brace",
            Self::Truncated => "truncated",
            Self::Bracket => "bracket",
            Self::Closer => "closer",
            Self::KeyInList => "key_in_list",
            Self::Separator => "separator",
            Self::Colon => "colon",
            Self::Unpaired => "unpaired",
            Self::Comment => "comment",
            Self::Quotes => "quotes",
            Self::Unescaped => "unescaped",
            Self::Escape => "escape",
            Self::BareWord => "bare_word",
            Self::Trimmed => "trimmed",
            Self::EqualKeys => "equal_keys",
        }
    }
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
