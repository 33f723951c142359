//! Reading blocks on one thread and measuring them on several.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, scope};

use chunkeval_llm::RecordParser;

use super::block::{Block, Blocks};
use super::worker::{Found, Plan, measure};
use crate::progress::Progress;
use crate::{Error, Result, interrupt};

/// How reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Interrupted,
}

/// A block, or what was found in it, with its place in the file.
type Numbered<T> = (u64, T);

/// Measures all blocks and puts what was found together in the order of the lines. Converted lines
/// go to `labels`.
///
/// # Errors
/// The file cannot be read, the lines not written.
pub(super) fn run(
    blocks: Blocks,
    progress: &Progress,
    plan: &Plan,
    threads: NonZeroUsize,
    labels: &mut dyn Write,
) -> Result<(Found, Ending)> {
    let path = blocks.path().to_owned();
    let halt = AtomicBool::new(false);
    let measure = |block: &Block, parser: &mut RecordParser| {
        let found = measure(block, &path, plan, parser)?;
        if found.unusable.sentences > 0 && !plan.keep_going {
            // Blocks that were handed out before are still looked at; their faults come first.
            halt.store(true, Ordering::Relaxed);
        }
        Ok(found)
    };
    let mut sum = InOrder { sum: Found::nothing(plan), next: 0, waiting: Vec::new(), plan, labels };
    let mut source = Source { blocks, progress, halt: &halt, number: 0 };
    if threads.get() == 1 {
        let mut parser = RecordParser::new(plan.format.clone());
        while let Some((number, block)) = source.next()? {
            sum.take((number, measure(&block, &mut parser)?))?;
        }
        return Ok((sum.sum, source.ending()));
    }
    let (give, blocks) = sync_channel(threads.get());
    let (done, found) = channel();
    let blocks = Mutex::new(blocks);
    let ending = scope(|scope| {
        let (blocks, measure) = (&blocks, &measure);
        let mut running = 0;
        for _ in 0..threads.get() {
            let done = done.clone();
            let work = move || {
                let mut parser = RecordParser::new(plan.format.clone());
                work(blocks, &done, |block| measure(block, &mut parser));
            };
            match Builder::new().spawn_scoped(scope, work) {
                Ok(_) => running += 1,
                Err(_) if running > 0 => break, // the system has no more threads
                Err(error) => return Err(Error::read("a thread".as_ref(), error)),
            }
        }
        drop(done);
        let mut handed_out = || -> Result<Ending> {
            while let Some(block) = source.next()? {
                if give.send(block).is_err() {
                    break;
                }
                while let Ok((number, found)) = found.try_recv() {
                    sum.take((number, found?))?;
                }
            }
            Ok(source.ending())
        };
        let ending = handed_out();
        drop(give);
        for (number, found) in found {
            sum.take((number, found?))?;
        }
        ending
    })?;
    Ok((sum.sum, ending))
}

/// Takes blocks until there are no more.
fn work(
    blocks: &Mutex<Receiver<Numbered<Block>>>,
    done: &Sender<Numbered<Result<Found>>>,
    mut measure: impl FnMut(&Block) -> Result<Found>,
) {
    loop {
        let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, block)) = next else { return };
        if done.send((number, measure(&block))).is_err() {
            return;
        }
    }
}

/// The reading side.
struct Source<'p> {
    blocks: Blocks,
    progress: &'p Progress,
    halt: &'p AtomicBool,
    number: u64,
}

impl Source<'_> {
    /// The next block, unless there is a reason to stop.
    fn next(&mut self) -> Result<Option<Numbered<Block>>> {
        self.progress.show();
        if self.halt.load(Ordering::Relaxed) || interrupt::asked() {
            return Ok(None);
        }
        let number = self.number;
        self.number += 1;
        Ok(self.blocks.next()?.map(|block| (number, block)))
    }

    fn ending(&self) -> Ending {
        if interrupt::asked() { Ending::Interrupted } else { Ending::Whole }
    }
}

/// Adds up what was found, block behind block.
struct InOrder<'p> {
    sum: Found,
    next: u64,
    /// Blocks that were done before their turn: at most some for each thread.
    waiting: Vec<Numbered<Found>>,
    plan: &'p Plan,
    labels: &'p mut dyn Write,
}

impl InOrder<'_> {
    fn take(&mut self, found: Numbered<Found>) -> Result<()> {
        self.waiting.push(found);
        while let Some(at) = self.waiting.iter().position(|(number, _)| *number == self.next) {
            let (_, found) = self.waiting.swap_remove(at);
            let written = self.labels.write_all(found.lines.as_bytes());
            written.map_err(|e| Error::write("the converted lines", e))?;
            self.sum.add(found, self.plan)?;
            self.next += 1;
        }
        Ok(())
    }
}
