//! [`Node`]: a value of JSON or Python, as far as gold entities are made of it.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::LabelError;
use crate::strict::Literal;

/// A value. An object has its keys in order; equal ones are all there in JSON, and the last one in
/// Python.
pub(crate) enum Node {
    Text(String),
    Number(Option<usize>),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
    Null,
    /// Something else, in words.
    Other(&'static str),
}

impl Node {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list of gold entities.
    pub(crate) fn items(&self) -> Result<&[Self], LabelError> {
        match self {
            Self::List(items) => Ok(items),
            Self::Null => Err(LabelError::Null),
            other => Err(LabelError::NotAList { found: other.name() }),
        }
    }

    /// What it is, in words.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Null => "null",
            Self::Other(name) => name,
        }
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Other("true or false"),
            Value::Number(number) => Self::Number(number.as_u64().and_then(|n| n.try_into().ok())),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(fields) => Self::Object(
                fields.iter().map(|(key, value)| (key.clone(), value.into())).collect(),
            ),
        }
    }
}

/// Tuples are lists; a string with half of a surrogate pair is something else.
impl From<Literal> for Node {
    fn from(value: Literal) -> Self {
        let list = |items: Vec<Literal>| Self::List(items.into_iter().map(Self::from).collect());
        let name = value.name();
        match value {
            Literal::Small(number) => Self::Number(number.try_into().ok()),
            Literal::Int(_) | Literal::Float(_) | Literal::Complex(..) => Self::Number(None),
            Literal::List(items) | Literal::Tuple(items) => list(items),
            Literal::None => Self::Null,
            Literal::Dict(pairs) => {
                let pair = |(key, value): (Literal, _)| {
                    key.text().map(|key| (key.to_owned(), Self::from(value)))
                };
                let pairs: Option<Vec<_>> = pairs.into_iter().map(pair).collect();
                pairs.map_or(Self::Other("a dict with a key that is no string"), Self::Object)
            }
            text => match text.text() {
                Some(text) => Self::Text(text.to_owned()),
                None => Self::Other(name),
            },
        }
    }
}

struct NodeVisitor;

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(NodeVisitor)
    }
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Other("true or false"))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Number(number.try_into().ok()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Number(None)) // below 0
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Number(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = object.next_entry()? {
            members.push(member);
        }
        Ok(Node::Object(members))
    }
}
