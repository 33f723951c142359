//! Reading blocks on one thread and measuring them on several.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{channel, sync_channel};
use std::thread::scope;

use super::worker::{Found, Plan, Worker};
use crate::input::{Block, Boundary, Feed, Input};
use crate::interrupt::Ending;
use crate::{Error, Result, threads};

/// A block, or what was found in it, with its place in the file.
type Numbered<T> = (u64, T);

/// Measures all blocks and puts what was found together in the order of the lines. Converted lines
/// go to `labels`.
///
/// # Errors
/// The file cannot be read, the lines not written.
pub(super) fn run(
    input: Input,
    plan: &Plan,
    threads: NonZeroUsize,
    labels: &mut dyn Write,
) -> Result<(Found, Ending)> {
    let path = input.path.clone();
    let halt = input.stop.clone();
    let measure = |block: &Block, worker: &mut Worker<'_>| -> Result<Found> {
        let found = worker.measure(block, &path)?;
        if found.unusable.sentences > 0 && !plan.keep_going {
            // Blocks that were handed out before are still looked at; their faults come first.
            halt.store(true, Ordering::Relaxed);
        }
        Ok(found)
    };
    let mut sum = InOrder { sum: Found::nothing(plan), next: 0, waiting: Vec::new(), plan, labels };
    let mut source = Source { feed: Feed::new(input, Boundary::Line, &halt), number: 0 };
    if threads.get() == 1 {
        let mut worker = Worker::new(plan);
        let mut memory = Vec::new();
        while let Some((number, block)) = source.next(memory)? {
            sum.take((number, measure(&block, &mut worker)?))?;
            memory = block.bytes;
        }
        return Ok((sum.sum, Ending::now()));
    }
    let (give, blocks) = sync_channel(threads.get());
    let (done, found) = channel();
    let blocks = Mutex::new(blocks);
    let ending = scope(|scope| {
        let (blocks, measure) = (&blocks, &measure);
        threads::start(scope, threads, || {
            let done = done.clone();
            move || {
                let mut worker = Worker::new(plan);
                while let Some((number, block)) = threads::next(blocks) {
                    if done.send((number, measure(&block, &mut worker))).is_err() {
                        return; // what was found is no longer wanted
                    }
                }
            }
        })?;
        drop(done);
        let mut handed_out = || -> Result<Ending> {
            while let Some(block) = source.next(Vec::new())? {
                if give.send(block).is_err() {
                    break;
                }
                while let Ok((number, found)) = found.try_recv() {
                    sum.take((number, found?))?;
                }
            }
            Ok(Ending::now())
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

/// The reading side.
struct Source<'h> {
    feed: Feed<'h>,
    number: u64,
}

impl Source<'_> {
    /// The next block, in the memory of an old one.
    fn next(&mut self, memory: Vec<u8>) -> Result<Option<Numbered<Block>>> {
        let block = self.feed.next(memory)?.map(|block| (self.number, block));
        self.number += 1;
        Ok(block)
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
            // Behind a line that ends the run nothing is written.
            if self.plan.keep_going || self.sum.unusable.sentences == 0 {
                let written = self.labels.write_all(found.lines.as_bytes());
                written.map_err(|e| Error::write("the converted lines", e))?;
            }
            self.sum.add(found, self.plan)?;
            self.next += 1;
        }
        Ok(())
    }
}
