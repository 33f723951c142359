//! The mergeable half of a metric: its state is a sum that can be taken apart.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{BatchOf, Fingerprint, Metric, Result};

/// The sufficient statistics of a metric.
///
/// # Laws
/// `merge` is associative and commutative, the metric's [`zero`](Mergeable::zero) is its identity,
/// and a `merge` that fails has changed nothing.
pub trait State: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Adds another state to this one.
    ///
    /// # Errors
    /// The states are of different shape, `other` (which may come from a file) cannot have been
    /// measured, or a sum overflows.
    fn merge(&mut self, other: &Self) -> Result<()>;
}

/// A metric whose state can be measured anywhere and merged in any order: on threads, processes,
/// machines, or after a restart.
///
/// # Laws
/// - `update(batch)` is `merge(&measure(batch)?)`, and `accumulate()` is `finish(state())`.
/// - Measuring a batch equals merging the measures of its rows, cut and ordered in any way.
///
/// ```
/// use chunkeval_core::{Batch, ChunkEvaluator, Mergeable, Metric, TagBatch};
///
/// let mut whole = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// let mut parts = whole.clone();
/// let batch = TagBatch::new(&[1, 2, 0, 1], &[1, 2, 0, 0], &[3, 4])?;
///
/// whole.update(batch)?;
/// for row in [1, 0] {
///     let state = parts.measure(batch.rows(row..row + 1))?; // on another thread, if you like
///     parts.merge(&state)?;
/// }
/// assert_eq!(whole.accumulate(), parts.accumulate());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
pub trait Mergeable: Metric {
    /// The statistics that are kept.
    type State: State;

    /// The configuration, written out. A [`Snapshot`] carries it and is refused by a metric of
    /// another one; a bare state is checked for its shape and its sums only.
    fn fingerprint(&self) -> Fingerprint;

    /// The state of nothing seen.
    fn zero(&self) -> Self::State;

    /// The state of everything seen since the last reset.
    fn state(&self) -> &Self::State;

    /// The state of one batch alone.
    ///
    /// # Errors
    /// As for [`update`](Metric::update).
    fn measure(&self, batch: BatchOf<'_, Self>) -> Result<Self::State>;

    /// Adds a state that was measured anywhere by a metric of the same configuration.
    ///
    /// # Errors
    /// As for [`State::merge`]; the metric is then as it was before the call.
    fn merge(&mut self, state: &Self::State) -> Result<()>;

    /// The value of a state, without touching the metric.
    fn finish(&self, state: &Self::State) -> Self::Output;
}

/// A saved state together with the configuration it belongs to.
///
/// Write it with any serde format; the metric that takes it back must have the same configuration.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Snapshot, TagBatch};
///
/// let mut metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// metric.update(TagBatch::new(&[1, 2], &[1, 2], &[2])?)?;
/// let saved = serde_json::to_string(&Snapshot::of(&metric)).unwrap();
///
/// let mut other = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
/// serde_json::from_str::<Snapshot<_>>(&saved).unwrap().restore_into(&mut other)?;
/// assert_eq!(other.accumulate().overall.f1, 1.0);
///
/// let mut different = ChunkEvaluator::new(["O", "B-LOC", "I-LOC"])?;
/// assert!(serde_json::from_str::<Snapshot<_>>(&saved).unwrap().restore_into(&mut different).is_err());
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot<S> {
    /// The configuration the state belongs to.
    pub fingerprint: Fingerprint,
    /// The state.
    pub state: S,
}

impl<S: State> Snapshot<S> {
    /// The state of a metric as it is now.
    pub fn of<M: Mergeable<State = S>>(metric: &M) -> Self {
        Self { fingerprint: metric.fingerprint(), state: metric.state().clone() }
    }

    /// Puts the state in place of the metric's own.
    ///
    /// # Errors
    /// The configurations differ, or the state is malformed; the metric then has the state it had.
    pub fn restore_into<M: Mergeable<State = S>>(&self, metric: &mut M) -> Result<()> {
        metric.fingerprint().takes(&self.fingerprint)?;
        metric.zero().merge(&self.state)?;
        let before = metric.state().clone();
        metric.reset();
        let restored = metric.merge(&self.state);
        if restored.is_err() {
            // The metric itself knows better than the state what cannot have been measured.
            metric.reset();
            metric.merge(&before)?;
        }
        restored
    }

    /// Adds the state to the metric's own: shards scored apart add up to the whole.
    ///
    /// # Errors
    /// As for [`restore_into`](Snapshot::restore_into).
    pub fn merge_into<M: Mergeable<State = S>>(&self, metric: &mut M) -> Result<()> {
        metric.fingerprint().takes(&self.fingerprint)?;
        metric.merge(&self.state)
    }
}
