//! [`Collection`]: several metrics, one update.

mod member;
mod value;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::member::{Member, Slot};
pub use self::value::NamedScalars;
use crate::{
    BatchOf, Error, ErrorKind, Fingerprint, Mergeable, Metric, Result, Scalars, Snapshot, Task,
};

/// Metrics of one task, each under a key, that take each batch together: all of them, or none.
///
/// Its value is the scalars of all members, named `key/scalar`, in the order in which the members
/// were added. The typed value of one is asked from the member itself, by [`get`](Collection::get).
///
/// When a member refuses a batch, those before it get back the state they had. What a metric keeps
/// besides its state, such as the list of [`ChunkErrors`](crate::ChunkErrors), is cleared in them.
///
/// ```
/// use chunkeval_core::{
///     ChunkEvaluator, Collection, EveryN, Logger, Memory, Metric, Mode, Scheme, TagBatch,
/// };
///
/// let labels = ["O", "B-PER", "I-PER"];
/// let strict = ChunkEvaluator::builder(labels).mode(Mode::Strict(Scheme::Iob2)).build()?;
/// let mut metrics = Collection::new()
///     .with("lenient", ChunkEvaluator::new(labels)?)?
///     .with("strict", strict)?;
/// let mut log = Logger::new(Memory::default(), EveryN::new(1)?);
///
/// metrics.update(TagBatch::new(&[1, 2, 0, 1], &[2, 2, 0, 1], &[4])?)?; // I-PER begins nothing
/// log.log(1, "dev", &metrics.accumulate())?;
/// assert_eq!(log.sink().series("dev/lenient/f1"), [(1, 1.0)]);
/// assert_eq!(log.sink().series("dev/strict/recall"), [(1, 0.5)]);
///
/// let lenient = metrics.get::<ChunkEvaluator>("lenient").unwrap().accumulate();
/// assert_eq!(lenient.overall.counts.correct, 2);
/// assert!(metrics.update(TagBatch::new(&[9], &[0], &[1])?).is_err()); // neither has changed
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
pub struct Collection<T: Task> {
    members: Vec<(String, Box<dyn Member<T>>)>,
    names: Vec<String>,
}

/// The states of the members of a [`Collection`], by key, to be written with any serde format that
/// describes itself, such as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CollectionSnapshot(BTreeMap<String, Snapshot<Value>>);

impl<T: Task> Collection<T> {
    /// No metrics.
    #[must_use]
    pub fn new() -> Self {
        Self { members: Vec::new(), names: Vec::new() }
    }

    /// Adds a metric, with what it has seen.
    ///
    /// # Errors
    /// The key is taken, is empty, or has a `/`.
    pub fn with<M>(mut self, key: impl Into<String>, metric: M) -> Result<Self>
    where
        M: Mergeable<Task = T, Output: Scalars> + Send + 'static,
    {
        let key = key.into();
        if key.is_empty() || key.contains('/') {
            return Err(Error::config("key", format!("{key:?} is empty or has a slash")));
        }
        if self.members.iter().any(|(taken, _)| *taken == key) {
            return Err(ErrorKind::DuplicateKey { key }.into());
        }
        self.names.extend(metric.name().into_iter().map(|name| format!("{key}/{name}")));
        self.members.push((key, Box::new(Slot::new(metric))));
        Ok(self)
    }

    /// The metric under a key, if there is one and it is an `M`.
    #[must_use]
    pub fn get<M: 'static>(&self, key: &str) -> Option<&M> {
        let (_, member) = self.members.iter().find(|(k, _)| k == key)?;
        member.as_any().downcast_ref()
    }

    /// The states of all members.
    ///
    /// # Errors
    /// A state cannot be written as JSON.
    pub fn save(&self) -> Result<CollectionSnapshot> {
        let of = |(key, member): &(String, Box<dyn Member<T>>)| Ok((key.clone(), member.save()?));
        self.members.iter().map(of).collect::<Result<_>>().map(CollectionSnapshot)
    }

    /// Puts the saved states in place of the members' own.
    ///
    /// # Errors
    /// The keys or a configuration differ, or a state is malformed ([`ErrorKind::Member`] says
    /// whose); no member has changed then.
    pub fn restore(&mut self, saved: &CollectionSnapshot) -> Result<()> {
        self.take(saved, |member, state| member.restore(state))
    }

    /// Adds the saved states to the members' own: shards scored apart add up to the whole.
    ///
    /// # Errors
    /// As for [`restore`](Collection::restore), or a sum overflows.
    pub fn merge(&mut self, saved: &CollectionSnapshot) -> Result<()> {
        self.take(saved, |member, state| member.merge(state))
    }

    fn take(
        &mut self,
        saved: &CollectionSnapshot,
        one: impl Fn(&mut dyn Member<T>, &Snapshot<Value>) -> Result<()>,
    ) -> Result<()> {
        let mut keys: Vec<&str> = self.members.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        if !keys.iter().eq(saved.0.keys()) {
            let found: Vec<&str> = saved.0.keys().map(String::as_str).collect();
            let named = |keys: Vec<&str>| Fingerprint::new(format!("[{}]", keys.join(", ")));
            named(keys).takes(&named(found))?;
        }
        self.all_or_none(|key, member| saved.0.get(key).map_or(Ok(()), |state| one(member, state)))
    }

    /// Does one thing with each member; if it fails with one, all are as they were, and the error
    /// names it.
    fn all_or_none(
        &mut self,
        mut one: impl FnMut(&str, &mut dyn Member<T>) -> Result<()>,
    ) -> Result<()> {
        let mut done = 0;
        let outcome = self.members.iter_mut().try_for_each(|(key, member)| {
            member.keep();
            one(key, member.as_mut()).map_err(|error| of_member(key, error))?;
            done += 1;
            Ok(())
        });
        if outcome.is_err() {
            // The one that failed has changed nothing. A member that cannot go back keeps no other
            // from it, and is what must be known first.
            let taken = self.members.iter_mut().take(done);
            let back = taken.map(|(key, m)| m.roll_back().map_err(|error| of_member(key, error)));
            back.fold(Ok(()), Result::and)?;
        }
        outcome
    }
}

fn of_member(key: &str, error: Error) -> Error {
    ErrorKind::Member { key: key.to_owned(), error }.into()
}

impl<T: Task> Metric for Collection<T> {
    type Task = T;
    type Output = NamedScalars;

    fn name(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn reset(&mut self) {
        self.members.iter_mut().for_each(|(_, member)| member.reset());
    }

    /// The error is that of the first member that refuses the batch, as [`ErrorKind::Member`].
    fn update(&mut self, batch: BatchOf<'_, Self>) -> Result<()> {
        self.all_or_none(|_, member| member.update(batch))
    }

    fn accumulate(&self) -> NamedScalars {
        let mut scalars = NamedScalars::default();
        for (key, member) in &self.members {
            member.visit(key, &mut |name, value| scalars.push(name, value));
        }
        scalars
    }
}

impl<T: Task> Default for Collection<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Task> fmt::Debug for Collection<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.members.iter().map(|(key, _)| key)).finish()
    }
}
