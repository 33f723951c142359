//! [`SpanEvaluator`]: scores of spans over a stream of documents.

mod builder;

use std::collections::BTreeSet;

pub use builder::SpanEvaluatorBuilder;
use chunkeval_core::{Batch, Error, Fingerprint, Mergeable, Metric, Protocol, Result, State};

use crate::matching::Aligned;
use crate::outcomes::{Document, Types};
use crate::{
    Cases, Matching, PerSchema, Schema, SchemaCounts, Sides, SpanBatch, SpanDiagnostics,
    SpanReport, SpanState, Spans,
};

/// Precision, recall and F1 of spans under four schemas, in total and per entity type, with credit
/// for partial matches.
///
/// Predicted spans are paired with gold ones by a [`Matching`] rule, and each [`Schema`] judges
/// the pairs. What has no partner is missed or spurious.
///
/// `chunkeval_core::ChunkErrors` pairs chunks by another rule: each with the largest overlap that is
/// left, not the greatest total. That can be said in a sentence and puts every chunk in one error;
/// here half points hang on the pairs, so no pairing may give more. Its errors can differ from the
/// [`cases`](SpanEvaluator::cases) here where three or more spans overlap.
///
/// ```
/// use chunkeval_core::Metric;
/// use chunkeval_span::{SpanDocs, SpanEvaluator};
///
/// let mut docs = SpanDocs::default();
/// docs.push([("PER", 0, 2), ("LOC", 5, 8)], [("PER", 0, 2), ("LOC", 5, 7), ("ORG", 9, 10)])?;
///
/// let mut metric = SpanEvaluator::new();
/// metric.update(docs.batch())?;
/// let report = metric.accumulate();
/// let strict = report.overall.strict;
/// assert_eq!((strict.counts.correct.gold, strict.counts.spurious), (1, 1));
/// assert_eq!((strict.precision, strict.recall, strict.f1), (1.0 / 3.0, 1.0 / 2.0, 0.4));
/// assert_eq!(report.overall.partial.recall, 1.5 / 2.0); // half a point for LOC
/// assert_eq!(report.get("LOC").unwrap().ent_type.f1, 1.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// Offsets of different units are first made one by [`TextOffsets`](crate::TextOffsets):
///
/// ```
/// use chunkeval_core::Metric;
/// use chunkeval_span::{End, SpanDocs, SpanEvaluator, TextOffsets, Unit};
///
/// let text = TextOffsets::new("🙂 Rui lives in Faro");
/// // The annotation tool counts UTF-16 units and names the last one, the model counts bytes.
/// let gold = text.read(16, 19, Unit::Utf16, End::Inclusive)?;
/// let predicted = text.read(18, 22, Unit::Bytes, End::Exclusive)?;
/// let mut docs = SpanDocs::default();
/// docs.push([("LOC", gold.start, gold.end)], [("LOC", predicted.start, predicted.end)])?;
///
/// let mut metric = SpanEvaluator::new();
/// metric.update(docs.batch())?;
/// assert_eq!(metric.accumulate().overall.strict.f1, 1.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpanEvaluator {
    matching: Matching,
    types: Option<BTreeSet<String>>,
    names: Vec<String>,
    state: SpanState,
}

impl Default for SpanEvaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl SpanEvaluator {
    /// An evaluator that does not depend on the order of spans, for all entity types.
    #[must_use]
    pub fn new() -> Self {
        Self::with(SpanEvaluatorBuilder::default())
    }

    /// An evaluator with options.
    ///
    /// ```
    /// use chunkeval_span::{Matching, SpanEvaluator, Threshold};
    ///
    /// let half = Matching::MaximumOverlap(Threshold::Union(0.5));
    /// let metric = SpanEvaluator::builder().matching(half).types(["PER", "LOC"]).build()?;
    /// let as_nervaluate = SpanEvaluator::builder().matching(Matching::NERVALUATE).build()?;
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn builder() -> SpanEvaluatorBuilder {
        SpanEvaluatorBuilder::default()
    }

    fn with(options: SpanEvaluatorBuilder) -> Self {
        let names = Schema::ALL.iter().flat_map(|schema| {
            ["precision", "recall", "f1"].map(|score| format!("{schema}/{score}"))
        });
        Self {
            matching: options.matching,
            types: options.types,
            names: names.collect(),
            state: SpanState::default(),
        }
    }

    /// The spans of a batch that are correct, incorrect, partial, missed and spurious under a
    /// schema: at most `limit` of each, and how many more there are.
    ///
    /// Documents are numbered as in the [`SpanDocs`](crate::SpanDocs) that the batch was cut from,
    /// as in error messages; nothing is kept in the metric. Indices are those of the spans as
    /// listed, except under nervaluate's rule, where they count only spans of the types that count,
    /// as its indices do; its per-type indices are those of an evaluator for one type.
    ///
    /// ```
    /// use chunkeval_span::{Case, Schema, SpanDocs, SpanEvaluator};
    ///
    /// let mut docs = SpanDocs::default();
    /// docs.push([("PER", 0, 2), ("LOC", 5, 8)], [("LOC", 5, 7)])?;
    /// let cases = SpanEvaluator::new().cases(docs.batch(), Schema::Strict, 100)?;
    /// assert_eq!(cases.missed.first, [Case { document: 0, gold: Some(0), predicted: None }]);
    /// assert_eq!(cases.incorrect.first, [Case { document: 0, gold: Some(1), predicted: Some(0) }]);
    /// assert_eq!(cases.incorrect.left_out, 0);
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`update`](Metric::update).
    pub fn cases(&self, batch: SpanBatch<'_>, schema: Schema, limit: usize) -> Result<Cases> {
        let types = Types::of(batch, self.types.as_ref());
        let mut cases = Cases::default();
        for number in 0..batch.len() {
            let document = Document::new(batch, number, &types, self.matching)?;
            document.align(self.matching, |of, alignment| {
                if of == schema {
                    for outcome in document.outcomes(schema, alignment) {
                        cases.add(batch.number(number), &outcome, limit);
                    }
                }
            })?;
        }
        Ok(cases)
    }
}

impl Metric for SpanEvaluator {
    type Task = Spans;
    type Output = SpanReport;

    fn name(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn reset(&mut self) {
        self.state = SpanState::default();
    }

    fn update(&mut self, batch: SpanBatch<'_>) -> Result<()> {
        let measured = self.measure(batch)?;
        self.state.merge(&measured)
    }

    fn accumulate(&self) -> SpanReport {
        self.finish(&self.state)
    }
}

impl Mergeable for SpanEvaluator {
    type State = SpanState;

    fn fingerprint(&self) -> Fingerprint {
        let types = self.listed_types();
        Fingerprint::new(format!("span/1 matching={:?} types={types}", self.matching))
    }

    fn zero(&self) -> SpanState {
        SpanState::default()
    }

    fn state(&self) -> &SpanState {
        &self.state
    }

    fn measure(&self, batch: SpanBatch<'_>) -> Result<SpanState> {
        let types = Types::of(batch, self.types.as_ref());
        let mut per_type = vec![PerSchema::<SchemaCounts>::default(); types.names.len()];
        let mut state = SpanState::default();
        let d = &mut state.diagnostics;
        *d = SpanDiagnostics {
            documents: batch.len() as u64,
            unread_tags: batch.unread(),
            ..SpanDiagnostics::default()
        };
        for number in 0..batch.len() {
            let document = Document::new(batch, number, &types, self.matching)?;
            let (gold, predicted) = batch.document(number);
            let listed = Sides { gold: gold.len() as u64, predicted: predicted.len() as u64 };
            d.listed = d.listed.plus(listed)?;
            d.other_types = d.other_types.plus(document.other_types)?;
            d.duplicates = d.duplicates.plus(document.duplicates)?;
            if self.count(&document, &mut state.overall, &mut per_type)? == Aligned::OneByOne {
                d.paired_one_by_one += 1;
            }
        }
        let seen = types
            .names
            .iter()
            .zip(per_type)
            .filter(|(_, counts)| counts.strict.possible() > 0 || counts.strict.actual() > 0);
        state.per_type = seen.map(|(&name, counts)| (name.to_owned(), counts)).collect();
        Ok(state)
    }

    fn merge(&mut self, state: &SpanState) -> Result<()> {
        if let Some(types) = &self.types
            && let Some(name) = state.per_type.keys().find(|&name| !types.contains(name))
        {
            return Err(Error::config("state", format!("type {name:?} does not count here")));
        }
        state.check_for(self.matching, self.types.is_none())?;
        self.state.merge(state)
    }

    fn finish(&self, state: &SpanState) -> SpanReport {
        SpanReport::new(state, self.protocol())
    }
}

impl SpanEvaluator {
    fn protocol(&self) -> Protocol {
        let protocol = Protocol::default().with("metric", "spans");
        let protocol = match self.matching {
            Matching::MaximumOverlap(threshold) => {
                protocol.with("matching", "maximum_overlap").with("threshold", threshold)
            }
            Matching::Nervaluate { min_overlap_percentage } => {
                let percentage = format!("gold>={min_overlap_percentage}%");
                protocol.with("matching", "nervaluate").with("threshold", percentage)
            }
        };
        protocol.with("types", self.listed_types())
    }

    /// `all`, or the types in quotes and brackets.
    fn listed_types(&self) -> String {
        match &self.types {
            Some(types) => {
                let quoted: Vec<String> = types.iter().map(|name| format!("{name:?}")).collect();
                format!("[{}]", quoted.join(","))
            }
            None => "all".to_owned(),
        }
    }

    /// Adds a document to the counts, overall and by the place of each type.
    fn count(
        &self,
        document: &Document,
        overall: &mut PerSchema<SchemaCounts>,
        per_type: &mut [PerSchema<SchemaCounts>],
    ) -> Result<Aligned> {
        let aligned = document.align(self.matching, |schema, alignment| {
            for outcome in document.outcomes(schema, alignment) {
                outcome.count_overall(overall.get_mut(schema));
                if let Matching::MaximumOverlap(_) = self.matching {
                    outcome.count_by_type(schema, per_type);
                }
            }
        })?;
        if let Matching::Nervaluate { .. } = self.matching {
            let pieces = document.gold.iter().chain(&document.predicted);
            for kind in pieces.map(|piece| piece.kind).collect::<BTreeSet<u32>>() {
                let Some(counts) = per_type.get_mut(kind as usize) else { continue };
                let alone = document.of_kind(kind);
                alone.align(self.matching, |schema, alignment| {
                    for outcome in alone.outcomes(schema, alignment) {
                        outcome.count_overall(counts.get_mut(schema));
                    }
                })?;
            }
        }
        Ok(aligned)
    }
}
