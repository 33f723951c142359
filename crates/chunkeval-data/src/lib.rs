//! Readers and writers of sequence-labelling files, with file, line and column in every error.
//!
//! | to do | look at |
//! |---|---|
//! | read a file whose layout is a name on a command line | [`Format`], [`Reader`] |
//! | read CoNLL columns | [`Conll`], [`ConllReader`] |
//!
//! Everything streams: one [`Sentence`] in memory at a time. Nothing is lost silently: what cannot
//! be read is an error that names its place.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod batch;
mod conll;
mod format;
mod lines;
mod pad;
mod pair;
mod parallel;
mod read;
mod reader;
mod sentence;
mod vocab;
mod waybill;
mod writer;

pub use batch::Batching;
pub use conll::{Column, Comments, Conll, ConllReader, Delimiter, DocStart};
pub use format::Format;
pub use pad::Padded;
pub use pair::PairReader;
pub use parallel::{Parallel, ParallelReader};
pub use read::ReadSentences;
pub use reader::Reader;
pub use sentence::{Cells, Position, Sentence};
pub use vocab::{Order, Vocab, VocabBuilder};
pub use waybill::WaybillReader;
pub use writer::PredictionWriter;
