//! The strict reading: what the published loop gets out of Python's literal evaluation.

mod key;
mod lines;
mod literal;
mod number;
mod parser;
mod printed;
mod published;
mod string;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use literal::Literal;
pub(crate) use parser::literal;
pub(crate) use published::read;
