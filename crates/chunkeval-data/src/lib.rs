//! Readers and writers of sequence-labelling files, with file, line and column in every error.
//!
//! | to do | look at |
//! |---|---|
//! | read a file whose layout is a name on a command line | [`Format`], [`Reader`] |
//! | read CoNLL columns | [`ConllReader`], [`Conll`] |
//! | read the waybill files of PaddleNLP | [`WaybillReader`] |
//! | read parallel files of tokens, tags and labels | [`ParallelReader`], [`Parallel`] |
//! | read text without labels, a sentence a line | [`TextReader`], [`TextTokens`] |
//! | read the tokens alone of columns or waybills | [`ConllReader::tokens_only`], [`WaybillReader::tokens_only`] |
//! | score a file of predictions against a gold file | [`PairReader`] |
//! | write predictions beside gold | [`PredictionWriter`] |
//! | turn tokens and tags into ids | [`Vocab`], [`VocabBuilder`] |
//! | make padded batches | [`Batching`], [`Padded`] |
//!
//! From a file to a batch of ids:
//!
//! ```
//! use chunkeval_data::{Batching, Conll, ConllReader, Padded, Result, Sentence, Vocab};
//!
//! let text = "Ada\tB-PER\nsleeps\tO\n\nRome\tB-LOC\n";
//! let reader = ConllReader::new(text.as_bytes(), "train.conll", &Conll::two_columns())?;
//! let path = "train.conll".as_ref();
//! let train: Vec<Sentence> = reader.collect::<Result<_>>()?;
//!
//! let mut tokens = Vocab::builder();
//! train.iter().for_each(|sentence| tokens.extend(sentence.tokens().iter()));
//! let tokens = tokens.padding("<pad>").unknown("<unk>").build()?;
//!
//! let mut ids = vec![Vec::new(); train.len()];
//! for (sentence, ids) in train.iter().zip(&mut ids) {
//!     tokens.encode(sentence.tokens(), path, ids)?;
//! }
//! let lengths: Vec<usize> = train.iter().map(Sentence::len).collect();
//! let mut batch = Padded::new();
//! for rows in Batching::new(8)?.shuffled(&lengths, 0)? {
//!     batch.fill(&ids, &rows, 0)?;
//!     assert_eq!((batch.rows(), batch.width()), (2, 2));
//!     assert_eq!(batch.values(), [4, 0, 2, 3]); // Rome <pad> Ada sleeps
//! }
//! # Ok::<(), chunkeval_data::Error>(())
//! ```
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
mod text;
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
pub use text::{TextReader, TextTokens};
pub use vocab::{Order, Vocab, VocabBuilder};
pub use waybill::WaybillReader;
pub use writer::PredictionWriter;

pub use chunkeval_core::{Error, ErrorKind, Result};
