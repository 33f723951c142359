//! A BiGRU-CRF tagger in candle: the parts of the `bigru-crf-candle` program.
//!
//! [`model`] holds the network, its loss, its decoder and its optimiser.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod model;
