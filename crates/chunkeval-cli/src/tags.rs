//! Scoring tagged rows: from the bytes of files to counts.
//!
//! Labels are not known beforehand and the data may be larger than memory, so everything streams.
//! Each block of whole sentences is scanned by a `Scanner` into rows of ids, which a `Counter` counts
//! with the metrics of `chunkeval-core`. A tag is looked up by its bytes in an `Interner`, one for
//! each thread, and gets its id from the `Labels` that all threads share. Whenever a block brings a
//! new label, the thread's counter goes on with a longer list (`absorb`). At the end the counters of
//! all threads are added up under the sorted list, so the result is the same on any number of
//! threads.
//!
//! Where a scheme is to be detected, every scheme that may be the one counts the same rows, and the
//! `Evidence` in all of them decides at the end.
//!
//! Two files of columns or waybills, or the parallel files of two folders, are each scanned as a
//! `Side`, on a thread of its own where there are several, and a `Pair` holds their tokens against
//! each other.

mod blanked;
mod bucket;
mod columns;
mod counter;
mod difference;
mod evidence;
mod example;
mod fields;
mod interner;
mod labels;
mod layout;
mod line;
mod pair;
mod parallel;
mod part;
mod pool;
mod reading;
mod rows;
mod scored;
mod sentences;
mod side;
mod sink;
mod unit;
mod waybill;
mod whole;

pub(crate) use bucket::By;
pub(crate) use counter::Plan;
pub(crate) use difference::difference;
pub(crate) use evidence::Detected;
pub(crate) use example::{Example, Mention};
pub(crate) use layout::{Layout, Source};
pub(crate) use reading::{Labelling, Reading, Spelling, Style};
pub(crate) use rows::Begin;
pub(crate) use scored::{Scored, score};
pub(crate) use sentences::{Said, Sentences};
pub(crate) use unit::Resampled;

pub use pool::count_columns;
