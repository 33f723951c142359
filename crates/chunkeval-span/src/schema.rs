//! The four schemas, and what one of them says about a pair of spans.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::matching::Piece;

/// How a predicted span that is held against a gold one is judged (the schemas of SemEval-2013
/// task 9, under nervaluate's names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schema {
    /// Correct if offsets and type are equal, else incorrect.
    Strict,
    /// Correct if the offsets are equal, whatever the type, else incorrect.
    Exact,
    /// Correct if the offsets are equal, whatever the type, else partial: worth a half.
    Partial,
    /// Correct if the types are equal, whatever the offsets, else incorrect.
    EntType,
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Correct,
    Incorrect,
    Partial,
}

impl Schema {
    /// All four, in the order of reports.
    pub const ALL: [Self; 4] = [Self::Strict, Self::Exact, Self::Partial, Self::EntType];

    /// `strict`, `exact`, `partial` or `ent_type`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Exact => "exact",
            Self::Partial => "partial",
            Self::EntType => "ent_type",
        }
    }

    pub(crate) fn judge(self, gold: &Piece, predicted: &Piece) -> Verdict {
        let (right, wrong) = match self {
            Self::Strict => (gold.equals(predicted), Verdict::Incorrect),
            Self::Exact => (gold.covers_the_same(predicted), Verdict::Incorrect),
            Self::Partial => (gold.covers_the_same(predicted), Verdict::Partial),
            Self::EntType => (gold.kind == predicted.kind, Verdict::Incorrect),
        };
        if right { Verdict::Correct } else { wrong }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value for each [`Schema`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerSchema<T> {
    /// For [`Schema::Strict`].
    pub strict: T,
    /// For [`Schema::Exact`].
    pub exact: T,
    /// For [`Schema::Partial`].
    pub partial: T,
    /// For [`Schema::EntType`].
    pub ent_type: T,
}

impl<T> PerSchema<T> {
    /// The value for a schema.
    #[must_use]
    pub fn get(&self, schema: Schema) -> &T {
        match schema {
            Schema::Strict => &self.strict,
            Schema::Exact => &self.exact,
            Schema::Partial => &self.partial,
            Schema::EntType => &self.ent_type,
        }
    }

    pub(crate) fn get_mut(&mut self, schema: Schema) -> &mut T {
        match schema {
            Schema::Strict => &mut self.strict,
            Schema::Exact => &mut self.exact,
            Schema::Partial => &mut self.partial,
            Schema::EntType => &mut self.ent_type,
        }
    }

    /// Schemas and values, in the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = (Schema, &T)> {
        Schema::ALL.into_iter().map(|schema| (schema, self.get(schema)))
    }

    pub(crate) fn map<U>(&self, each: impl Fn(&T) -> U) -> PerSchema<U> {
        PerSchema {
            strict: each(&self.strict),
            exact: each(&self.exact),
            partial: each(&self.partial),
            ent_type: each(&self.ent_type),
        }
    }
}
