//! An ERNIE or BERT encoder in candle that can be fine-tuned.
//!
//! | module | what it holds |
//! |---|---|
//! | [`encoder`] | the encoder, its token classification head, and Hugging Face folders |
//! | [`tokens`] | words or text to pieces of words |

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod encoder;
pub mod tokens;
