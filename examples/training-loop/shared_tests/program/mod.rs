//! What each of the programs does, whatever its network: run by the tests of each, which name the
//! program as `crate::PROGRAM`.

mod common;
mod output;
mod refusals;
mod resume;
