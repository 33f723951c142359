//! Which tables are printed of each reading.

use chunkeval_llm::Treatment;
use serde::{Deserialize, Serialize};

use super::args::OnUnreadable;

/// The tables that are printed of each reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    pub(super) on_unreadable: OnUnreadable,
    /// The one over the types that each line asked for, too.
    pub(super) schema_types: bool,
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

    /// What they are of; the last one is the one that counts.
    pub(crate) fn treatments(self) -> Vec<Treatment> {
        let schema = self.schema_types.then_some(Treatment::SchemaTypesOnly);
        let others = match self.on_unreadable {
            OnUnreadable::Skip => [schema, None, Some(Treatment::Skip)],
            OnUnreadable::Count => [schema, None, Some(Treatment::CountAsEmpty)],
            OnUnreadable::Both => [schema, Some(Treatment::Skip), Some(Treatment::CountAsEmpty)],
        };
        others.into_iter().flatten().collect()
    }
}
