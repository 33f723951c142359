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

/// Defines [`RepairKind`]; what is said of a kind in a report is its documentation, too.
macro_rules! kinds {
    ($($(#[$more:meta])* $kind:ident $name:literal $description:literal)*) => {
        /// The ways in which answers differ from JSON and can be read all the same.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum RepairKind {
            $(#[doc = concat!($description, ".")] $(#[$more])* $kind,)*
        }

        impl RepairKind {
            /// All kinds, in the order of reports.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// The name in reports: `thought`, `fence`, …
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// What was wrong, in a few words.
            ///
            /// ```
            /// let kind = chunkeval_llm::RepairKind::Colon;
            /// assert_eq!(kind.description(), "not one colon after a key");
            /// ```
            #[must_use]
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$kind => $description,)*
                }
            }
        }
    };
}

kinds! {
    Thought "thought" "a block of thoughts was dropped"
    Fence "fence" "the answer stood in a code fence"
    Surroundings "surroundings" "text around the answer was passed over"
    OpenedString "opened_string" "the answer stood in a string"
    Joined "joined" "objects or lists side by side were joined"
    MissingBrace "missing_brace" "the first brace was missing"
    /// Often in the middle of a word.
    Truncated "truncated" "the answer ends before its last bracket"
    /// `()`, full-width ones, a set in braces.
    Bracket "bracket" "brackets other than {} and []"
    Closer "closer" "a closing bracket of another kind, or one too many"
    KeyInList "key_in_list" "a key in a list, which it closes"
    Separator "separator" "not one comma between two items"
    Colon "colon" "not one colon after a key"
    Unpaired "unpaired" "a key without a value, or a value without a key: left out"
    Comment "comment" "a comment"
    /// A letter before them as in Python counts, too.
    Quotes "quotes" "quotes other than \""
    Unescaped "unescaped" "a quote or control character without its backslash"
    Escape "escape" "an escape that JSON does not have, or half of a surrogate pair"
    NotUtf8 "not_utf8" "bytes that are no UTF-8, as of half a character"
    /// `None`, `True` and `False` among them.
    BareWord "bare_word" "a word without quotes"
    Trimmed "trimmed" "space around a type or entity"
    EqualKeys "equal_keys" "a type twice: its lists were joined"
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
