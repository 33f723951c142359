//! [`ExtractionEvaluator`]: scores of extracted entities over a stream of records.

use chunkeval_core::{ChunkCounts, Error, Fingerprint, Mergeable, Metric, Protocol, Result, State};

use crate::asked::Asked;
use crate::compare::{Rule, compare};
use crate::lenient::is_space;
use crate::state::ReadingState;
use crate::{
    Answer, AnswerReading, AnswerStatus, Extraction, ExtractionReport, ExtractionState, HealthKind,
    MalformedKind, Matching, Normalisation, Record, RecordBatch,
};

/// Precision, recall and F1 of the entities that a language model extracted, in total and per type,
/// with a statement of every answer that could not be read.
///
/// Answers are read in one way or in several ways side by side. For each reading there are three
/// scores ([`Treatment`](crate::Treatment)): over the answers that could be read, which is the
/// published way and leaves the entities of all others out; over all answers, those that could not
/// be read as empty ones; and over the types that were asked for alone.
///
/// ```
/// use chunkeval_core::Metric;
/// use chunkeval_llm::{AnswerReading, Entities, ExtractionEvaluator, Record, RecordBatch};
///
/// // The published example: two places, both found.
/// let gold: Entities = [("LOC", "美"), ("LOC", "台")].into_iter().collect();
/// let record = Record::new(gold, "{'LOC': ['美', '台']}").schema(["LOC"]).text("美台关系");
///
/// let mut metric = ExtractionEvaluator::new();
/// metric.update(RecordBatch::new(&[record]))?;
/// let report = metric.accumulate();
/// for reading in [AnswerReading::Strict, AnswerReading::Lenient] {
///     let scores = &report.get(reading).unwrap().skip;
///     let counts = scores.get("LOC").unwrap().counts;
///     assert_eq!((counts.correct, counts.predicted, counts.gold), (2, 2, 2));
///     assert_eq!(scores.overall.f1, 1.0);
/// }
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
///
/// Types are not known beforehand: a report has every type that a label or a readable answer names,
/// sorted by code point, so neither the order of records nor that of merging shows.
#[derive(Clone, Debug)]
pub struct ExtractionEvaluator {
    options: Options,
    names: Vec<String>,
    state: ExtractionState,
}

/// What the counts depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) readings: Vec<AnswerReading>,
    pub(crate) rule: Rule,
    pub(crate) listed: usize,
}

/// How to build an [`ExtractionEvaluator`].
#[derive(Clone, Debug)]
#[must_use]
pub struct ExtractionEvaluatorBuilder {
    readings: Vec<AnswerReading>,
    matching: Matching,
    normalisation: Option<Normalisation>,
    listed: usize,
}

impl Default for ExtractionEvaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl ExtractionEvaluator {
    /// Both readings side by side, compared as sets, as published.
    #[must_use]
    pub fn new() -> Self {
        let rule = Rule { matching: Matching::Set, normalisation: Normalisation::NONE };
        Self::with(Options { readings: AnswerReading::ALL.to_vec(), rule, listed: 0 })
    }

    /// An evaluator with options.
    ///
    /// ```
    /// use chunkeval_llm::{AnswerReading, ExtractionEvaluator, Matching, Normalisation};
    ///
    /// let metric = ExtractionEvaluator::builder()
    ///     .readings([AnswerReading::Lenient])
    ///     .matching(Matching::Multiset)
    ///     .normalisation(Normalisation::ALL)
    ///     .list_first(20)
    ///     .build()?;
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    pub fn builder() -> ExtractionEvaluatorBuilder {
        ExtractionEvaluatorBuilder {
            readings: AnswerReading::ALL.to_vec(),
            matching: Matching::Set,
            normalisation: None,
            listed: 0,
        }
    }

    fn with(options: Options) -> Self {
        let scores = ["precision", "recall", "f1"];
        let names = options.readings.iter().flat_map(|reading| {
            crate::Treatment::ALL.into_iter().flat_map(move |treatment| {
                scores.map(|score| format!("{reading}/{treatment}/{score}"))
            })
        });
        let names = names.collect();
        let state = ExtractionState::new(options.readings.len(), options.listed);
        Self { options, names, state }
    }

    /// The readings, in the order of the report.
    #[must_use]
    pub fn readings(&self) -> &[AnswerReading] {
        &self.options.readings
    }

    /// When a predicted entity is a gold one.
    #[must_use]
    pub fn matching(&self) -> Matching {
        self.options.rule.matching
    }

    /// Which differences between texts are overlooked.
    #[must_use]
    pub fn normalisation(&self) -> Normalisation {
        self.options.rule.normalisation
    }

    /// How many answers of each [`HealthKind`] are kept.
    #[must_use]
    pub fn listed(&self) -> usize {
        self.options.listed
    }

    /// The counts of one record under one reading, whose answer was read before: every type that
    /// either side names, sorted by code point. They are those of [`update`](Metric::update).
    #[must_use]
    pub fn compare(
        &self,
        reading: AnswerReading,
        record: &Record,
        answer: &Answer,
    ) -> Vec<(String, ChunkCounts)> {
        let mut types = Vec::new();
        let record = &*reading.record(record);
        let each = |name: &str, counts| types.push((name.to_owned(), counts));
        compare(self.options.rule, record, answer, &mut Default::default(), each);
        types.sort_by(|a: &(String, ChunkCounts), b| a.0.cmp(&b.0));
        types
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Adds one record to a state.
    pub(crate) fn measure_record(
        &self,
        record: &Record,
        state: &mut ExtractionState,
    ) -> Result<()> {
        let records = &mut state.records;
        records.records += 1;
        records.with_text += u64::from(record.text.is_some());
        records.with_schema += u64::from(record.schema.is_some());
        records.unanswered += u64::from(record.unanswered);
        let asked = Asked::of(record);
        for (name, list) in record.gold.iter() {
            records.gold += list.len() as u64;
            records.repeated_gold += crate::overlap::repeats(list) as u64;
            let blank = |text: &str| text.trim_matches(is_space).is_empty();
            let blank_ones = list.iter().filter(|entity| blank(name) || blank(entity));
            records.blank_gold += blank_ones.count() as u64;
            if !asked.has(name) {
                records.gold_not_asked += list.len() as u64;
            }
        }
        for (reading, state) in self.options.readings.iter().zip(&mut state.readings) {
            let record = reading.record(record);
            self.measure_answer(&record, &reading.read_record(&record), state)?;
        }
        Ok(())
    }

    fn measure_answer(
        &self,
        record: &Record,
        answer: &Answer,
        state: &mut ReadingState,
    ) -> Result<()> {
        let ReadingState { answers, schema, mentions, types, health, repairs } = state;
        *match answer.status {
            AnswerStatus::Clean => &mut answers.clean,
            AnswerStatus::Repaired => &mut answers.repaired,
            AnswerStatus::Empty => &mut answers.empty,
            AnswerStatus::Unparsable => &mut answers.unparsable,
            AnswerStatus::WrongShape => &mut answers.wrong_shape,
        } += 1;
        let readable = answer.is_readable();
        let before = *mentions;
        let asked = Asked::of(record);
        let mut failed = Ok(());
        compare(self.options.rule, record, answer, mentions, |name, counts| {
            // Not `entry`, which wants a `String` even of a type that is there.
            let of_type = match types.get_mut(name) {
                Some(of_type) => of_type,
                None => types.entry(name.to_owned()).or_default(),
            };
            let share = crate::state::Share { records: 1, counts };
            let mut count = |into: &mut crate::state::Share| match into.plus(&share) {
                Ok(sum) => *into = sum,
                Err(error) => failed = Err(error),
            };
            let (all, part) = match readable {
                true => (&mut of_type.read, &mut of_type.asked),
                false => (&mut of_type.unread, &mut of_type.unread_asked),
            };
            count(all);
            if asked.has(name) {
                count(part);
            }
        });
        failed?;

        for repair in &answer.repairs {
            repairs.entry(repair.kind).or_default().note(repair.count as u64);
        }
        let mut note = |kind, holds: bool| {
            if holds {
                let of_kind = health.entry(kind).or_default();
                of_kind.add(|| record.id.clone(), record.id.line, self.options.listed);
            }
        };
        let mended = !answer.repairs.is_empty() || answer.status == AnswerStatus::Repaired;
        note(HealthKind::Clean, readable && !mended);
        note(HealthKind::Repaired, readable && mended);
        note(HealthKind::Unreadable, !readable);
        note(HealthKind::Truncated, answer.is_truncated());
        note(HealthKind::Duplicated, mentions.repeated > before.repeated);
        note(HealthKind::Invented, mentions.invented > before.invented);
        if readable {
            let nulls = answer.malformed.iter().filter(|m| m.kind == MalformedKind::Null).count();
            schema.nulls += nulls as u64;
            schema.malformed += (answer.malformed.len() - nulls) as u64;
            let others = answer.entities.iter().filter(|(name, _)| !asked.has(name));
            let (others, entities) =
                others.fold((0, 0), |(types, of), (_, list)| (types + 1, of + list.len()));
            schema.unknown_types += others;
            schema.unknown_type_entities += entities as u64;
            let types = record.schema.iter().flat_map(|types| types.iter());
            let missing = types.filter(|name| !answer.entities.has_type(name)).count();
            schema.missing_types += missing as u64;
            note(HealthKind::UnknownType, others > 0);
            note(HealthKind::WrongSchema, missing > 0 || !answer.malformed.is_empty());
        }
        Ok(())
    }

    pub(crate) fn protocol(&self) -> Protocol {
        let Options { readings, rule, .. } = &self.options;
        let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
        Protocol::default()
            .with("metric", "extraction")
            .with("reading", readings.join("+"))
            .with("matching", rule.matching)
            .with("normalisation", rule.normalisation)
    }
}

impl ExtractionEvaluatorBuilder {
    /// How answers are read; both ways if not said. Each way costs a reading of every answer.
    pub fn readings(self, readings: impl IntoIterator<Item = AnswerReading>) -> Self {
        Self { readings: readings.into_iter().collect(), ..self }
    }

    /// When a predicted entity is a gold one; [`Matching::Set`] if not said.
    pub fn matching(self, matching: Matching) -> Self {
        Self { matching, ..self }
    }

    /// Which differences between texts are overlooked; if not said, none, but all of them in
    /// [`Matching::Grounded`], where they say which spellings stand in the text.
    pub fn normalisation(self, normalisation: Normalisation) -> Self {
        Self { normalisation: Some(normalisation), ..self }
    }

    /// Keeps the first `n` answers of each [`HealthKind`], to be looked up; none if not said.
    ///
    /// They are those with the lowest line numbers, so that merging states in any order gives the
    /// same ones.
    pub fn list_first(self, n: usize) -> Self {
        Self { listed: n, ..self }
    }

    /// The evaluator.
    ///
    /// # Errors
    /// No reading, or the same one twice.
    pub fn build(self) -> Result<ExtractionEvaluator> {
        let Self { readings, matching, normalisation, listed } = self;
        let twice = readings
            .iter()
            .enumerate()
            .any(|(at, reading)| readings.iter().take(at).any(|before| before == reading));
        if readings.is_empty() || twice {
            return Err(Error::config("readings", "each may stand once, and one must"));
        }
        let normalisation = normalisation.unwrap_or(match matching {
            Matching::Grounded => Normalisation::ALL,
            Matching::Set | Matching::Multiset => Normalisation::NONE,
        });
        let rule = Rule { matching, normalisation };
        Ok(ExtractionEvaluator::with(Options { readings, rule, listed }))
    }
}

impl Metric for ExtractionEvaluator {
    type Task = Extraction;
    type Output = ExtractionReport;

    /// `strict/skip/precision` and so on: reading, treatment, score.
    fn name(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn reset(&mut self) {
        self.state = self.zero();
    }

    fn update(&mut self, batch: RecordBatch<'_>) -> Result<()> {
        let measured = self.measure(batch)?;
        self.state.merge(&measured)
    }

    fn accumulate(&self) -> ExtractionReport {
        self.finish(&self.state)
    }
}

impl Mergeable for ExtractionEvaluator {
    type State = ExtractionState;

    fn fingerprint(&self) -> Fingerprint {
        let Options { readings, rule, listed } = &self.options;
        let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
        let (matching, normalisation) = (rule.matching, rule.normalisation);
        Fingerprint::new(format!(
            "extraction/3 readings={} matching={matching} normalisation={normalisation} listed={listed}",
            readings.join("+")
        ))
    }

    fn zero(&self) -> ExtractionState {
        ExtractionState::new(self.options.readings.len(), self.options.listed)
    }

    fn state(&self) -> &ExtractionState {
        &self.state
    }

    fn measure(&self, batch: RecordBatch<'_>) -> Result<ExtractionState> {
        let mut state = self.zero();
        batch.records().iter().try_for_each(|record| self.measure_record(record, &mut state))?;
        Ok(state)
    }

    fn merge(&mut self, state: &ExtractionState) -> Result<()> {
        self.state.merge(state)
    }

    fn finish(&self, state: &ExtractionState) -> ExtractionReport {
        ExtractionReport::new(&self.options.readings, state, &self.protocol())
    }
}
