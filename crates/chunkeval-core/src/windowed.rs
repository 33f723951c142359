//! [`Windowed`]: the value over the last batches.

use std::collections::VecDeque;

use crate::{BatchOf, Error, ErrorKind, Fingerprint, Mergeable, Metric, Result, Snapshot, State};

/// A metric over the last `size` updates, for curves of a training run that forget its beginning.
///
/// The value is that of the rows of these updates together, not a mean of their values. An update
/// with an empty batch is an update.
///
/// A window sees batches, so its value depends on how rows are cut into them: of the laws of
/// [`Metric`], "batches are an accident" does not hold, and the others do. For the same reason it
/// is not [`Mergeable`]: the last updates of two windows are not the last ones of both. It can be
/// [saved](Windowed::snapshot) with a run that is to go on.
///
/// It keeps one state for each update of the window, and merges all of them at each update.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, TagBatch, Windowed};
///
/// let mut recent = Windowed::new(ChunkEvaluator::new(["O", "B-PER", "I-PER"])?, 2)?;
/// for predicted in [0, 0, 1, 1] {
///     recent.update(TagBatch::new(&[1], &[predicted], &[1])?)?;
/// }
/// assert_eq!(recent.accumulate().overall.recall, 1.0); // of the last two, not 2 / 4
///
/// let saved = serde_json::to_string(&recent.snapshot()).unwrap();
/// let mut resumed = Windowed::new(ChunkEvaluator::new(["O", "B-PER", "I-PER"])?, 2)?;
/// resumed.restore(&serde_json::from_str(&saved).unwrap())?;
/// resumed.update(TagBatch::new(&[1], &[0], &[1])?)?;
/// assert_eq!(resumed.accumulate().overall.recall, 1.0 / 2.0);
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Windowed<M: Mergeable> {
    /// Its state is that of the last batch, or of none after a failure; it is not read elsewhere.
    metric: M,
    size: usize,
    /// The states of the last updates, oldest first.
    states: VecDeque<M::State>,
    sum: M::State,
    /// The next sum, while it is made.
    next: M::State,
}

impl<M: Mergeable> Windowed<M> {
    /// A window of `size` updates, with the configuration of `metric`; what that has seen is
    /// forgotten.
    ///
    /// # Errors
    /// `size` is 0.
    pub fn new(metric: M, size: usize) -> Result<Self> {
        if size == 0 {
            return Err(Error::config("Windowed", "the number of updates must be at least 1"));
        }
        let zero = metric.zero();
        let states = VecDeque::new();
        Ok(Self { metric, size, states, sum: zero.clone(), next: zero })
    }

    /// The states of the last updates, to be saved and given to [`restore`](Windowed::restore).
    pub fn snapshot(&self) -> Snapshot<Vec<M::State>> {
        let state = self.states.iter().cloned().collect();
        Snapshot { fingerprint: self.fingerprint(), state }
    }

    /// Puts a saved window in place of this one: a run that is resumed goes on as one that was
    /// never stopped.
    ///
    /// # Errors
    /// The configurations or sizes differ, or a state is malformed; nothing has changed then.
    pub fn restore(&mut self, saved: &Snapshot<Vec<M::State>>) -> Result<()> {
        self.fingerprint().takes(&saved.fingerprint)?;
        let (expected, found) = (self.size, saved.state.len());
        if found > expected {
            let what = "updates in the window";
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        self.metric.reset();
        saved.state.iter().try_for_each(|state| self.metric.merge(state))?;
        self.sum.clone_from(self.metric.state());
        self.states = saved.state.iter().cloned().collect();
        Ok(())
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(format!("window/1 size={} {}", self.size, self.metric.fingerprint()))
    }
}

impl<M: Mergeable> Metric for Windowed<M> {
    type Task = M::Task;
    type Output = M::Output;

    fn name(&self) -> Vec<&str> {
        self.metric.name()
    }

    fn reset(&mut self) {
        self.metric.reset();
        self.states.clear();
        self.sum.clone_from(self.metric.state());
    }

    fn update(&mut self, batch: BatchOf<'_, M>) -> Result<()> {
        self.metric.reset();
        self.metric.update(batch)?;
        let newest = self.metric.state();
        let full = self.states.len() == self.size;
        self.next.clone_from(newest);
        for state in self.states.iter().skip(usize::from(full)) {
            self.next.merge(state)?;
        }
        std::mem::swap(&mut self.sum, &mut self.next);
        match if full { self.states.pop_front() } else { None } {
            Some(mut oldest) => {
                oldest.clone_from(newest);
                self.states.push_back(oldest);
            }
            None => self.states.push_back(newest.clone()),
        }
        Ok(())
    }

    fn accumulate(&self) -> M::Output {
        self.metric.finish(&self.sum)
    }
}
