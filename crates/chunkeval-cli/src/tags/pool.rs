//! Scanning and counting blocks on several threads.

use std::io::{Cursor, Read};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::scope;

use chunkeval_core::ChunkCounts;

use super::columns::{BlockTexts, Columns, Scanner};
use super::counter::{Counter, Plan};
use super::evidence::Evidence;
use super::interner::Interner;
use super::labels::Labels;
use super::layout::ColumnLayout;
use super::rows::{Rows, Texts};
use super::sentences::{Hashed, Sentences, sentences};
use super::sink::Both;
use crate::input::{Block, Boundary, Feed, Input};
use crate::interrupt::Ending;
use crate::unusable::Unusable;
use crate::{Result, threads};

/// What one thread has found.
pub(super) struct Found<'l> {
    /// One for each reading of the labels.
    pub(super) counters: Vec<Counter<'l>>,
    /// Which reading is the right one, where there are several.
    pub(super) evidence: Option<Evidence<'l>>,
    pub(super) unusable: Unusable,
    /// The sentences of each block, by its first line, if they are to be kept.
    pub(super) sentences: Vec<(u64, Sentences)>,
    keeps_sentences: bool,
    /// Whether predicted tags had no tokens that could be held against those of gold.
    pub(super) bare: bool,
}

impl<'l> Found<'l> {
    pub(super) fn nothing(labels: &'l Labels<'l>, plan: &'l Plan) -> Result<Self> {
        let (counters, evidence) = (Counter::each(labels, plan)?, Evidence::wanted(labels)?);
        let (unusable, sentences) = Default::default();
        let keeps_sentences = plan.sentences;
        Ok(Self { counters, evidence, unusable, sentences, keeps_sentences, bare: false })
    }

    /// Counts rows, which begin at a line of the input.
    pub(super) fn add(&mut self, rows: &Rows, line: u64, texts: &dyn Texts) -> Result<()> {
        let known = rows.labels();
        if self.keeps_sentences {
            self.sentences.push((line, sentences(rows, &texts.lines(&rows.texts))));
        }
        self.counters.iter_mut().try_for_each(|counter| counter.add(rows, known, line, texts))?;
        self.evidence.as_mut().map_or(Ok(()), |evidence| evidence.add(rows, known))
    }
}

/// Counts a file of columns.
///
/// # Errors
/// The file cannot be read; or, unless the plan is to keep going, a line cannot be used: the first
/// one is named, on any number of threads.
pub(super) fn run<'l>(
    input: Input,
    layout: &ColumnLayout,
    labels: &'l Labels<'l>,
    plan: &'l Plan,
    threads: NonZeroUsize,
) -> Result<(Vec<Found<'l>>, Ending)> {
    let halt = input.stop.clone();
    let mut feed = Feed::new(input, Boundary::BlankLine, &halt);
    let path = feed.path().to_owned();
    // Blocks of blank lines and comments say nothing about columns.
    let mut first = feed.next(Vec::new())?;
    let mut columns = None;
    while let Some(block) = &first {
        let sniffed = Columns::sniff(layout, &plan.document_start, &block.bytes, block.line);
        columns = sniffed.map_err(|fault| fault.at(&path))?;
        if columns.is_some() {
            break;
        }
        first = feed.next(Vec::new())?;
    }
    let (Some(first), Some(columns)) = (first, columns) else {
        return Ok((Vec::new(), Ending::now()));
    };
    let worker = || Worker::new(&columns, labels, plan, &halt);
    let (found, ending) = if threads.get() == 1 {
        alone(feed, first, worker()?)?
    } else {
        shared(feed, first, worker, threads)?
    };
    let faults = found.iter().flat_map(|found| found.unusable.first.first());
    if !plan.keep_going
        && let Some(fault) = faults.min()
    {
        return Err(fault.clone().at(&path));
    }
    let ending = ending?;
    Ok((found, ending))
}

/// What the threads have found, and how reading ended. A line that cannot be used stands before the
/// place where reading failed, so both are kept.
type Parts<'l> = (Vec<Found<'l>>, Result<Ending>);

fn alone<'l>(mut feed: Feed<'_>, first: Block, mut worker: Worker<'_, 'l>) -> Result<Parts<'l>> {
    let mut block = first;
    let ending = loop {
        worker.take(&block)?;
        match feed.next(block.bytes) {
            Ok(Some(next)) => block = next,
            Ok(None) => break Ok(Ending::now()),
            Err(error) => break Err(error),
        }
    };
    Ok((vec![worker.found], ending))
}

fn shared<'c, 'l: 'c>(
    mut feed: Feed<'_>,
    first: Block,
    worker: impl Fn() -> Result<Worker<'c, 'l>> + Sync,
    threads: NonZeroUsize,
) -> Result<Parts<'l>> {
    let (give, blocks) = sync_channel(threads.get());
    let (give_back, used) = channel();
    let blocks = Mutex::new(blocks);
    scope(|scope| {
        let (blocks, worker) = (&blocks, &worker);
        let running = threads::start(scope, threads, || {
            let give_back = give_back.clone();
            move || worker()?.take_all(blocks, &give_back)
        })?;
        let ending = hand_out(&mut feed, first, &give, &used);
        drop(give);
        let ended = running.into_iter().map(|thread| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        Ok((ended.collect::<Result<_>>()?, ending))
    })
}

fn hand_out(
    feed: &mut Feed<'_>,
    first: Block,
    give: &SyncSender<Block>,
    used: &Receiver<Vec<u8>>,
) -> Result<Ending> {
    let mut block = Some(first);
    while let Some(full) = block {
        if give.send(full).is_err() {
            break; // every thread has failed, and says why
        }
        block = feed.next(used.try_recv().unwrap_or_default())?;
    }
    Ok(Ending::now())
}

/// The counting side.
struct Worker<'c, 'l> {
    columns: &'c Columns,
    scanner: Scanner,
    tags: Interner<'l>,
    rows: Rows,
    /// Hashes of its tokens.
    tokens: Vec<u64>,
    plan: &'l Plan,
    halt: &'c AtomicBool,
    found: Found<'l>,
}

impl<'c, 'l> Worker<'c, 'l> {
    fn new(
        columns: &'c Columns,
        labels: &'l Labels<'l>,
        plan: &'l Plan,
        halt: &'c AtomicBool,
    ) -> Result<Self> {
        let found = Found::nothing(labels, plan)?;
        let (scanner, tags) = (Scanner::new(columns), Interner::new(labels));
        let (rows, tokens) = Default::default();
        Ok(Self { columns, scanner, tags, rows, tokens, plan, halt, found })
    }

    /// Takes blocks until there are no more.
    fn take_all(
        mut self,
        blocks: &Mutex<Receiver<Block>>,
        give_back: &Sender<Vec<u8>>,
    ) -> Result<Found<'l>> {
        while let Some(block) = threads::next(blocks) {
            self.take(&block)?;
            let _ = give_back.send(block.bytes); // where nobody wants it, it is freed
        }
        Ok(self.found)
    }

    fn take(&mut self, block: &Block) -> Result<()> {
        let Self { columns, scanner, tags, rows, tokens, found, .. } = self;
        rows.clear();
        let before = found.unusable.sentences;
        let fault = |fault| found.unusable.push(fault);
        let mut both = Both { rows, fault };
        if self.plan.sentences {
            tokens.clear();
            scanner.scan(block, tags, &mut Hashed { both, tokens });
            rows.say(tokens);
        } else {
            scanner.scan(block, tags, &mut both);
        }
        if found.unusable.sentences > before && !self.plan.keep_going {
            // What was handed out before this block is still looked at; its faults come first.
            self.halt.store(true, Ordering::Relaxed);
        }
        found.add(rows, block.line, &BlockTexts(block, columns))
    }
}

/// The chunks of a text of columns (token, gold tag, predicted tag), read leniently: what the
/// benches measure.
///
/// # Errors
/// A line cannot be used.
pub fn count_columns(
    text: impl AsRef<[u8]> + Send + 'static,
    threads: NonZeroUsize,
) -> Result<ChunkCounts> {
    use super::{Labelling, Reading, Spelling, Style};
    let reading = Reading {
        modes: vec![chunkeval_core::Mode::Lenient],
        style: Style::Prefix,
        spelling: Spelling::Usual,
        labelling: Labelling::Strict,
    };
    let source: Box<dyn Read + Send> = Box::new(Cursor::new(text));
    let (read, stop, eager) = Default::default();
    let input = Input { source, path: "text".into(), size: None, read, stop, eager };
    let readings = [reading];
    let (labels, plan) = (Labels::new(&readings), Plan::default());
    let (found, ending) = run(input, &ColumnLayout::Auto, &labels, &plan, threads)?;
    let scored = super::scored::gather(&labels, 0, &plan, found, ending)?;
    Ok(scored.report()?.overall.counts)
}
