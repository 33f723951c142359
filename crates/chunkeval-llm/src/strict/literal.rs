//! The values that a Python literal can have.

use super::text::PyText;

/// A value. Of equal keys of a dictionary the first stays, with the value of the last; of equal
/// members of a set the first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    None,
    Ellipsis,
    Bool(bool),
    /// A whole number of at most 18 digits, as nearly all are.
    Small(i64),
    /// Any other in decimal digits, with a sign if negative; in its own notation beyond the 4,300 digits that
    /// Python prints.
    Int(String),
    Float(f64),
    Complex(f64, f64),
    Text(PyText),
    Bytes(Vec<u8>),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
    Set(Vec<Literal>),
    Dict(Vec<(Literal, Literal)>),
}

impl Literal {
    /// The text of a string that UTF-8 can hold.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(PyText::Utf8(text)) => Some(text),
            _ => None,
        }
    }

    /// What it is, in words.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Ellipsis => "an ellipsis",
            Self::Bool(_) => "True or False",
            Self::Small(_) | Self::Int(_) | Self::Float(_) | Self::Complex(..) => "a number",
            Self::Text(PyText::Utf8(_)) => "a string",
            Self::Text(PyText::Surrogates(_)) => "a string with half of a surrogate pair",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Tuple(_) => "a tuple",
            Self::Set(_) => "a set",
            Self::Dict(_) => "a dict",
        }
    }
}
