//! What each of the programs does, whatever its network: run by the tests of each, which name the
//! program as `crate::PROGRAM` and the options of a small network as `crate::SIZES`.

pub(crate) mod common;
mod infer;
mod infer_text;
mod infer_tokens;
mod output;
pub(crate) mod refusals;
mod resume;
