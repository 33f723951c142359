//! How many threads count, how they start and where they get their work.

use std::num::NonZeroUsize;
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism};

use crate::{Error, Result};

/// The most that are started. With many thousands a system gives out a thread, but not the memory
/// that its start needs, which ends the process.
const MOST: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// As many threads as asked for, within reason, or as there are processors.
pub(crate) fn number(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN).min(MOST)
}

/// Starts so many threads, or as many of them as the system has, each with work of its own.
///
/// # Errors
/// There is none to be had.
pub(crate) fn start<'s, T: Send + 's, W: FnOnce() -> T + Send + 's>(
    scope: &'s Scope<'s, '_>,
    threads: NonZeroUsize,
    mut work: impl FnMut() -> W,
) -> Result<Vec<ScopedJoinHandle<'s, T>>> {
    let mut running = Vec::new();
    for _ in 0..threads.get() {
        match Builder::new().spawn_scoped(scope, work()) {
            Ok(thread) => running.push(thread),
            Err(_) if !running.is_empty() => break,
            Err(error) => return Err(Error::read("a thread".as_ref(), error)),
        }
    }
    Ok(running)
}

/// The next piece of work that threads share; `None` when there is no more.
pub(crate) fn next<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
