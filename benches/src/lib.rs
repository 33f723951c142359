//! What the benches count: corpora and random rows, and the other ways to read the same rows.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod corpus;
mod random;
mod suite;
mod workload;

pub use corpus::corpora;
pub use random::{Rows, random};
pub use suite::{in_cache, large, shared_with_others};
pub use workload::{Workload, xor_pass};
