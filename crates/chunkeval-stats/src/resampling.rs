//! [`Resampling`]: how many resamples, from which seed, on how many threads.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use serde::{Deserialize, Serialize};

use crate::{Error, IntervalMethod, Result};

/// How to resample: the options of every interval and test here.
///
/// Equal options on equal units give equal results to the last bit, on any machine and any number
/// of threads: each resample has a random stream of its own.
///
/// ```
/// use chunkeval_stats::{IntervalMethod, Resampling};
///
/// let how = Resampling::new(10_000).seed(7).level(0.99).method(IntervalMethod::Bca).threads(4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Resampling {
    pub(crate) resamples: u32,
    pub(crate) seed: u64,
    pub(crate) level: f64,
    pub(crate) method: IntervalMethod,
    pub(crate) threads: usize,
    #[serde(skip)]
    stop: Stop,
}

/// Whether to go on is asked here.
#[derive(Clone, Copy, Debug, Default)]
struct Stop(Option<fn() -> bool>);

/// It changes no result.
impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The random numbers behind every result, for the record.
pub const GENERATOR: &str = "ChaCha8, a stream for each resample";

/// What rounding may do to scores up to 1. Scores of few units have many ties: losing some of them
/// would move a p-value from 0.8 to 0.5.
pub(crate) const TOLERANCE: f64 = 1e-12;

impl Resampling {
    /// The most resamples that are drawn. Their scores are kept until all are there, so memory bounds
    /// them; and a p-value near 0.05 out of a million is sure to 0.0005.
    pub const MOST: u32 = 1_000_000;

    /// So many resamples; 95% percentile intervals, seed 0, one thread.
    ///
    /// More than [`MOST`](Resampling::MOST) are an error of what is done with them.
    pub const fn new(resamples: u32) -> Self {
        let method = IntervalMethod::Percentile;
        Self { resamples, seed: 0, level: 0.95, method, threads: 1, stop: Stop(None) }
    }

    /// Where the random numbers begin.
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The share of intervals that hold the true value, between 0 and 1.
    pub const fn level(self, level: f64) -> Self {
        Self { level, ..self }
    }

    /// How the ends of an interval are found.
    pub const fn method(self, method: IntervalMethod) -> Self {
        Self { method, ..self }
    }

    /// On how many threads; 0 counts as 1. It changes no result. A thread that the system refuses to
    /// start is done without.
    pub const fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Asks before each resample whether to stop; if so, the result is [`Error::Stopped`].
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use chunkeval_stats::{Error, Mean, Resampling, Values};
    ///
    /// static ENOUGH: AtomicBool = AtomicBool::new(false); // a handler of Ctrl-C sets it
    ///
    /// let values = Values::new(&[1.0, 0.0, 1.0, 1.0])?;
    /// let how = Resampling::new(1000).stop_if(|| ENOUGH.load(Ordering::Relaxed));
    /// assert_eq!(how.interval(&values, Mean::mean)?.point, 0.75);
    /// ENOUGH.store(true, Ordering::Relaxed);
    /// assert!(matches!(how.interval(&values, Mean::mean), Err(Error::Stopped)));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn stop_if(self, asked: fn() -> bool) -> Self {
        Self { stop: Stop(Some(asked)), ..self }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.resamples == 0 {
            return Err(Error::option("resamples", "at least one is needed"));
        }
        if self.resamples > Self::MOST {
            let (resamples, most) = (self.resamples, Self::MOST);
            return Err(Error::TooManyResamples { resamples, scores: 1, most });
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            let reason = format!("{} is not between 0 and 1", self.level);
            return Err(Error::option("level", reason));
        }
        Ok(())
    }
}

/// So many scores of resamples are kept at once, at most: they take 32 bytes each, 4 GiB in all.
const MOST_VALUES: usize = 1 << 27;

/// Room for the scores of all resamples, `width` of them for each.
///
/// # Errors
/// There are more than can be kept, or there is no memory for them.
fn room(resamples: u32, width: usize) -> Result<Vec<Option<f64>>> {
    let most = u32::try_from(MOST_VALUES / width).unwrap_or(u32::MAX);
    let too_many = |most| Error::TooManyResamples { resamples, scores: width, most };
    let values = (resamples as usize).checked_mul(width).filter(|values| *values <= MOST_VALUES);
    let values = values.ok_or_else(|| too_many(most))?;
    let mut room = Vec::new();
    room.try_reserve_exact(values).map_err(|_| Error::NoMemory { resamples, scores: width })?;
    room.resize(values, None);
    Ok(room)
}

/// Calls a worker for each resample and returns its values, `width` of them for each, in the order
/// of the resamples. Each thread has a worker of its own, with the memory it uses again.
///
/// # Errors
/// There are too many values, a worker fails, or nobody wants the result any more.
pub(crate) fn each_resample<W>(
    how: &Resampling,
    width: usize,
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<Option<f64>>>
where
    W: FnMut(u32, &mut [Option<f64>]) -> Result<()>,
{
    let &Resampling { resamples, threads, stop, .. } = how;
    let threads = u32::try_from(threads.max(1)).unwrap_or(u32::MAX).min(resamples.max(1));
    let share = resamples.div_ceil(threads).max(1);
    let width = width.max(1);
    let mut values = room(resamples, width)?;
    let parts = values.chunks_mut(share as usize * width).zip((0..).step_by(share as usize));
    let parts = Mutex::new(parts);
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || -> Result<()> {
        let mut work = worker();
        while let Some((values, first)) = next() {
            for (i, values) in (first..).zip(values.chunks_mut(width)) {
                if stop.0.is_some_and(|asked| asked()) {
                    return Err(Error::Stopped);
                }
                work(i, values)?;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, run).ok();
        // What the system starts no thread for is left to the others.
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let ended = others.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic), // out of the caller's own score
        });
        ended.fold(run(), Result::and)
    })?;
    Ok(values)
}
