//! From `label` to `extra_label`: a list of entity objects becomes type → list.

use serde_json::Value;

use crate::record::{Item, Node, parse_json};
use crate::strict::literal;
use crate::{Entities, Fault};

/// Why a label gives no entities.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The text is neither JSON nor a Python literal.
    #[error("the label is neither JSON nor a Python literal: {0}")]
    Unreadable(Fault),
    /// It is null: that it has no entities is said with an empty list.
    #[error("the label is null, and a list of objects was expected")]
    Null,
    /// It is no list.
    #[error("the label is {found}, and a list of objects was expected")]
    NotAList {
        /// What it is.
        found: &'static str,
    },
    /// An item is no object.
    #[error("item {index} of the label is {found}, and an object was expected")]
    NotAnObject {
        /// The item, from 0.
        index: usize,
        /// What it is.
        found: &'static str,
    },
    /// An item lacks a field.
    #[error("item {index} of the label has no {field}")]
    Missing {
        /// The item, from 0.
        index: usize,
        /// `entity` or `entity_type`.
        field: &'static str,
    },
    /// An item has a field twice: either could be meant.
    #[error("item {index} of the label has {field} twice")]
    Twice {
        /// The item, from 0.
        index: usize,
        /// `entity` or `entity_type`, for example.
        field: &'static str,
    },
    /// A field is no text.
    #[error("{field} of item {index} of the label is {found}, and a text was expected")]
    NotText {
        /// The item, from 0.
        index: usize,
        /// `entity` or `entity_type`.
        field: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// Two fields of an item could both be meant, and differ.
    #[error("item {index} of the label has both {} and {}, which differ", .fields[0], .fields[1])]
    Contradiction {
        /// The item, from 0.
        index: usize,
        /// The fields, `text` and `name` for example.
        fields: [&'static str; 2],
    },
    /// An offset is no whole number from 0.
    #[error("{field} of item {index} of the label is no number of characters")]
    NotAnOffset {
        /// The item, from 0.
        index: usize,
        /// `start` or `end`.
        field: &'static str,
    },
    /// Offsets are no place in the text: beyond its end, or with nothing between them.
    #[error(
        "item {index} of the label stands from {start} to {end}, which is no part of the text of \
         {length} characters"
    )]
    Outside {
        /// The item, from 0.
        index: usize,
        /// Its first character, from 0.
        start: usize,
        /// The one after its last.
        end: usize,
        /// Characters of the text.
        length: usize,
    },
    /// An item is told by its offsets, and the record has no text.
    #[error("item {index} of the label has offsets, and the record has no text")]
    NoText {
        /// The item, from 0.
        index: usize,
    },
    /// Pairs of which it cannot be told which side is the type.
    #[error(
        "which side of the pairs is the type cannot be told: no side alone is among the types asked \
         for, nor stands alone in the text"
    )]
    Undecided,
    /// A pair with its type on another side than those before.
    #[error("pair {index} of the label has its type on the other side than those before")]
    OtherSide {
        /// The item, from 0.
        index: usize,
    },
}

impl Entities {
    /// The entities of a label: the text of a list of `{entity, entity_type}`, as JSON or as a
    /// Python literal. Other fields are passed over; nothing is trimmed.
    ///
    /// ```
    /// use chunkeval_llm::Entities;
    ///
    /// let label = "[{'entity': '美', 'entity_type': 'LOC'}, {'entity': '台', 'entity_type': 'LOC'}]";
    /// let extra_label = Entities::from_label(label)?;
    /// assert_eq!(serde_json::to_string(&extra_label).unwrap(), r#"{"LOC":["美","台"]}"#);
    /// # Ok::<(), chunkeval_llm::LabelError>(())
    /// ```
    ///
    /// # Errors
    /// A text that is neither, a field that an item has twice as JSON (of a Python dict's equal keys
    /// the last one counts, as in Python), and what [`from_label_value`](Self::from_label_value)
    /// refuses.
    pub fn from_label(text: &str) -> Result<Self, LabelError> {
        // JSON first: it joins surrogate pairs, which Python keeps apart.
        match parse_json(text, |json| serde_json::from_str(json)) {
            Some(Node::Text(text)) => Self::from_label(&text),
            Some(label) => of_node(&label),
            None => of_node(&literal(text).map_err(LabelError::Unreadable)?.into()),
        }
    }

    /// The entities of a label: a list of objects with the texts `entity` and `entity_type`. A
    /// string is read as [`from_label`](Self::from_label) reads it.
    ///
    /// # Errors
    /// Anything but a list; an item that is no object, lacks a field or has one that is no text.
    pub fn from_label_value(label: &Value) -> Result<Self, LabelError> {
        match label {
            Value::String(text) => Self::from_label(text),
            label => of_node(&label.into()),
        }
    }
}

/// The entities of a label of the published form.
fn of_node(label: &Node) -> Result<Entities, LabelError> {
    let mut entities = Entities::default();
    for (index, item) in label.items()?.iter().enumerate() {
        let Node::Object(fields) = item else {
            return Err(LabelError::NotAnObject { index, found: item.name() });
        };
        let (entity_type, entity) = Item { index, fields }.published()?;
        let missing = |field| LabelError::Missing { index, field };
        let entity_type = entity_type.ok_or(missing("entity_type"))?;
        entities.push(entity_type, entity.ok_or(missing("entity"))?);
    }
    Ok(entities)
}
