//! The value of [`ChunkErrors`](crate::ChunkErrors).

use std::fmt;

use serde::Serialize;

use super::confusion_matrix::{ConfusionMatrix, Pairs};
use super::error_state::{ChunkErrorState, Sides};
use super::kind::ChunkErrorKind;
use crate::{Diagnostics, Protocol, Scalars, TagSet, visible_name};

/// Which errors were made, in total, by type, and between which types.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChunkErrorReport {
    /// What became of the gold chunks.
    pub gold: ErrorCounts,
    /// What became of the predicted chunks. All but `unmatched` are the same as for `gold`.
    pub predicted: ErrorCounts,
    /// The same for every entity type of the label list, sorted by code point.
    pub per_type: Vec<TypeErrors>,
    /// The pairs of types that were confused, sorted by gold and predicted type.
    pub confusions: Vec<TypeConfusion>,
    /// What was left out or read as something else.
    pub diagnostics: Diagnostics,
    /// How the report was made; printed, its signature.
    pub protocol: Protocol,
}

/// What became of the chunks of one side, each of them counted once; see [`ChunkErrorKind`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ErrorCounts {
    /// The same type and span on the other side.
    pub correct: u64,
    /// The same span, another type.
    pub type_error: u64,
    /// The same type; the predicted chunk holds the gold one and more.
    pub too_long: u64,
    /// The same type; the predicted chunk is a part of the gold one.
    pub too_short: u64,
    /// The same type; each chunk has tokens that the other lacks.
    pub shifted: u64,
    /// Another type on another span that overlaps.
    pub type_and_boundary: u64,
    /// Without a partner: gold chunks that were missed, predicted ones that are spurious.
    pub unmatched: u64,
}

/// What became of the chunks of one entity type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TypeErrors {
    /// The entity type; `_` for labels without one.
    pub entity_type: String,
    /// What became of the gold chunks of this type.
    pub gold: ErrorCounts,
    /// What became of the predicted chunks of this type.
    pub predicted: ErrorCounts,
}

/// How often chunks of one type were predicted as another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TypeConfusion {
    /// The gold type.
    pub gold: String,
    /// The predicted type.
    pub predicted: String,
    /// On the same span: type errors.
    pub same_span: u64,
    /// On another span that overlaps: errors of type and boundary.
    pub overlapping: u64,
}

impl ErrorCounts {
    /// All chunks of the side.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        let errors = [self.type_error, self.type_and_boundary, self.unmatched, self.boundary()];
        errors.into_iter().fold(self.correct, u64::saturating_add)
    }

    /// The same type on another span that overlaps: too long, too short or shifted.
    #[must_use]
    pub fn boundary(&self) -> u64 {
        self.too_long.saturating_add(self.too_short).saturating_add(self.shifted)
    }

    fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.correct, other.correct),
            (&mut self.type_error, other.type_error),
            (&mut self.too_long, other.too_long),
            (&mut self.too_short, other.too_short),
            (&mut self.shifted, other.shifted),
            (&mut self.type_and_boundary, other.type_and_boundary),
            (&mut self.unmatched, other.unmatched),
        ];
        for (mine, theirs) in pairs {
            *mine = mine.saturating_add(theirs);
        }
    }
}

impl ChunkErrorReport {
    pub(super) fn new(tags: &TagSet, state: &ChunkErrorState) -> Self {
        let by_type = state.by_type();
        let (mut gold, mut predicted) = (ErrorCounts::default(), ErrorCounts::default());
        for sides in &by_type {
            gold.add(&sides.gold);
            predicted.add(&sides.predicted);
        }
        let per_type = tags.chunk_types().map(|(index, name)| {
            let Sides { gold, predicted } = by_type.get(index).copied().unwrap_or_default();
            TypeErrors { entity_type: name.to_owned(), gold, predicted }
        });
        let confusions = state.confusions().iter().map(|c| TypeConfusion {
            gold: tags.type_name(c.gold).to_owned(),
            predicted: tags.type_name(c.predicted).to_owned(),
            same_span: c.same_span,
            overlapping: c.overlapping,
        });
        let mut confusions: Vec<TypeConfusion> = confusions.collect();
        confusions.sort_by(|a, b| (&a.gold, &a.predicted).cmp(&(&b.gold, &b.predicted)));
        let diagnostics = *state.diagnostics();
        let protocol = Protocol::of_tags(tags).with("metric", "errors");
        Self { gold, predicted, per_type: per_type.collect(), confusions, diagnostics, protocol }
    }

    /// How many errors of a kind there are.
    #[must_use]
    pub fn count(&self, kind: ChunkErrorKind) -> u64 {
        kind.count(&self.gold, &self.predicted)
    }

    /// What became of the chunks of an entity type, if the label list has it.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> Option<&TypeErrors> {
        self.per_type.iter().find(|t| t.entity_type == entity_type)
    }

    /// Gold types against predicted types; see [`ConfusionMatrix`].
    #[must_use]
    pub fn confusion_matrix(&self, pairs: Pairs) -> ConfusionMatrix {
        ConfusionMatrix::new(self, pairs)
    }
}

impl TypeErrors {
    /// How many errors of a kind there are: the gold chunks of this type, of spurious ones the
    /// predicted ones.
    #[must_use]
    pub fn count(&self, kind: ChunkErrorKind) -> u64 {
        kind.count(&self.gold, &self.predicted)
    }
}

impl ChunkErrorKind {
    fn count(self, gold: &ErrorCounts, predicted: &ErrorCounts) -> u64 {
        match self {
            Self::TypeError => gold.type_error,
            Self::TooLong => gold.too_long,
            Self::TooShort => gold.too_short,
            Self::Shifted => gold.shifted,
            Self::TypeAndBoundary => gold.type_and_boundary,
            Self::Missed => gold.unmatched,
            Self::Spurious => predicted.unmatched,
        }
    }
}

/// The share of each [kind](ChunkErrorKind::ALL): of spurious chunks among the predicted ones, of
/// all others among the gold ones. `None` where there are no such chunks.
impl Scalars for ChunkErrorReport {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        for kind in ChunkErrorKind::ALL {
            let among = match kind {
                ChunkErrorKind::Spurious => self.predicted.chunks(),
                _ => self.gold.chunks(),
            };
            let share = (among > 0).then(|| self.count(kind) as f64 / among as f64);
            each(kind.name(), share);
        }
    }
}

/// A line for each type and one for the total, then the confusions and the signature. Names stand
/// at the ends of the lines, where their width does not matter.
impl fmt::Display for ChunkErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 10] = [
            "gold",
            "predicted",
            "correct",
            "type",
            "long",
            "short",
            "shifted",
            "both",
            "missed",
            "spurious",
        ];
        for name in NAMES {
            write!(f, "{name:>10}")?;
        }
        writeln!(f)?;
        let mut line = |name: &str, gold: &ErrorCounts, predicted: &ErrorCounts| {
            let numbers = [
                gold.chunks(),
                predicted.chunks(),
                gold.correct,
                gold.type_error,
                gold.too_long,
                gold.too_short,
                gold.shifted,
                gold.type_and_boundary,
                gold.unmatched,
                predicted.unmatched,
            ];
            for number in numbers {
                write!(f, "{number:>10}")?;
            }
            writeln!(f, "  {name}")
        };
        for t in &self.per_type {
            line(&visible_name(&t.entity_type), &t.gold, &t.predicted)?;
        }
        line("(all)", &self.gold, &self.predicted)?;
        if !self.confusions.is_empty() {
            writeln!(f, "\n{:>10}{:>12}", "same span", "overlapping")?;
        }
        for c in &self.confusions {
            let TypeConfusion { gold, predicted, same_span, overlapping } = c;
            let (gold, predicted) = (visible_name(gold), visible_name(predicted));
            writeln!(f, "{same_span:>10}{overlapping:>12}  {gold} as {predicted}")?;
        }
        writeln!(f, "\n{}", self.protocol)
    }
}
