//! Entities extracted by language models: what their answers say and how they had to be read.
//!
//! A gold label becomes type → list of entities:
//!
//! ```
//! use chunkeval_llm::Entities;
//!
//! let label = r#"[{"entity": "美", "entity_type": "LOC"}, {"entity": "台", "entity_type": "LOC"}]"#;
//! assert_eq!(Entities::from_label(label)?.get("LOC"), ["美", "台"]);
//! # Ok::<(), chunkeval_llm::LabelError>(())
//! ```
//!
//! | to | look at |
//! |---|---|
//! | hold entities by type, convert a label | [`Entities`], [`LabelError`] |
//! | read an answer | [`AnswerReading`] |
//! | know what an answer says | [`Answer`], its [`AnswerStatus`] |
//! | know how it had to be read | [`Repair`], [`Malformed`], [`Unmatchable`], [`Fault`] |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod answer;
mod cursor;
mod entities;
mod escape;
mod fault;
mod label;
mod reading;
mod repair;
mod strict;

pub use answer::{Answer, AnswerStatus, Malformed, MalformedKind, Unmatchable, UnmatchableKind};
pub use entities::Entities;
pub use fault::{Fault, FaultKind};
pub use label::LabelError;
pub use reading::AnswerReading;
pub use repair::{Repair, RepairKind};
