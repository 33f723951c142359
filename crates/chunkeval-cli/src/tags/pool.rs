//! Scanning and counting blocks on several threads.

use std::io::{Cursor, Read};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use chunkeval_core::ChunkCounts;

use super::block::{Block, Blocks};
use super::columns::{BlockTexts, Columns, Scanner};
use super::counter::{Counter, Plan};
use super::interner::Interner;
use super::labels::Labels;
use super::layout::ColumnLayout;
use super::rows::Rows;
use super::unusable::Unusable;
use crate::input::Input;
use crate::progress::Progress;
use crate::{Error, Result, interrupt};

/// What one thread has found.
pub(super) struct Found<'l> {
    pub(super) counter: Counter<'l>,
    pub(super) unusable: Unusable,
}

/// Whether everything was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Interrupted,
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
    let progress = Progress::new(input.size, input.read.clone());
    let mut blocks = Blocks::new(input);
    let path = blocks.path().to_owned();
    // Blocks of blank lines and comments say nothing about columns.
    let mut first = blocks.next(Vec::new())?;
    let mut columns = None;
    while let Some(block) = &first {
        let sniffed = Columns::sniff(layout, &block.bytes, block.line);
        columns = sniffed.map_err(|fault| super::reading::at(&path, fault))?;
        if columns.is_some() {
            break;
        }
        first = blocks.next(Vec::new())?;
    }
    let (Some(first), Some(columns)) = (first, columns) else {
        return Ok((Vec::new(), Ending::Whole));
    };
    let halt = AtomicBool::new(false);
    let worker = || Worker::new(&columns, labels, plan, &halt);
    let work = Work { blocks, progress, halt: &halt };
    let (found, ending) = if threads.get() == 1 {
        work.alone(first, worker()?)?
    } else {
        work.shared(first, worker, threads)?
    };
    let faults = found.iter().flat_map(|found| found.unusable.first.first());
    if !plan.keep_going
        && let Some(fault) = faults.min()
    {
        return Err(super::reading::at(&path, fault.clone()));
    }
    let ending = ending?;
    Ok((found, ending))
}

/// The reading side.
struct Work<'h> {
    blocks: Blocks,
    progress: Progress,
    halt: &'h AtomicBool,
}

/// What the threads have found, and how reading ended. A line that cannot be used stands before the
/// place where reading failed, so both are kept.
type Parts<'l> = (Vec<Found<'l>>, Result<Ending>);

impl Work<'_> {
    fn alone<'l>(mut self, first: Block, mut worker: Worker<'_, 'l>) -> Result<Parts<'l>> {
        let mut block = first;
        let ending = loop {
            worker.take(&block)?;
            match self.next(block.bytes) {
                Ok(Some(next)) => block = next,
                Ok(None) => break Ok(self.ending()),
                Err(error) => break Err(error),
            }
        };
        Ok((vec![worker.found], ending))
    }

    fn shared<'c, 'l: 'c>(
        mut self,
        first: Block,
        worker: impl Fn() -> Result<Worker<'c, 'l>> + Sync,
        threads: NonZeroUsize,
    ) -> Result<Parts<'l>> {
        let threads = threads.get();
        let (give, blocks) = sync_channel(threads);
        let (give_back, used) = channel();
        let blocks = Mutex::new(blocks);
        scope(|scope| {
            let (blocks, worker) = (&blocks, &worker);
            let mut running = Vec::new();
            for _ in 0..threads {
                let give_back = give_back.clone();
                let work = move || worker()?.take_all(blocks, &give_back);
                match Builder::new().spawn_scoped(scope, work) {
                    Ok(thread) => running.push(thread),
                    Err(_) if !running.is_empty() => break, // the system has no more threads
                    Err(error) => return Err(Error::read(Path::new("a thread"), error)),
                }
            }
            let ending = self.hand_out(first, &give, &used);
            drop(give);
            let ended = running.into_iter().map(|thread| match thread.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            Ok((ended.collect::<Result<_>>()?, ending))
        })
    }

    fn hand_out(
        &mut self,
        first: Block,
        give: &SyncSender<Block>,
        used: &Receiver<Vec<u8>>,
    ) -> Result<Ending> {
        let mut block = Some(first);
        while let Some(full) = block {
            if give.send(full).is_err() {
                break; // every thread has failed, and says why
            }
            block = self.next(used.try_recv().unwrap_or_default())?;
        }
        Ok(self.ending())
    }

    /// The next block, unless there is a reason to stop.
    fn next(&mut self, memory: Vec<u8>) -> Result<Option<Block>> {
        self.progress.show();
        if self.halt.load(Ordering::Relaxed) || interrupt::asked() {
            return Ok(None);
        }
        self.blocks.next(memory)
    }

    fn ending(&self) -> Ending {
        if interrupt::asked() { Ending::Interrupted } else { Ending::Whole }
    }
}

/// The counting side.
struct Worker<'c, 'l> {
    columns: &'c Columns,
    scanner: Scanner<'c>,
    tags: Interner<'l>,
    rows: Rows,
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
        let found = Found { counter: Counter::new(labels, plan)?, unusable: Unusable::default() };
        let (scanner, tags) = (Scanner::new(columns), Interner::new(labels));
        Ok(Self { columns, scanner, tags, rows: Rows::default(), plan, halt, found })
    }

    /// Takes blocks until there are no more.
    fn take_all(
        mut self,
        blocks: &Mutex<Receiver<Block>>,
        give_back: &Sender<Vec<u8>>,
    ) -> Result<Found<'l>> {
        loop {
            let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(block) = next else { return Ok(self.found) };
            self.take(&block)?;
            let _ = give_back.send(block.bytes); // where nobody wants it, it is freed
        }
    }

    fn take(&mut self, block: &Block) -> Result<()> {
        let Self { columns, scanner, tags, rows, found, .. } = self;
        rows.clear();
        let before = found.unusable.sentences;
        scanner.scan(block, tags, rows, |fault| found.unusable.push(fault));
        if found.unusable.sentences > before && !self.plan.keep_going {
            // What was handed out before this block is still looked at; its faults come first.
            self.halt.store(true, Ordering::Relaxed);
        }
        found.counter.add(rows, block.line, &BlockTexts(block, columns))
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
    let input = Input { source, path: "text".into(), size: None, read: Default::default() };
    let (labels, plan) = (Labels::new(&reading), Plan::default());
    let (found, ending) = run(input, &ColumnLayout::Auto, &labels, &plan, threads)?;
    let scored = super::scored::gather(&labels, &plan, found, ending)?;
    Ok(scored.report()?.overall.counts)
}
