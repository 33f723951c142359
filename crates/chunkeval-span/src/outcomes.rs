//! From a document's spans to what became of each of them.

use std::collections::BTreeSet;

use chunkeval_core::Result;

use crate::batch::Stored;
use crate::matching::{Aligned, Alignment, Piece, each_schema};
use crate::schema::Verdict;
use crate::{Matching, PerSchema, Schema, SchemaCounts, Side, Sides, SpanBatch, SpanError};

/// The entity types that occur in a batch, sorted, since their numbers depend on the order of the
/// data.
pub(crate) struct Types<'a> {
    /// Those that count, sorted.
    pub(crate) names: Vec<&'a str>,
    /// The number of each of them and its place among them, by number.
    kinds: Vec<(u32, u32)>,
}

/// One document, ready to be matched.
pub(crate) struct Document {
    pub(crate) gold: Vec<Piece>,
    pub(crate) predicted: Vec<Piece>,
    /// Its number, for error messages and cases.
    number: usize,
    /// Spans of types that do not count.
    pub(crate) other_types: Sides,
    /// Spans that were listed before.
    pub(crate) duplicates: Sides,
}

/// What became of one pair or of one span alone.
pub(crate) enum Outcome<'p> {
    Pair { verdict: Verdict, gold: &'p Piece, predicted: &'p Piece },
    Missed(&'p Piece),
    Spurious(&'p Piece),
}

impl<'a> Types<'a> {
    /// The types of a batch; `only` names those that count, if not all do.
    pub(crate) fn of(batch: SpanBatch<'a>, only: Option<&BTreeSet<String>>) -> Self {
        let counts = |name: &str| only.is_none_or(|only| only.contains(name));
        // A batch may be a small cut of documents with very many types.
        let (gold, predicted) = batch.spans();
        let mut numbers: Vec<u32> = gold.iter().chain(predicted).map(|span| span.kind).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let named = |number: u32| Some((batch.types().get(number as usize)?.as_str(), number));
        let mut seen: Vec<(&str, u32)> =
            numbers.into_iter().filter_map(named).filter(|(name, _)| counts(name)).collect();
        seen.sort_unstable();
        let names = seen.iter().map(|(name, _)| *name).collect();
        let mut kinds: Vec<(u32, u32)> =
            (0..).zip(seen).map(|(place, (_, number))| (number, place)).collect();
        kinds.sort_unstable();
        Self { names, kinds }
    }

    fn kind(&self, number: u32) -> Option<u32> {
        let at = self.kinds.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.kinds.get(at).map(|(_, place)| *place)
    }
}

impl Document {
    /// A document of a batch, with what the rule leaves out left out.
    pub(crate) fn new(
        batch: SpanBatch<'_>,
        document: usize,
        types: &Types<'_>,
        matching: Matching,
    ) -> Result<Self> {
        let (gold, predicted) = batch.document(document);
        let number = batch.number(document);
        let prepare = |side, spans| {
            prepare(spans, types, matching).map_err(|(index, error)| error.at(number, side, index))
        };
        let gold = prepare(Side::Gold, gold)?;
        let predicted = prepare(Side::Predicted, predicted)?;
        Ok(Self {
            number,
            other_types: Sides { gold: gold.other_types, predicted: predicted.other_types },
            duplicates: Sides { gold: gold.duplicates, predicted: predicted.duplicates },
            gold: gold.pieces,
            predicted: predicted.pieces,
        })
    }

    /// The alignment of each schema.
    pub(crate) fn align(
        &self,
        matching: Matching,
        each: impl FnMut(Schema, &Alignment),
    ) -> Result<Aligned> {
        let empty = |index| SpanError::EmptyGold.at(self.number, Side::Gold, index);
        each_schema(matching, &self.gold, &self.predicted, each)
            .map_err(|error| empty(error.index).into())
    }

    /// The document with the spans of one type only.
    pub(crate) fn of_kind(&self, kind: u32) -> Self {
        let only = |pieces: &[Piece]| pieces.iter().filter(|p| p.kind == kind).copied().collect();
        let none = Sides::default();
        Self {
            gold: only(&self.gold),
            predicted: only(&self.predicted),
            number: self.number,
            other_types: none,
            duplicates: none,
        }
    }

    /// What became of every span: predicted ones in their order, then gold ones without a partner.
    pub(crate) fn outcomes<'d>(
        &'d self,
        schema: Schema,
        alignment: &'d Alignment,
    ) -> impl Iterator<Item = Outcome<'d>> {
        let pairs =
            self.predicted.iter().zip(&alignment.partner).map(move |(predicted, partner)| {
                match partner.and_then(|partner| self.gold.get(partner)) {
                    Some(gold) => {
                        let verdict = schema.judge(gold, predicted);
                        Outcome::Pair { verdict, gold, predicted }
                    }
                    None => Outcome::Spurious(predicted),
                }
            });
        let missed = self.gold.iter().zip(&alignment.taken).filter(|(_, taken)| !**taken);
        pairs.chain(missed.map(|(gold, _)| Outcome::Missed(gold)))
    }
}

/// One side of a document, ready to be matched.
struct Prepared {
    pieces: Vec<Piece>,
    other_types: u64,
    duplicates: u64,
}

/// Drops the types that do not count and, where the order must not matter, sorts and drops what
/// was listed before. An error comes with the index of its span.
fn prepare(
    spans: &[Stored],
    types: &Types<'_>,
    matching: Matching,
) -> Result<Prepared, (usize, SpanError)> {
    let mut pieces = Vec::with_capacity(spans.len());
    for (index, span) in spans.iter().enumerate() {
        let Some(kind) = types.kind(span.kind) else { continue };
        if let Matching::MaximumOverlap(_) = matching {
            span.check().map_err(|error| (index, error))?;
        }
        // nervaluate's indices are those of the spans that count.
        let index = match matching {
            Matching::Nervaluate { .. } => pieces.len(),
            Matching::MaximumOverlap(_) => index,
        };
        pieces.push(Piece { start: span.start, end: span.end, kind, index });
    }
    let other_types = (spans.len() - pieces.len()) as u64;
    let mut duplicates = 0;
    if let Matching::MaximumOverlap(_) = matching {
        let listed = pieces.len();
        pieces.sort_unstable_by_key(|piece| (piece.key(), piece.index));
        pieces.dedup_by_key(|piece| piece.key());
        duplicates = (listed - pieces.len()) as u64;
    }
    Ok(Prepared { pieces, other_types, duplicates })
}

impl Outcome<'_> {
    /// Adds this to counts that do not tell types apart.
    pub(crate) fn count_overall(&self, counts: &mut SchemaCounts) {
        match self {
            Outcome::Pair { verdict, .. } => {
                let sides = counts.of(*verdict);
                sides.gold += 1;
                sides.predicted += 1;
            }
            Outcome::Missed(_) => counts.missed += 1,
            Outcome::Spurious(_) => counts.spurious += 1,
        }
    }

    /// Adds each span of this to the counts of its own type.
    pub(crate) fn count_by_type(&self, schema: Schema, per_type: &mut [PerSchema<SchemaCounts>]) {
        let (gold, predicted) = match self {
            Outcome::Pair { gold, predicted, .. } => (Some(gold), Some(predicted)),
            Outcome::Missed(gold) => (Some(gold), None),
            Outcome::Spurious(predicted) => (None, Some(predicted)),
        };
        let mut of = |piece: Option<&&Piece>, count: fn(&Self, &mut SchemaCounts)| {
            let counts = piece.and_then(|piece| per_type.get_mut(piece.kind as usize));
            if let Some(counts) = counts {
                count(self, counts.get_mut(schema));
            }
        };
        of(gold, |outcome, counts| match outcome {
            Outcome::Pair { verdict, .. } => counts.of(*verdict).gold += 1,
            _ => counts.missed += 1,
        });
        of(predicted, |outcome, counts| match outcome {
            Outcome::Pair { verdict, .. } => counts.of(*verdict).predicted += 1,
            _ => counts.spurious += 1,
        });
    }
}
