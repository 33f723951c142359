//! Counting rows under a list of labels that grows.

use chunkeval_core::{ChunkErrors, Mergeable, Metric, RowCounts, SideBySide, TokenEvaluator};

use super::Reading;
use super::bucket::{By, sort};
use super::example::Examples;
use super::labels::Labels;
use super::rows::{Begin, Rows, Texts};
use super::unit::Resampled;
use super::whole::{self, Piece};
use crate::{Error, Result};

/// What is counted besides the chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Rows sorted into buckets.
    pub(crate) by: Vec<By>,
    /// Whether errors are told apart, and how many of each kind are listed.
    pub(crate) errors: Option<usize>,
    /// Whether the file is counted as a whole besides, as conlleval.pl does.
    pub(crate) whole: bool,
    /// The units whose counts are kept, which takes memory.
    pub(crate) units: Option<Resampled>,
    /// Whether it is kept which sentences were counted, so that another file can be held against
    /// this one.
    pub(crate) sentences: bool,
    /// What lines that begin a document begin with, besides -DOCSTART- as the layout has it.
    pub(crate) document_start: String,
    /// Whether sentences that cannot be used are left out, rather than ending the run.
    pub(crate) keep_going: bool,
}

/// Counts rows in one reading; what several counters have counted can be added up.
#[derive(Debug)]
pub(super) struct Counter<'l> {
    labels: &'l Labels<'l>,
    /// Which of their readings.
    at: usize,
    reading: &'l Reading,
    plan: &'l Plan,
    /// None once there is a label that cannot be read in this reading, while others can.
    metrics: Option<Metrics>,
    sorted: Vec<Rows>,
    /// The first errors of each kind in each mode, if they are told apart.
    pub(super) examples: Vec<Examples>,
    /// The rows of each block.
    pub(super) kept: Vec<Kept>,
    /// What belongs to several blocks, where the file is counted as a whole.
    pub(super) pieces: Vec<Piece>,
}

/// The counts of each row of a block.
#[derive(Debug)]
pub(super) struct Kept {
    /// The first line of the block.
    pub(super) line: u64,
    /// In each mode.
    pub(super) rows: Vec<RowCounts>,
    /// How many labels were known.
    pub(super) known: usize,
    /// Where documents begin.
    pub(super) documents: Vec<Begin>,
}

/// Metrics over the same labels.
#[derive(Debug)]
pub(super) struct Metrics {
    /// How many labels of the list they have; with none, nothing was counted yet.
    pub(super) known: usize,
    /// A metric for each bucket.
    pub(super) buckets: Vec<SideBySide>,
    pub(super) tokens: TokenEvaluator,
    /// Of the file as a whole, if that is counted; and for each label whether it closes a match.
    pub(super) whole: Option<(SideBySide, Vec<bool>)>,
    /// The errors in each mode, if they are told apart.
    pub(super) errors: Vec<ChunkErrors>,
    /// Finds the errors of one block in each mode, to be listed.
    listers: Vec<ChunkErrors>,
}

impl Metrics {
    pub(super) fn new(reading: &Reading, plan: &Plan, list: &[String]) -> Result<Self> {
        let known = list.len();
        let outside = ["O".to_owned()]; // a list cannot be empty
        let list = if list.is_empty() { &outside } else { list };
        let metric = reading.metric(list)?;
        let modes = metric.readings().iter().filter(|_| plan.errors.is_some());
        let errors = modes.map(|mode| ChunkErrors::with_tags(mode.tags().clone()));
        let errors: Vec<ChunkErrors> = errors.collect::<Result<_, _>>()?;
        let listed = plan.errors.unwrap_or(0);
        Ok(Self {
            known,
            whole: plan.whole.then(|| (metric.clone(), reading.closes(list))),
            buckets: vec![metric; By::buckets(&plan.by).len()],
            tokens: TokenEvaluator::new(list.iter().cloned())?,
            listers: errors.iter().map(|errors| errors.clone().list_first(listed)).collect(),
            errors,
        })
    }

    /// Adds what was counted under a part of the labels.
    pub(super) fn absorb(&mut self, part: &Self) -> Result<()> {
        for (mine, theirs) in self.buckets.iter_mut().zip(&part.buckets) {
            mine.absorb(theirs)?;
        }
        self.tokens.merge(part.tokens.state())?;
        if let (Some((mine, _)), Some((theirs, _))) = (&mut self.whole, &part.whole) {
            mine.absorb(theirs)?;
        }
        for (mine, theirs) in self.errors.iter_mut().zip(&part.errors) {
            mine.absorb(theirs)?;
        }
        Ok(())
    }
}

impl<'l> Counter<'l> {
    /// A counter for each reading of the labels.
    pub(super) fn each(labels: &'l Labels<'l>, plan: &'l Plan) -> Result<Vec<Self>> {
        let readings = labels.readings().iter().enumerate();
        readings.map(|(at, reading)| Self::new(labels, at, reading, plan)).collect()
    }

    fn new(
        labels: &'l Labels<'l>,
        at: usize,
        reading: &'l Reading,
        plan: &'l Plan,
    ) -> Result<Self> {
        let metrics = Metrics::new(reading, plan, &[])?;
        let mut sorted = Vec::new();
        sorted.resize_with(metrics.buckets.len(), Rows::default);
        let examples = vec![Examples::new(plan.errors.unwrap_or(0)); metrics.errors.len()];
        let metrics = Some(metrics);
        let (kept, pieces) = Default::default();
        Ok(Self { labels, at, reading, plan, metrics, sorted, examples, kept, pieces })
    }

    /// What was counted, if anything was.
    pub(super) fn metrics(&self) -> Option<&Metrics> {
        self.metrics.as_ref().filter(|metrics| metrics.known > 0)
    }

    /// Counts rows of so many labels, which begin at a line of the input; nothing if some label
    /// cannot be read.
    pub(super) fn add(
        &mut self,
        rows: &Rows,
        labels: usize,
        line: u64,
        texts: &dyn Texts,
    ) -> Result<()> {
        let Some(metrics) = &mut self.metrics else { return Ok(()) };
        if labels > metrics.known {
            let Some(list) = self.labels.list_for(self.at) else {
                self.metrics = None;
                return Ok(());
            };
            let mut longer = Metrics::new(self.reading, self.plan, &list)?;
            if metrics.known > 0 {
                longer.absorb(metrics)?;
            }
            *metrics = longer;
        }
        let batch = rows.batch()?;
        metrics.tokens.update(batch)?;
        if let Some((metric, closes)) = &mut metrics.whole {
            self.pieces.extend(whole::count(rows, line, closes, metric)?);
        }
        match &mut *metrics.buckets {
            [metric] => metric.update(batch)?,
            buckets => {
                sort(rows, &mut self.sorted);
                for (metric, rows) in buckets.iter_mut().zip(&self.sorted) {
                    metric.update(rows.batch()?)?;
                }
            }
        }
        let modes = metrics.errors.iter_mut().zip(&mut metrics.listers).zip(&mut self.examples);
        for ((all, lister), examples) in modes {
            if examples.full() {
                all.update(batch)?;
                continue;
            }
            lister.reset();
            lister.update(batch)?;
            all.merge(lister.state())?;
            for error in lister.errors() {
                let text = usize::try_from(error.row).ok().and_then(|row| rows.texts.get(row));
                examples.push(&error, text.copied().unwrap_or_default(), texts);
            }
        }
        if let (Some(_), Some(metric)) = (self.plan.units, metrics.buckets.first()) {
            let in_mode = |reading| {
                let mut counts = RowCounts::new(reading);
                counts.push(reading, batch).map_err(Error::Core)?;
                Ok(counts)
            };
            let counts = metric.readings().iter().map(in_mode).collect::<Result<Vec<_>>>()?;
            let (known, documents) = (metrics.known, rows.documents.clone());
            self.kept.push(Kept { line, rows: counts, known, documents });
        }
        Ok(())
    }
}
