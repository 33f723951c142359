//! An answer as it was written: objects, lists, strings and words, before anybody asks what they
//! mean.

use std::borrow::Cow;

/// A value and the bytes it stands in.
#[derive(Clone, Debug)]
pub(crate) struct Item<'t> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: Value<'t>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value<'t> {
    /// `null`, `None`, or nothing after a colon.
    Null,
    /// A string, or a word without quotes.
    Text(Cow<'t, str>),
    /// A number, `true` or `false`: its source text.
    Constant(&'t str),
    List(Vec<Item<'t>>),
    Object(Vec<Pair<'t>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Pair<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) value: Item<'t>,
}

impl Item<'_> {
    /// Whether it is no list and no object.
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self.value, Value::List(_) | Value::Object(_))
    }

    /// Whether it is `null` or the like.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }
}

/// The value of a word without quotes.
pub(crate) fn word(text: &str) -> Value<'_> {
    match text {
        "null" | "None" => Value::Null,
        "set()" => Value::List(Vec::new()), // as Python prints the empty set
        "true" | "false" | "True" | "False" => Value::Constant(text),
        _ if is_number(text) => Value::Constant(text),
        _ => Value::Text(Cow::Borrowed(text)),
    }
}

/// Whether JSON has a word.
pub(crate) fn is_json_word(text: &str) -> bool {
    matches!(text, "null" | "true" | "false") || is_json_number(text)
}

fn is_number(text: &str) -> bool {
    // Not `inf` and `nan`, which are words.
    text.bytes().any(|b| b.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

fn is_json_number(text: &str) -> bool {
    is_number(text) && serde_json::from_str::<serde_json::Number>(text).is_ok()
}
