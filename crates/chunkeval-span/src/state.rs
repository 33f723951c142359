//! What a [`SpanEvaluator`](crate::SpanEvaluator) keeps, and whether it can have been measured.

use std::collections::BTreeMap;

use chunkeval_core::{Error, Result, State};
use serde::{Deserialize, Serialize};

use crate::counts::add;
use crate::{Matching, PerSchema, Schema, SchemaCounts, Sides};

/// What a [`SpanEvaluator`](crate::SpanEvaluator) keeps: counts, a few dozen numbers for each
/// entity type that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanState {
    pub(crate) overall: PerSchema<SchemaCounts>,
    pub(crate) per_type: BTreeMap<String, PerSchema<SchemaCounts>>,
    pub(crate) diagnostics: SpanDiagnostics,
}

/// What was seen, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SpanDiagnostics {
    /// Documents seen.
    pub documents: u64,
    /// Spans as they were listed; those that counted are these less the following two.
    pub listed: Sides,
    /// Spans of types that do not count, left out.
    pub other_types: Sides,
    /// Spans listed again with the same type and offsets, counted once; none with nervaluate's rule.
    pub duplicates: Sides,
    /// Predicted tags that the label list does not have, or that are missing, read as `O`.
    pub unread_tags: u64,
    /// Documents with so many spans that overlap each other, or of such length (some 2^55 positions),
    /// that some were paired one after the other, by position, each with the best that was left; the
    /// total overlap may not be the greatest.
    pub paired_one_by_one: u64,
}

impl State for SpanState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        other.check()?;
        let overall = sum(&self.overall, &other.overall)?;
        let diagnostics = self.diagnostics.plus(&other.diagnostics)?;
        let nothing = PerSchema::default();
        let mut types = Vec::with_capacity(other.per_type.len());
        for (name, theirs) in &other.per_type {
            types.push((name, sum(self.per_type.get(name).unwrap_or(&nothing), theirs)?));
        }
        // Nothing can fail from here on.
        for (name, counts) in types {
            match self.per_type.get_mut(name) {
                Some(mine) => *mine = counts,
                None => drop(self.per_type.insert(name.clone(), counts)),
            }
        }
        self.overall = overall;
        self.diagnostics = diagnostics;
        Ok(())
    }
}

impl SpanState {
    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        let d = &self.diagnostics;
        let left_out = d.other_types.plus(d.duplicates)?;
        if d.documents == 0 && (d.listed != Sides::default() || d.unread_tags > 0) {
            return Err(Error::config("state", "it has spans or tags but no documents"));
        }
        if d.paired_one_by_one > d.documents {
            return Err(Error::config("state", "it has paired more documents than it has seen"));
        }
        for (schema, counts) in self.overall.iter() {
            check_verdicts(schema, counts)?;
            for sides in [counts.correct, counts.incorrect, counts.partial] {
                if sides.gold != sides.predicted {
                    return Err(malformed(schema, "the two sides of its pairs differ in number"));
                }
            }
            counts.plus(&SchemaCounts::default())?; // that its totals fit 64 bits
            let counted = Sides { gold: counts.possible(), predicted: counts.actual() };
            if counted.plus(left_out)? != d.listed {
                return Err(malformed(schema, "its spans are not those that were listed"));
            }
            let mut typed = Sides::default();
            for per_type in self.per_type.values().map(|counts| counts.get(schema)) {
                check_verdicts(schema, per_type)?;
                per_type.plus(&SchemaCounts::default())?;
                let more = Sides { gold: per_type.possible(), predicted: per_type.actual() };
                if more == Sides::default() {
                    return Err(malformed(schema, "a type without spans"));
                }
                typed = typed.plus(more)?;
            }
            if typed != counted {
                return Err(malformed(schema, "the spans of the types are not those of all"));
            }
        }
        Ok(())
    }
}

impl SpanState {
    /// What must hold besides, if spans were paired by this rule, `all_types` or only some.
    pub(crate) fn check_for(&self, matching: Matching, all_types: bool) -> Result<()> {
        let d = &self.diagnostics;
        if all_types && d.other_types != Sides::default() {
            return Err(Error::config("state", "it left types out, which all count here"));
        }
        let Matching::MaximumOverlap(_) = matching else {
            if d.duplicates != Sides::default() || d.paired_one_by_one > 0 {
                return Err(Error::config(
                    "state",
                    "nervaluate's rule drops no span and pairs in one way",
                ));
            }
            return Ok(());
        };
        let mut typed = PerSchema::default();
        for counts in self.per_type.values() {
            typed = sum(&typed, counts)?;
        }
        for (schema, counts) in self.overall.iter() {
            if typed.get(schema) != counts {
                return Err(malformed(schema, "the types do not add up to the counts of all"));
            }
        }
        Ok(())
    }
}

/// That each verdict is one the schema gives.
fn check_verdicts(schema: Schema, counts: &SchemaCounts) -> Result<()> {
    let (none, why) = match schema {
        Schema::Partial => (counts.incorrect, "no pair is incorrect under it"),
        _ => (counts.partial, "no pair is partial under it"),
    };
    if none == Sides::default() { Ok(()) } else { Err(malformed(schema, why)) }
}

impl SpanDiagnostics {
    fn plus(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            documents: add(self.documents, other.documents)?,
            listed: self.listed.plus(other.listed)?,
            other_types: self.other_types.plus(other.other_types)?,
            duplicates: self.duplicates.plus(other.duplicates)?,
            unread_tags: add(self.unread_tags, other.unread_tags)?,
            paired_one_by_one: add(self.paired_one_by_one, other.paired_one_by_one)?,
        })
    }
}

fn sum(
    a: &PerSchema<SchemaCounts>,
    b: &PerSchema<SchemaCounts>,
) -> Result<PerSchema<SchemaCounts>> {
    Ok(PerSchema {
        strict: a.strict.plus(&b.strict)?,
        exact: a.exact.plus(&b.exact)?,
        partial: a.partial.plus(&b.partial)?,
        ent_type: a.ent_type.plus(&b.ent_type)?,
    })
}

fn malformed(schema: Schema, why: &str) -> Error {
    Error::config("state", format!("{schema}: {why}"))
}
