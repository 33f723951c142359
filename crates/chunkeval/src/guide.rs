//! Longer explanations, with examples that run.

#[cfg(feature = "llm")]
#[doc = include_str!("guide/llm.md")]
pub mod llm {}

#[doc = include_str!("guide/modes.md")]
pub mod modes {}

#[cfg(feature = "report")]
#[doc = include_str!("guide/papers.md")]
pub mod papers {}

#[doc = include_str!("guide/subwords.md")]
pub mod subwords {}
