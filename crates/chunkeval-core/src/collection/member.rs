//! A metric of a collection, without its type.

use std::any::Any;

use serde::Deserialize;
use serde_json::Value;

use crate::scalars::visit_under;
use crate::{Error, Mergeable, Result, Scalars, Snapshot, Task};

/// What a collection asks of its members. It is private: were it implemented for all metrics in
/// sight, `metric.reset()` would be ambiguous.
pub(super) trait Member<T: Task>: Send {
    /// The metric itself.
    fn as_any(&self) -> &dyn Any;
    fn reset(&mut self);
    fn update(&mut self, batch: T::Batch<'_>) -> Result<()>;
    fn visit(&self, key: &str, each: &mut dyn FnMut(&str, Option<f64>));
    fn save(&self) -> Result<Snapshot<Value>>;
    /// A merge that fails changes nothing, and neither does a restore or an update.
    fn merge(&mut self, saved: &Snapshot<Value>) -> Result<()>;
    fn restore(&mut self, saved: &Snapshot<Value>) -> Result<()>;
    /// Keeps the state as it is now, for [`roll_back`](Member::roll_back).
    fn keep(&mut self);
    fn roll_back(&mut self) -> Result<()>;
}

/// A metric and the state it had before the update that is under way.
pub(super) struct Slot<M: Mergeable> {
    metric: M,
    kept: M::State,
}

impl<M: Mergeable> Slot<M> {
    pub(super) fn new(metric: M) -> Self {
        let kept = metric.zero();
        Self { metric, kept }
    }

    fn typed(saved: &Snapshot<Value>) -> Result<Snapshot<M::State>> {
        let state = M::State::deserialize(&saved.state).map_err(Error::custom)?;
        Ok(Snapshot { fingerprint: saved.fingerprint.clone(), state })
    }
}

impl<M> Member<M::Task> for Slot<M>
where
    M: Mergeable<Output: Scalars> + Send + 'static,
{
    fn as_any(&self) -> &dyn Any {
        &self.metric
    }

    fn reset(&mut self) {
        self.metric.reset();
    }

    fn update(&mut self, batch: <M::Task as Task>::Batch<'_>) -> Result<()> {
        self.metric.update(batch)
    }

    fn visit(&self, key: &str, each: &mut dyn FnMut(&str, Option<f64>)) {
        visit_under(key, &self.metric.accumulate(), each);
    }

    fn save(&self) -> Result<Snapshot<Value>> {
        let state = serde_json::to_value(self.metric.state()).map_err(Error::custom)?;
        Ok(Snapshot { fingerprint: self.metric.fingerprint(), state })
    }

    fn merge(&mut self, saved: &Snapshot<Value>) -> Result<()> {
        Self::typed(saved)?.merge_into(&mut self.metric)
    }

    fn restore(&mut self, saved: &Snapshot<Value>) -> Result<()> {
        Self::typed(saved)?.restore_into(&mut self.metric)
    }

    fn keep(&mut self) {
        self.kept.clone_from(self.metric.state());
    }

    fn roll_back(&mut self) -> Result<()> {
        self.metric.reset();
        self.metric.merge(&self.kept)
    }
}
