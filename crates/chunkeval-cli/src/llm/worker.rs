//! What one thread does with a block.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chunkeval_core::{Mergeable, Metric};
use chunkeval_llm::{
    AnswerReading, ExtractionEvaluator, ExtractionRows, JsonLines, LineEvaluator, Record,
    RecordBatch, RecordFormat, RecordParser, extra_label_line,
};

use super::confusion::Confusion;
use super::example::{Example, ExampleKind, examples, pairs};
use super::fault;
use super::ids::{self, Ids};
use super::lengths::Lengths;
use super::marks::Marks;
use super::said::{Said, Texts};
use crate::Result;
use crate::alignment::Alignment;
use crate::input::Block;
use crate::unusable::{Fault, Unusable};

/// How a file is scored.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Which fields hold what.
    pub(crate) format: RecordFormat,
    /// Counts the records.
    pub(crate) metric: ExtractionEvaluator,
    /// The reading whose errors are listed.
    pub(crate) reading: AnswerReading,
    /// How many errors of each kind are listed.
    pub(crate) errors: usize,
    /// Whether the counts of each record are kept, in every reading.
    pub(crate) rows: Rows,
    /// Whether gold entities are remembered, so that another file can be held against this one, and
    /// whether texts must be the same, too.
    pub(crate) gold: Option<Texts>,
    /// Whether lines are converted, too.
    pub(crate) labels: Labels,
    /// Whether types against types, and short and long texts, are counted, as they are with errors.
    pub(crate) splits: Splits,
    /// Whether ids that stand on several lines are looked for.
    pub(crate) ids: CheckIds,
    /// Whether to go on behind a line that cannot be used.
    pub(crate) keep_going: bool,
}

/// Whether the counts of each record are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    Keep,
    Forget,
}

/// Whether lines with `extra_label` are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Labels {
    Write,
    Leave,
}

/// Whether answers are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splits {
    Count,
    Leave,
}

/// Whether ids are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckIds {
    Yes,
    No,
}

/// What is no UTF-8 in lines that were converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// How often U+FFFD stands for it.
    pub(crate) times: u64,
    /// In so many lines.
    pub(crate) lines: u64,
    /// The number of the first one.
    pub(crate) first: Option<u64>,
}

impl Replaced {
    fn count(&mut self, record: &Record, line: u64) {
        if record.not_utf8 > 0 {
            self.add(Self { times: record.not_utf8 as u64, lines: 1, first: Some(line) });
        }
    }

    fn add(&mut self, behind: Self) {
        self.times += behind.times;
        self.lines += behind.lines;
        self.first = self.first.or(behind.first);
    }
}

/// What was found in one block or in several.
pub(super) struct Found {
    pub(super) metric: ExtractionEvaluator,
    pub(super) unusable: Unusable,
    pub(super) examples: BTreeMap<ExampleKind, Vec<Example>>,
    pub(super) counted_errors: BTreeMap<ExampleKind, u64>,
    pub(super) wrong_answers: u64,
    /// What is found beside the errors, if they are listed.
    pub(super) confusion: Confusion,
    pub(super) lengths: Lengths,
    /// Those of each reading, if they are kept.
    pub(super) rows: Vec<ExtractionRows>,
    /// The gold entities, if they are remembered.
    pub(super) gold: Alignment<Said>,
    /// The ids of all blocks, if they are compared.
    pub(super) ids: Ids,
    /// Those of one block.
    pub(super) ids_of_block: ids::OfBlock,
    /// The converted lines.
    pub(super) lines: String,
    pub(super) replaced: Replaced,
}

impl Found {
    pub(super) fn nothing(plan: &Plan) -> Self {
        let readings = match plan.rows {
            Rows::Keep => plan.metric.readings(),
            Rows::Forget => &[],
        };
        let rows = readings.iter().map(|&reading| ExtractionRows::new(&plan.metric, reading));
        Self {
            metric: plan.metric.clone(),
            unusable: Unusable::default(),
            examples: BTreeMap::new(),
            counted_errors: BTreeMap::new(),
            wrong_answers: 0,
            confusion: Confusion::default(),
            lengths: Lengths::default(),
            rows: rows.collect(),
            gold: Alignment::default(),
            ids: Ids::default(),
            ids_of_block: Vec::new(),
            lines: String::new(),
            replaced: Replaced::default(),
        }
    }

    /// Leaves out a line.
    fn leave_out(&mut self, fault: Fault, plan: &Plan) {
        if plan.gold.is_some() {
            self.gold.leave_out(fault.line);
        }
        self.unusable.push(fault);
    }

    /// Adds what was found behind it; the converted lines are not kept.
    pub(super) fn add(&mut self, other: Self, plan: &Plan) -> Result<()> {
        self.metric.merge(other.metric.state())?;
        self.unusable.add(other.unusable);
        self.replaced.add(other.replaced);
        self.wrong_answers += other.wrong_answers;
        self.confusion.add(other.confusion);
        self.lengths.add(&other.lengths)?;
        for (kind, n) in other.counted_errors {
            *self.counted_errors.entry(kind).or_default() += n;
        }
        for (kind, examples) in other.examples {
            let mine = self.examples.entry(kind).or_default();
            mine.extend(examples);
            mine.truncate(plan.errors);
        }
        self.gold.append(other.gold);
        self.ids.add(other.ids_of_block);
        let mut rows = self.rows.iter_mut().zip(&other.rows);
        Ok(rows.try_for_each(|(mine, theirs)| mine.append(theirs))?)
    }
}

/// Measures blocks, one after the other.
pub(super) struct Worker<'p> {
    plan: &'p Plan,
    parser: RecordParser,
    /// Counts lines of which nothing else is wanted.
    counting: LineEvaluator,
}

impl<'p> Worker<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let parser = RecordParser::new(plan.format.clone());
        let counting = LineEvaluator::new(plan.metric.clone(), plan.format.clone());
        Self { plan, parser, counting }
    }

    /// What is in a block.
    ///
    /// # Errors
    /// A sum overflows.
    pub(super) fn measure(&mut self, block: &Block, path: &Path) -> Result<Found> {
        let Plan { errors, splits, rows, gold, labels, ids, .. } = self.plan;
        let lines =
            JsonLines::new(&*block.bytes, path).starting_behind(block.line.saturating_sub(1));
        match (errors, splits, rows, gold, labels, ids) {
            (0, Splits::Leave, Rows::Forget, None, Labels::Leave, CheckIds::No) => {
                count(lines, self.plan, &mut self.counting)
            }
            _ => measure(lines, self.plan, &mut self.parser),
        }
    }
}

/// The counts alone.
fn count(mut lines: JsonLines<&[u8]>, plan: &Plan, counting: &mut LineEvaluator) -> Result<Found> {
    let mut found = Found::nothing(plan);
    loop {
        match lines.next_line_lossy() {
            Ok(None) => break,
            Ok(Some(line)) => {
                if let Err(error) = counting.count(line) {
                    found.unusable.push(fault::of_line(error, line.text));
                }
            }
            Err(error) => found.unusable.push(fault::of_file(error)),
        }
    }
    found.metric.merge(&counting.take()?)?;
    Ok(found)
}

/// The counts, and whatever else is asked for.
fn measure(mut lines: JsonLines<&[u8]>, plan: &Plan, parser: &mut RecordParser) -> Result<Found> {
    let mut found = Found::nothing(plan);
    let mut records: Vec<Record> = Vec::new();
    loop {
        let line = match lines.next_line_lossy() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                found.leave_out(fault::of_file(error), plan);
                continue;
            }
        };
        let record = parser.parse(line).and_then(|record| {
            // None is written behind a line that ends the run.
            if plan.labels == Labels::Write && (plan.keep_going || found.unusable.sentences == 0) {
                found.lines.push_str(&extra_label_line(line, &record.gold)?);
                found.lines.push('\n');
                found.replaced.count(&record, line.number);
            }
            Ok(record)
        });
        match record {
            Ok(record) => {
                if let Some(texts) = plan.gold {
                    found.gold.push(Said::of(&record, texts));
                }
                records.push(record);
            }
            Err(error) => found.leave_out(fault::of_line(error, line.text), plan),
        }
    }
    found.metric.update(RecordBatch::new(&records))?;
    for rows in &mut found.rows {
        rows.push(&plan.metric, RecordBatch::new(&records))?;
    }
    if plan.ids == CheckIds::Yes {
        found.ids_of_block = ids::of_block(&records);
    }
    if plan.errors > 0 || plan.splits == Splits::Count {
        for record in &records {
            let record = plan.reading.record(record);
            let answer = plan.reading.read_record(&record);
            let (mut marks, mut any) = (None, false);
            let pairs = pairs(&plan.metric, &record, &answer);
            found.lengths.count(&plan.metric, plan.reading, &record, &answer)?;
            found.confusion.count(&pairs);
            examples(&record, &answer, &pairs, |kind, make| {
                any = true;
                *found.counted_errors.entry(kind).or_default() += 1;
                let of_kind = found.examples.entry(kind).or_default();
                if of_kind.len() < plan.errors {
                    let of_record =
                        || Marks::of(&record, &answer, &pairs, &plan.metric).map(Arc::new);
                    let marks = marks.get_or_insert_with(of_record).clone();
                    of_kind.push(Example { marks, ..make() });
                }
            });
            found.wrong_answers += u64::from(any);
        }
    }
    Ok(found)
}
