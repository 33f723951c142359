//! Which tables are printed of each reading.

use chunkeval_llm::Treatment;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    /// What answers that cannot be read count as
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Scoring")]
    on_unreadable: OnUnreadable,
    /// The scores over the types that each line asked for, too: other types are free of charge
    #[arg(long, help_heading = "Scoring")]
    pub(super) schema_types: bool,
}

/// What answers that cannot be read count as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
enum OnUnreadable {
    /// Nothing: they are left out with their gold entities, as published
    Skip,
    /// Empty answers: their gold entities are missed
    Count,
    /// One beside the other
    #[default]
    Both,
}

impl Tables {
    /// In what two differ, by the names of the options.
    pub(crate) fn difference(self, other: Self) -> Option<String> {
        let how = |tables: Self| match tables.on_unreadable {
            OnUnreadable::Skip => "skip",
            OnUnreadable::Count => "count",
            OnUnreadable::Both => "both",
        };
        if self.on_unreadable != other.on_unreadable {
            return Some(format!("--on-unreadable {} and {}", how(self), how(other)));
        }
        let with = |tables: Self| if tables.schema_types { "with" } else { "without" };
        (self != other).then(|| format!("{} and {} --schema-types", with(self), with(other)))
    }

    /// What they are of, in their order: the last one over all types [counts](counts).
    pub(crate) fn treatments(self) -> Vec<Treatment> {
        let all: &[Treatment] = match self.on_unreadable {
            OnUnreadable::Skip => &[Treatment::Skip],
            OnUnreadable::Count => &[Treatment::CountAsEmpty],
            OnUnreadable::Both => &[Treatment::Skip, Treatment::CountAsEmpty],
        };
        let asked = all.iter().filter(|_| self.schema_types).map(|of| of.of_schema_types());
        all.iter().copied().chain(asked).collect()
    }
}

/// The table that counts among several of a reading.
pub(super) fn counts(treatments: &[Treatment]) -> Treatment {
    let over_all = treatments.iter().rfind(|&&of| of != of.of_schema_types());
    over_all.copied().unwrap_or(Treatment::CountAsEmpty)
}

/// The same tables with the one that counts first.
pub(crate) fn counts_first(treatments: &[Treatment]) -> Vec<Treatment> {
    let mut order: Vec<Treatment> = treatments.iter().rev().copied().collect();
    order.sort_by_key(|&of| of == of.of_schema_types());
    order
}
