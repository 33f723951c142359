//! What holds for any documents: no dependence on order, sums, merging, and the greatest overlap.
#![allow(clippy::unwrap_used)] // test code, helper functions included

mod counts;
mod documents;
mod pairing;
mod report;
mod states;
