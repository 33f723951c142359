//! How many threads count.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// The most that are started. With many thousands a system gives out a thread, but not the memory
/// that its start needs, which ends the process.
const MOST: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// As many threads as asked for, within reason, or as there are processors.
pub(crate) fn number(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN).min(MOST)
}
