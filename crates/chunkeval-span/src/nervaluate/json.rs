//! nervaluate's input as JSON, with its choice of loaders and their checks in their order.

use std::borrow::Cow;
use std::str::FromStr;

use serde_json::Value;

use super::load::{check_count, check_lengths};
use super::reader::{Opening, read, read_conll};
use super::{Documents, Entity, LoadError};

/// nervaluate's loaders by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Loader {
    /// `default`: told by the gold side; a string is CoNLL text, a list whose first document begins
    /// with an object holds entities, any other list of lists tags.
    #[default]
    Default,
    /// `conll`: text.
    Conll,
    /// `list`: lists of tags.
    List,
    /// `dict`: lists of objects with `label`, `start` and inclusive `end`.
    Dict,
}

impl FromStr for Loader {
    type Err = LoadError;

    fn from_str(name: &str) -> Result<Self, LoadError> {
        match name {
            "default" => Ok(Self::Default),
            "conll" => Ok(Self::Conll),
            "list" => Ok(Self::List),
            "dict" => Ok(Self::Dict),
            _ => Err(LoadError::UnknownLoader { name: name.to_owned() }),
        }
    }
}

impl Documents {
    /// Data as nervaluate takes it, written as JSON: a string, lists of tags, or lists of objects.
    ///
    /// ```
    /// use chunkeval_span::nervaluate::{Documents, Loader};
    /// use serde_json::json;
    ///
    /// let gold = json!([[{"label": "PER", "start": 0, "end": 3, "text": "Anna"}]]);
    /// let documents = Documents::from_json(&gold, &json!([[]]), Loader::Default)?;
    /// assert_eq!(documents.gold()[0][0].end, 3);
    ///
    /// let error = Documents::from_json(&json!([[]]), &json!([[]]), Loader::Default).unwrap_err();
    /// assert_eq!((error.python_exception(), error.to_string()), ("IndexError", "list index out of range".into()));
    /// # Ok::<(), chunkeval_span::nervaluate::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// Where nervaluate raises an exception, with its text. Offsets must fit 63 bits.
    pub fn from_json(gold: &Value, predicted: &Value, loader: Loader) -> Result<Self, LoadError> {
        let load: fn(&Value) -> Result<Vec<Vec<Entity>>, LoadError> = match loader.infer(gold)? {
            Kind::Conll => conll,
            Kind::List => {
                check_count(length(gold)?, length(predicted)?)?;
                let pairs = items(gold).into_iter().zip(items(predicted));
                check_lengths(
                    pairs.map(|(gold, predicted)| Ok((length(&gold)?, length(&predicted)?))),
                )?;
                list
            }
            Kind::Dict => dict,
        };
        Self::from_entities(load(gold)?, load(predicted)?)
    }
}

/// What the data is.
enum Kind {
    Conll,
    List,
    Dict,
}

impl Loader {
    fn infer(self, gold: &Value) -> Result<Kind, LoadError> {
        match self {
            Self::Conll => Ok(Kind::Conll),
            Self::List => Ok(Kind::List),
            Self::Dict => Ok(Kind::Dict),
            Self::Default => match gold {
                Value::String(_) => Ok(Kind::Conll),
                Value::Array(documents) => match documents.first() {
                    Some(Value::Array(first)) => match first.first() {
                        Some(Value::Object(_)) => Ok(Kind::Dict),
                        Some(_) => Ok(Kind::List),
                        None => Err(LoadError::EmptyFirstDocument),
                    },
                    _ => Err(LoadError::UnknownInput),
                },
                _ => Err(LoadError::UnknownInput),
            },
        }
    }
}

fn conll(data: &Value) -> Result<Vec<Vec<Entity>>, LoadError> {
    let text = data.as_str();
    read_conll(text.ok_or(LoadError::Input { loader: "ConllLoader", expected: "string" })?)
}

fn list(data: &Value) -> Result<Vec<Vec<Entity>>, LoadError> {
    let documents = data.as_array();
    let documents = documents.ok_or(LoadError::Input { loader: "ListLoader", expected: "list" })?;
    let each = |document: &Value| {
        let tags = document.as_array().ok_or(LoadError::NoList { of: "tags" })?;
        // nervaluate looks at tags one by one, so a bad tag before a non-string comes first.
        let strings = tags.iter().map_while(Value::as_str).collect::<Vec<_>>();
        let entities = read(&strings, Opening::Checked)?;
        match tags.get(strings.len()) {
            Some(other) => Err(LoadError::TagType { found: python_type(other) }),
            None => Ok(entities),
        }
    };
    documents.iter().map(each).collect()
}

fn dict(data: &Value) -> Result<Vec<Vec<Entity>>, LoadError> {
    let documents = data.as_array();
    let documents = documents.ok_or(LoadError::Input { loader: "DictLoader", expected: "list" })?;
    let each = |document: &Value| {
        let of = "entity dictionaries";
        let entities = document.as_array().ok_or(LoadError::NoList { of })?;
        entities.iter().map(entity).collect()
    };
    documents.iter().map(each).collect()
}

fn entity(value: &Value) -> Result<Entity, LoadError> {
    let found = python_type(value);
    let fields = value.as_object().ok_or(LoadError::EntityType { found })?;
    let field = |key| fields.get(key).ok_or(LoadError::MissingKey { key });
    let (label, start, end) = (field("label")?, field("start")?, field("end")?);
    let offset = |value: &Value| match value {
        Value::Bool(bit) => Ok((*bit).into()), // Python's True is an int
        other => other.as_i64().ok_or(LoadError::OffsetType),
    };
    let label = label.as_str().ok_or(LoadError::LabelType)?.to_owned();
    Ok(Entity { label, start: offset(start)?, end: offset(end)? })
}

/// Python's `len`.
fn length(value: &Value) -> Result<usize, LoadError> {
    match value {
        Value::Array(items) => Ok(items.len()),
        Value::Object(fields) => Ok(fields.len()),
        Value::String(text) => Ok(text.chars().count()),
        other => Err(LoadError::NoLength { found: python_type(other) }),
    }
}

/// What Python iterates over.
fn items(value: &Value) -> Vec<Cow<'_, Value>> {
    match value {
        Value::Array(items) => items.iter().map(Cow::Borrowed).collect(),
        Value::Object(fields) => fields.keys().map(|key| Cow::Owned(Value::from(&**key))).collect(),
        Value::String(text) => {
            text.chars().map(|c| Cow::Owned(Value::from(c.to_string()))).collect()
        }
        _ => Vec::new(),
    }
}

fn python_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}
