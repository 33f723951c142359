//! The laws of [`Metric`](crate::Metric) and [`Mergeable`](crate::Mergeable), as tests that any
//! metric can run.
//!
//! Each law is a function that takes a way to build the metric and a batch of rows, and says
//! which law is broken, and by which rows, if one is. [`metric`] and [`mergeable`] run all laws
//! that need nothing else. Cuts and orders of rows follow from `seed`: the same seed, the same
//! answer.
//!
//! | law | function | needs |
//! |---|---|---|
//! | reset forgets | [`reset_forgets`] | `Metric` |
//! | batches are an accident | [`batches_are_an_accident`] | `Metric` |
//! | reading is free | [`reading_is_free`] | `Metric` |
//! | an update that fails changes nothing | [`failing_changes_nothing`] | a batch to be refused |
//! | states are a sum | [`states_are_a_sum`] | `Mergeable` |
//! | an update is a merge | [`update_is_merge`] | `Mergeable` |
//! | a saved state comes back | [`saved_comes_back`] | `Mergeable` |
//! | threads are an accident | [`threads_are_an_accident`] | `Mergeable + Sync` |
//! | a state of another configuration is refused | [`foreign_is_refused`] | another metric |
//!
//! A batch proves what it shows: give rows of several lengths, an empty one among them, with
//! right and wrong predictions. Values are compared by `PartialEq`, and by what `Debug` prints of
//! them where they are not equal, as NaN never is; states are compared by their JSON. A metric that
//! adds floating-point numbers is refused where their order changes the last bits; count in
//! integers.
//!
//! ```
//! use chunkeval_core::{ChunkEvaluator, TagBatch, testkit};
//!
//! let metric = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?;
//! let good = TagBatch::new(&[1, 2, 0, 1, 1], &[1, 2, 0, 0, 1], &[3, 3, 4, 5])?;
//! let bad = TagBatch::new(&[0, 9], &[0, 0], &[2])?; // label 9 of 3
//!
//! testkit::mergeable(|| metric.clone(), good, 1)?;
//! testkit::failing_changes_nothing(|| metric.clone(), good, bad)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algebra;
mod split;
mod stream;
mod violation;

pub use algebra::{
    foreign_is_refused, mergeable, saved_comes_back, states_are_a_sum, threads_are_an_accident,
    update_is_merge,
};
pub use stream::{
    batches_are_an_accident, failing_changes_nothing, metric, reading_is_free, reset_forgets,
};
pub use violation::{Finding, Law, Violation};
