//! Gold entities in the forms in which files have them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::error::{LineErrorKind, ValueError};
use super::fields::text_of;
use super::item::{Item, Told};
use super::node::Node;
use super::sides::TypeSide;
use super::{half_pair, not_a_number};
use crate::strict::literal;
use crate::{Entities, LabelError};

/// The usual item of a label, and an object only: derived code would take a list for one, too.
struct UsualItem<'a> {
    entity: Cow<'a, str>,
    entity_type: Cow<'a, str>,
}

/// The fields of an object that may be an item.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Entity,
    EntityType,
    #[serde(other)]
    Other,
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

struct UsualVisitor;

impl<'de> Deserialize<'de> for UsualItem<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(UsualVisitor)
    }
}

impl<'de> Visitor<'de> for UsualVisitor {
    type Value = UsualItem<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut entity, mut entity_type) = (None, None);
        while let Some(field) = map.next_key()? {
            match field {
                Field::Entity if entity.is_none() => {
                    entity = Some(map.next_value::<Text<'_>>()?.0);
                }
                Field::EntityType if entity_type.is_none() => {
                    entity_type = Some(map.next_value::<Text<'_>>()?.0);
                }
                Field::Entity => return Err(A::Error::duplicate_field("entity")),
                Field::EntityType => return Err(A::Error::duplicate_field("entity_type")),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = A::Error::missing_field;
        Ok(UsualItem {
            entity: entity.ok_or_else(|| missing("entity"))?,
            entity_type: entity_type.ok_or_else(|| missing("entity_type"))?,
        })
    }
}

/// What the record says besides: it tells the two sides of pairs apart, and offsets are places in
/// the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Said<'r> {
    pub(super) text: Option<&'r str>,
    /// The types that were asked for.
    pub(super) schema: Option<&'r [String]>,
}

/// The entities of a field, given by its JSON text.
pub(super) fn read(raw: &str, said: Said<'_>) -> Result<Entities, ValueError> {
    let text = text_of(raw);
    if text.is_none() && raw.starts_with('"') {
        half_pair::refuse(raw)?;
    }
    let json = text.as_deref().unwrap_or(raw);
    if let Ok(items) = serde_json::from_str::<Vec<UsualItem<'_>>>(json) {
        let mut entities = Entities::default();
        items.into_iter().for_each(|item| entities.push(&item.entity_type, item.entity));
        return Ok(entities);
    }
    // JSON first: it joins surrogate pairs, which Python keeps apart.
    if let Some(node) = node(json) {
        return match &node {
            Node::Text(text) => inside(text, said),
            node => Ok(of_node(node, said)?),
        };
    }
    if serde_json::from_str::<IgnoredAny>(json).is_ok() {
        // JSON in all but that
        let refuse = if text.is_some() { half_pair::refuse_inside } else { half_pair::refuse };
        refuse(json)?;
    }
    Ok(python(json, said)?)
}

/// A text in a text.
fn inside(text: &str, said: Said<'_>) -> Result<Entities, ValueError> {
    Ok(match node(text) {
        Some(Node::Text(text)) => return inside(&text, said),
        Some(node) => of_node(&node, said)?,
        None => python(text, said)?,
    })
}

/// What a text says as JSON.
fn node(json: &str) -> Option<Node> {
    not_a_number::parse(json, |json| serde_json::from_str(json))
}

fn python(text: &str, said: Said<'_>) -> Result<Entities, LineErrorKind> {
    let value = literal(text).map_err(LabelError::Unreadable)?;
    half_pair::refuse_in(&value)?;
    of_node(&Node::from(value), said)
}

fn of_node(node: &Node, said: Said<'_>) -> Result<Entities, LineErrorKind> {
    match node {
        Node::Object(types) => of_types(types),
        label => Ok(of_items(label.items()?, said)?),
    }
}

/// Type → list. Of two equal types either list could be meant, or both.
fn of_types(types: &[(String, Node)]) -> Result<Entities, LineErrorKind> {
    let mut entities = Entities::default();
    for (entity_type, list) in types {
        let bad = || LineErrorKind::NoList { entity_type: entity_type.clone() };
        if entities.has_type(entity_type) {
            return Err(LineErrorKind::TypeTwice { entity_type: entity_type.clone() });
        }
        entities.declare(entity_type);
        let Node::List(list) = list else { return Err(bad()) };
        for entity in list {
            entities.push(entity_type, entity.text().ok_or_else(bad)?);
        }
    }
    Ok(entities)
}

/// Objects and pairs.
fn of_items(items: &[Node], said: Said<'_>) -> Result<Entities, LabelError> {
    let mut pairs = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item {
            Node::Object(_) => {}
            Node::List(pair) => match pair.as_slice() {
                [Node::Text(first), Node::Text(second)] => {
                    pairs.push((index, [first.as_str(), second.as_str()]));
                }
                _ => return Err(LabelError::NotAnObject { index, found: "no pair of texts" }),
            },
            other => return Err(LabelError::NotAnObject { index, found: other.name() }),
        }
    }
    let side = if pairs.is_empty() { None } else { Some(TypeSide::of(&pairs, said)?) };
    let mut pairs = pairs.into_iter();
    let mut places = None;
    let mut entities = Entities::default();
    for (index, item) in items.iter().enumerate() {
        if let Node::Object(fields) = item {
            let (entity_type, entity) = Item { index, fields }.read()?;
            let entity = match entity {
                Told::Text(text) => text,
                Told::Place(start, end) => {
                    let text = said.text.ok_or(LabelError::NoText { index })?;
                    let places = places.get_or_insert_with(|| Characters::of(text));
                    places.part(index, start, end)?
                }
            };
            entities.push(entity_type, entity);
        } else if let Some((_, [first, second])) = pairs.next() {
            match side {
                Some(TypeSide::Second) => entities.push(second, first),
                Some(TypeSide::First) | None => entities.push(first, second),
            }
        }
    }
    Ok(entities)
}

/// A text by its characters.
struct Characters<'t> {
    text: &'t str,
    /// The byte of each one, and of the end.
    bytes: Vec<usize>,
}

impl<'t> Characters<'t> {
    fn of(text: &'t str) -> Self {
        let bytes = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect();
        Self { text, bytes }
    }

    fn part(&self, index: usize, start: usize, end: usize) -> Result<&'t str, LabelError> {
        let bytes = self.bytes.get(start).zip(self.bytes.get(end)).filter(|_| start < end);
        let part = bytes.and_then(|(&start, &end)| self.text.get(start..end));
        let length = self.bytes.len().saturating_sub(1);
        part.ok_or(LabelError::Outside { index, start, end, length })
    }
}
