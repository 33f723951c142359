//! A file that was scored.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;

use chunkeval_core::Metric as _;
use chunkeval_llm::{
    ExtractionEvaluator, ExtractionReport, ExtractionRows, Matching, RecordCounts, RecordFormat,
};

use super::confusion::Confusion;
use super::example::{Example, ExampleKind};
use super::guess::FORMS;
use super::ids::Repeated;
use super::lengths::Lengths;
use super::pool::run;
use super::said::Said;
use super::worker::{CheckIds, Labels, Plan, Replaced};
use crate::alignment::Alignment;
use crate::input::Input;
use crate::interrupt::Ending;
use crate::unusable::Unusable;
use crate::{Error, Result};

/// What was counted.
pub(crate) struct Scored {
    /// The evaluator with its state.
    pub(crate) metric: ExtractionEvaluator,
    /// Lines that cannot be used.
    pub(crate) unusable: Unusable,
    /// How many errors there are of each kind.
    pub(crate) errors: BTreeMap<ExampleKind, u64>,
    /// How many answers have any.
    pub(crate) wrong_answers: u64,
    /// Types against types, and scores by the lengths of texts, if errors were listed.
    pub(crate) confusion: Confusion,
    pub(crate) lengths: Lengths,
    /// The first ones, kind by kind.
    pub(crate) examples: Vec<Example>,
    /// The counts of each record in each reading, if they were kept.
    pub(crate) rows: Vec<ExtractionRows>,
    /// The gold entities, if they were remembered.
    pub(crate) gold: Alignment<Said>,
    /// Lines with the id of a line before, if ids were compared.
    pub(crate) repeated_ids: Option<Repeated>,
    /// What is no UTF-8 in converted lines.
    pub(crate) replaced: Replaced,
    /// Whether it was stopped before the end.
    pub(crate) interrupted: bool,
}

impl Scored {
    /// What an evaluator has counted, and nothing besides.
    pub(crate) fn of(metric: ExtractionEvaluator, unusable: Unusable, interrupted: bool) -> Self {
        let (errors, examples) = (BTreeMap::new(), Vec::new());
        Self {
            metric,
            unusable,
            errors,
            wrong_answers: 0,
            confusion: Confusion::default(),
            lengths: Lengths::default(),
            examples,
            rows: Vec::new(),
            gold: Alignment::default(),
            repeated_ids: None,
            replaced: Replaced::default(),
            interrupted,
        }
    }

    pub(crate) fn report(&self) -> ExtractionReport {
        self.metric.accumulate()
    }
}

/// Scores a file; converted lines go to `labels`.
///
/// # Errors
/// The file cannot be read or has no records; or, unless the plan is to keep going, a line cannot
/// be used: the first one is named, on any number of threads.
pub(crate) fn score(
    input: Input,
    plan: &Plan,
    threads: NonZeroUsize,
    labels: &mut dyn Write,
) -> Result<Scored> {
    let path = input.path.clone();
    let (found, ending) = run(input, plan, threads, labels)?;
    if !plan.keep_going
        && let Some(fault) = found.unusable.first.first()
    {
        return Err(fault.clone().at(&path));
    }
    let interrupted = ending == Ending::Interrupted;
    let report = found.metric.accumulate();
    if report.records.records == 0 && found.unusable.sentences == 0 && !interrupted {
        let hint = "one JSON object on each line is wanted";
        return Err(Error::content(&path, "there are no records").with_hint(hint));
    }
    if !interrupted {
        let hint = match plan.labels {
            Labels::Write => "chunkeval labels writes the lines without a look at answers",
            Labels::Leave => FORMS,
        };
        check(&report.records, &found.metric, &plan.format)
            .map_err(|reason| Error::content(&path, reason).with_hint(hint))?;
    }
    Ok(Scored {
        metric: found.metric,
        unusable: found.unusable,
        errors: found.counted_errors,
        wrong_answers: found.wrong_answers,
        confusion: found.confusion,
        lengths: found.lengths,
        examples: found.examples.into_values().flatten().collect(),
        rows: found.rows,
        gold: found.gold,
        replaced: found.replaced,
        repeated_ids: (plan.ids == CheckIds::Yes).then(|| found.ids.into_repeated()),
        interrupted,
    })
}

/// What was converted.
pub(crate) struct Converted {
    pub(crate) lines: u64,
    /// What is no UTF-8 in them.
    pub(crate) replaced: Replaced,
    /// Lines that cannot be used.
    pub(crate) unusable: Unusable,
    /// Whether it was stopped before the end.
    pub(crate) interrupted: bool,
}

/// Converts the lines of a file, which need no answers.
///
/// # Errors
/// The file cannot be read, the lines not written; or, unless the plan is to keep going, a line
/// cannot be used.
pub(crate) fn convert(
    input: Input,
    plan: &Plan,
    threads: NonZeroUsize,
    to: &mut dyn Write,
) -> Result<Converted> {
    let path = input.path.clone();
    let (found, ending) = run(input, plan, threads, to)?;
    match found.unusable.first.first().filter(|_| !plan.keep_going) {
        Some(fault) => Err(fault.clone().at(&path)),
        None => Ok(Converted {
            lines: found.metric.accumulate().records.records,
            replaced: found.replaced,
            unusable: found.unusable,
            interrupted: ending == Ending::Interrupted,
        }),
    }
}

/// That the records have what is to be scored. Where but some lack it, the report says so.
fn check(
    records: &RecordCounts,
    metric: &ExtractionEvaluator,
    format: &RecordFormat,
) -> Result<(), String> {
    if records.records == 0 {
        return Ok(());
    }
    if records.unanswered == records.records {
        return Err(format!("no line has an answer: there is no field {}", format.answer_path()));
    }
    if metric.matching() == Matching::Grounded && records.with_text == 0 {
        return Err("no line has a text, by which --match grounded goes".to_owned());
    }
    Ok(())
}
