//! candle tensors as batches for the metrics of [`chunkeval_core`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod check;
mod device;
mod host;
mod tags;

pub use tags::CandleTags;
