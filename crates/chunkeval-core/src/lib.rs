//! Skeleton.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
mod error;
mod fingerprint;
mod sink;
pub use error::{Error, ErrorKind, Place, Result};
pub use fingerprint::Fingerprint;
pub use sink::{JsonLines, Memory, Point, Sink, Tee};
