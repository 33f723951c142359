//! [`Treatment`]: what becomes of answers that cannot be read, and which types count.

use std::fmt;
use std::str::FromStr;

use chunkeval_core::{Error, Protocol, Result};
use serde::{Deserialize, Serialize};

/// Over which answers and types a score is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Treatment {
    /// Answers that cannot be read are left out together with their gold entities, as in the
    /// published loop. This flatters recall: who answers only what is easy loses nothing.
    Skip,
    /// Answers that cannot be read count as empty ones: their gold entities are missed.
    CountAsEmpty,
    /// As `Skip`, over the types that each record asks for alone: entities of other types are free
    /// of charge.
    SchemaTypesOnly,
    /// As `CountAsEmpty`, over the types that each record asks for alone.
    SchemaTypesCountAsEmpty,
}

impl Treatment {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Skip, Self::CountAsEmpty, Self::SchemaTypesOnly, Self::SchemaTypesCountAsEmpty];

    /// The name, `count_as_empty` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::CountAsEmpty => "count_as_empty",
            Self::SchemaTypesOnly => "schema_types_only",
            Self::SchemaTypesCountAsEmpty => "schema_types_count_as_empty",
        }
    }

    /// Whether answers that cannot be read count as empty ones; they are left out otherwise.
    #[must_use]
    pub const fn counts_unreadable(self) -> bool {
        matches!(self, Self::CountAsEmpty | Self::SchemaTypesCountAsEmpty)
    }

    /// The same over the types that each record asks for alone.
    #[must_use]
    pub const fn of_schema_types(self) -> Self {
        if self.counts_unreadable() { Self::SchemaTypesCountAsEmpty } else { Self::SchemaTypesOnly }
    }

    /// The signature of what was counted in this way.
    pub(crate) fn sign(self, protocol: Protocol) -> Protocol {
        let (unreadable, types) = match self {
            Self::Skip => ("skip", "named"),
            Self::CountAsEmpty => ("empty", "named"),
            Self::SchemaTypesOnly => ("skip", "schema"),
            Self::SchemaTypesCountAsEmpty => ("empty", "schema"),
        };
        protocol.with("unreadable", unreadable).with("types", types)
    }
}

impl fmt::Display for Treatment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The names that are printed.
impl FromStr for Treatment {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|treatment| treatment.name() == name);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            let reason = format!("{name:?} is none of {names}");
            Error::config("treatment", reason)
        })
    }
}
