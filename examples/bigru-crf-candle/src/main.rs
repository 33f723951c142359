//! Trains a BiGRU-CRF tagger and scores it every N steps.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

fn main() {}
