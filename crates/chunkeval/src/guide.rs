//! Longer explanations, with examples that run.

#[doc = include_str!("guide/subwords.md")]
pub mod subwords {}
