//! [`ExtractionState`]: what an [`ExtractionEvaluator`](crate::ExtractionEvaluator) keeps.

use std::collections::BTreeMap;

use chunkeval_core::{ChunkCounts, Error, ErrorKind, Result, State};
use serde::{Deserialize, Serialize};

use crate::{Health, HealthKind, RepairCounts, RepairKind};

/// What an [`ExtractionEvaluator`](crate::ExtractionEvaluator) keeps: a few dozen numbers for each
/// reading and for each entity type that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractionState {
    pub(crate) records: RecordCounts,
    /// By the place of the reading in the evaluator's list.
    pub(crate) readings: Vec<ReadingState>,
    /// How many answers of a kind are kept to look up.
    pub(crate) listed: usize,
}

/// Records seen, and what they came with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RecordCounts {
    /// Records seen.
    pub records: u64,
    /// Of them, those that name the types that were asked for.
    pub with_schema: u64,
    /// Of them, those with the text that entities were to be taken from.
    pub with_text: u64,
    /// Of them, those that lack the field of the answer; such answers cannot be read.
    #[serde(default)]
    pub unanswered: u64,
    /// Gold entities, as they were listed.
    pub gold: u64,
    /// Of them, those that stand in their list a second time.
    pub repeated_gold: u64,
    /// Gold entities without a text or type, space aside. Read strictly, they count like any other;
    /// read leniently, they are left out, as they are in answers.
    pub blank_gold: u64,
    /// Gold entities of types that were not asked for.
    pub gold_not_asked: u64,
}

/// Answers by what came of reading them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AnswerCounts {
    /// Read as they stand.
    pub clean: u64,
    /// Read after they were mended.
    pub repaired: u64,
    /// Without a type, and so without entities: `{}`, `[]`, `null`.
    pub empty: u64,
    /// No data was found.
    pub unparsable: u64,
    /// Data of another shape than types and entities.
    pub wrong_shape: u64,
}

/// What answers had that was not asked for, and the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SchemaCounts {
    /// Types that were not asked for.
    pub unknown_types: u64,
    /// The entities of these types, as they were listed.
    pub unknown_type_entities: u64,
    /// Types that were asked for and are not in the answer, not even with an empty list.
    pub missing_types: u64,
    /// Values that are null instead of a list.
    pub nulls: u64,
    /// Items that are no entity.
    pub malformed: u64,
}

/// The entities of the answers that were read, and where they stand in the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MentionCounts {
    /// Entities as they were listed.
    pub listed: u64,
    /// Of them, those that stand in their list a second time.
    pub repeated: u64,
    /// Entities, repeats included, that do not stand in the text.
    pub invented: u64,
    /// Entities that stand in the text, in places that are known. Of grounded matching only.
    #[serde(default)]
    pub grounded: u64,
    /// Entities that stand in the text more often than in the answer, so that the place that was
    /// meant is not known. Of grounded matching only.
    pub ambiguous: u64,
}

/// What is kept of one reading of the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadingState {
    pub(crate) answers: AnswerCounts,
    pub(crate) schema: SchemaCounts,
    pub(crate) mentions: MentionCounts,
    pub(crate) types: BTreeMap<String, TypeState>,
    pub(crate) health: BTreeMap<HealthKind, Health>,
    pub(crate) repairs: BTreeMap<RepairKind, RepairCounts>,
}

/// What is kept of one entity type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypeState {
    /// In records whose answer was read.
    pub(crate) read: Share,
    /// The part of these in which the type was asked for; all of them, if the record does not say.
    pub(crate) asked: Share,
    /// In records whose answer was not read; nothing is predicted there.
    pub(crate) unread: Share,
    /// The part of these in which the type was asked for, as above.
    pub(crate) unread_asked: Share,
}

/// The records that name a type on either side, with an empty list or not, and their entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Share {
    pub(crate) records: u64,
    pub(crate) counts: ChunkCounts,
}

impl AnswerCounts {
    /// Answers that were read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.clean.saturating_add(self.repaired).saturating_add(self.empty)
    }

    /// Answers that were not.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.unparsable.saturating_add(self.wrong_shape)
    }

    fn total(&self) -> Result<u64> {
        [self.clean, self.repaired, self.empty, self.unparsable, self.wrong_shape]
            .into_iter()
            .try_fold(0, add)
    }
}

impl Share {
    pub(crate) fn plus(&self, other: &Self) -> Result<Self> {
        let mut counts = self.counts;
        counts.add(&other.counts)?;
        Ok(Self { records: add(self.records, other.records)?, counts })
    }

    fn is_part_of(&self, all: &Self) -> bool {
        let (part, all) = (self.counts, all.counts);
        part.gold <= all.gold && part.predicted <= all.predicted && part.correct <= all.correct
    }

    fn check(&self, of: u64) -> Result<()> {
        let ChunkCounts { gold, predicted, correct } = self.counts;
        if correct > gold.min(predicted) {
            return Err(ErrorKind::ImpossibleCounts { gold, predicted, correct }.into());
        }
        if self.records > of || self.records == 0 && gold.max(predicted) > 0 {
            return Err(malformed("a type has entities in other records than were seen"));
        }
        Ok(())
    }
}

impl TypeState {
    fn plus(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            read: self.read.plus(&other.read)?,
            asked: self.asked.plus(&other.asked)?,
            unread: self.unread.plus(&other.unread)?,
            unread_asked: self.unread_asked.plus(&other.unread_asked)?,
        })
    }

    /// All records, those that were not read included.
    pub(crate) fn all(&self) -> Result<Share> {
        self.read.plus(&self.unread)
    }

    /// The part of these in which the type was asked for.
    pub(crate) fn all_asked(&self) -> Result<Share> {
        self.asked.plus(&self.unread_asked)
    }

    fn check(&self, answers: &AnswerCounts) -> Result<()> {
        self.read.check(answers.read())?;
        self.asked.check(self.read.records)?;
        self.unread.check(answers.unreadable())?;
        self.unread_asked.check(self.unread.records)?;
        let part = self.asked.is_part_of(&self.read) && self.unread_asked.is_part_of(&self.unread);
        match part && self.unread.counts.predicted == 0 && self.all()?.records > 0 {
            true => Ok(()),
            false => Err(malformed("the counts of a type contradict each other")),
        }
    }
}

impl ReadingState {
    fn check(&self, records: &RecordCounts, listed: usize) -> Result<()> {
        if self.answers.total()? != records.records {
            return Err(malformed("there are not as many answers as records"));
        }
        self.types.values().try_for_each(|of_type| of_type.check(&self.answers))?;
        let all = self.total()?;
        let mentions = &self.mentions;
        let most = mentions.repeated.max(mentions.invented).max(mentions.ambiguous);
        let most = most.max(mentions.grounded);
        if all.predicted > mentions.listed || all.gold > records.gold || most > mentions.listed {
            return Err(malformed("more entities were counted than listed"));
        }
        for health in self.health.values() {
            health.check()?;
            if health.answers > records.records
                || health.answers == 0
                || health.first.len() > listed
            {
                return Err(malformed("more answers are of a kind than there are, or listed"));
            }
        }
        let repaired = self.health.get(&HealthKind::Repaired).map_or(0, |health| health.answers);
        self.repairs.values().try_for_each(|of_kind| of_kind.check(repaired))
    }

    /// The counts over all types and records.
    fn total(&self) -> Result<ChunkCounts> {
        let mut total = ChunkCounts::default();
        self.types.values().try_for_each(|of_type| total.add(&of_type.all()?.counts))?;
        Ok(total)
    }

    fn plus(&self, other: &Self, listed: usize) -> Result<Self> {
        let (a, b) = (&self.answers, &other.answers);
        let answers = AnswerCounts {
            clean: add(a.clean, b.clean)?,
            repaired: add(a.repaired, b.repaired)?,
            empty: add(a.empty, b.empty)?,
            unparsable: add(a.unparsable, b.unparsable)?,
            wrong_shape: add(a.wrong_shape, b.wrong_shape)?,
        };
        let (a, b) = (&self.schema, &other.schema);
        let schema = SchemaCounts {
            unknown_types: add(a.unknown_types, b.unknown_types)?,
            unknown_type_entities: add(a.unknown_type_entities, b.unknown_type_entities)?,
            missing_types: add(a.missing_types, b.missing_types)?,
            nulls: add(a.nulls, b.nulls)?,
            malformed: add(a.malformed, b.malformed)?,
        };
        let (a, b) = (&self.mentions, &other.mentions);
        let mentions = MentionCounts {
            listed: add(a.listed, b.listed)?,
            repeated: add(a.repeated, b.repeated)?,
            invented: add(a.invented, b.invented)?,
            grounded: add(a.grounded, b.grounded)?,
            ambiguous: add(a.ambiguous, b.ambiguous)?,
        };
        let mut types = self.types.clone();
        for (name, theirs) in &other.types {
            let sum = types.get(name).copied().unwrap_or_default().plus(theirs)?;
            types.insert(name.clone(), sum);
        }
        let mut health = self.health.clone();
        for (&kind, theirs) in &other.health {
            let mine = health.entry(kind).or_default();
            *mine = mine.plus(theirs, listed)?;
        }
        let mut repairs = self.repairs.clone();
        for (&kind, theirs) in &other.repairs {
            let mine = repairs.entry(kind).or_default();
            *mine = mine.plus(theirs)?;
        }
        let sum = Self { answers, schema, mentions, types, health, repairs };
        sum.total()?; // that a report can be made of it
        Ok(sum)
    }
}

impl ExtractionState {
    /// Nothing seen, for so many readings.
    pub(crate) fn new(readings: usize, listed: usize) -> Self {
        let readings = vec![ReadingState::default(); readings];
        Self { records: RecordCounts::default(), readings, listed }
    }

    /// The same with the name of the file on every answer that is listed, unless it has one: before
    /// states of several files are merged, whose lines would be mixed up.
    ///
    /// ```
    /// use chunkeval_core::{Mergeable, Metric};
    /// use chunkeval_llm::{Entities, ExtractionEvaluator, HealthKind, Record, RecordBatch};
    ///
    /// let metric = ExtractionEvaluator::builder().list_first(9).build()?;
    /// let records = [Record::new(Entities::default(), "?").at(1, None)];
    /// let mut sum = metric.clone();
    /// for file in ["a.jsonl", "b.jsonl"] {
    ///     sum.merge(&metric.measure(RecordBatch::new(&records))?.of_file(file))?;
    /// }
    /// let unreadable = sum.accumulate().readings[0].health(HealthKind::Unreadable);
    /// assert_eq!(unreadable.first[1].to_string(), "b.jsonl:1");
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn of_file(mut self, file: &str) -> Self {
        let kinds = self.readings.iter_mut().flat_map(|reading| reading.health.values_mut());
        kinds.for_each(|health| health.name_file(file));
        self
    }

    /// The same with no more than `n` answers listed of each kind of health: states that list more and
    /// fewer can be merged when both list as many. No score differs.
    ///
    /// ```
    /// use chunkeval_core::{Mergeable, Metric};
    /// use chunkeval_llm::{Entities, ExtractionEvaluator, HealthKind, Record, RecordBatch};
    ///
    /// let listing = |n| ExtractionEvaluator::builder().list_first(n).build();
    /// let (mut few, many) = (listing(1)?, listing(9)?);
    /// let records = [1, 2].map(|line| Record::new(Entities::default(), "?").at(line, None));
    /// let state = many.measure(RecordBatch::new(&records))?;
    /// assert!(few.merge(&state).is_err());
    /// few.merge(&state.list_first(1))?;
    /// let unreadable = few.accumulate().readings[0].health(HealthKind::Unreadable);
    /// assert_eq!((unreadable.answers, unreadable.first.len()), (2, 1));
    /// # Ok::<(), chunkeval_core::Error>(())
    /// ```
    #[must_use]
    pub fn list_first(mut self, n: usize) -> Self {
        let kinds = self.readings.iter_mut().flat_map(|reading| reading.health.values_mut());
        kinds.for_each(|health| health.first.truncate(n));
        self.listed = self.listed.min(n);
        self
    }

    /// That the state, which may come from a file, can have been measured.
    fn check(&self) -> Result<()> {
        let r = &self.records;
        if r.with_schema.max(r.with_text).max(r.unanswered) > r.records
            || r.repeated_gold.max(r.blank_gold).max(r.gold_not_asked) > r.gold
        {
            return Err(malformed("the counts of the records contradict each other"));
        }
        self.readings.iter().try_for_each(|reading| reading.check(r, self.listed))
    }
}

impl State for ExtractionState {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let (expected, found) = (self.readings.len(), other.readings.len());
        if expected != found {
            let what = "readings in the state";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        if self.listed != other.listed {
            return Err(malformed("it lists another number of answers"));
        }
        other.check()?;
        let (a, b) = (&self.records, &other.records);
        let records = RecordCounts {
            records: add(a.records, b.records)?,
            with_schema: add(a.with_schema, b.with_schema)?,
            with_text: add(a.with_text, b.with_text)?,
            unanswered: add(a.unanswered, b.unanswered)?,
            gold: add(a.gold, b.gold)?,
            repeated_gold: add(a.repeated_gold, b.repeated_gold)?,
            blank_gold: add(a.blank_gold, b.blank_gold)?,
            gold_not_asked: add(a.gold_not_asked, b.gold_not_asked)?,
        };
        let both = self.readings.iter().zip(&other.readings);
        let readings: Result<Vec<_>> = both.map(|(a, b)| a.plus(b, self.listed)).collect();
        *self = Self { records, readings: readings?, listed: self.listed };
        Ok(())
    }
}

pub(crate) fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| ErrorKind::Overflow.into())
}

/// A state that cannot have been measured.
pub(crate) fn malformed(reason: &str) -> Error {
    Error::config("state", reason)
}
