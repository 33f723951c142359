//! Gold entities in the forms in which files have them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::fields::text_of;
use crate::strict::{Literal, literal};
use crate::{Entities, LabelError};

/// Why gold entities cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum GoldError {
    #[error(transparent)]
    Label(#[from] LabelError),
    #[error("the entities of {entity_type:?} are no list of strings")]
    NoList { entity_type: String },
    #[error("the type {entity_type:?} stands there twice")]
    Twice { entity_type: String },
}

/// The usual item of a label, and an object only: derived code would take a list for one, too.
struct Item<'a> {
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

struct ItemVisitor;

impl<'de> Deserialize<'de> for Item<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(ItemVisitor)
    }
}

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut entity, mut entity_type) = (None, None);
        while let Some(field) = map.next_key()? {
            match field {
                Field::Entity => entity = Some(map.next_value::<Text<'_>>()?.0),
                Field::EntityType => entity_type = Some(map.next_value::<Text<'_>>()?.0),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = A::Error::missing_field;
        Ok(Item {
            entity: entity.ok_or_else(|| missing("entity"))?,
            entity_type: entity_type.ok_or_else(|| missing("entity_type"))?,
        })
    }
}

/// An object with all its keys, in their order.
struct Types(Vec<(String, Value)>);

struct TypesVisitor;

impl<'de> Deserialize<'de> for Types {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(TypesVisitor)
    }
}

impl<'de> Visitor<'de> for TypesVisitor {
    type Value = Types;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut types = Vec::new();
        while let Some(pair) = map.next_entry()? {
            types.push(pair);
        }
        Ok(Types(types))
    }
}

/// The entities of a field, given by its JSON text.
pub(super) fn read(raw: &str) -> Result<Entities, GoldError> {
    let text = text_of(raw);
    let json = text.as_deref().unwrap_or(raw);
    if let Ok(items) = serde_json::from_str::<Vec<Item<'_>>>(json) {
        let mut entities = Entities::default();
        items.into_iter().for_each(|item| entities.push(&item.entity_type, item.entity));
        return Ok(entities);
    }
    if let Ok(Types(types)) = serde_json::from_str(json) {
        return of_types(&types);
    }
    match serde_json::from_str(json) {
        Ok(value) => of_value(&value),
        Err(_) => Entities::from_label(json).or_else(|error| python(json).ok_or(error.into())),
    }
}

/// Type → list. Of two equal types either list could be meant, or both.
fn of_types(types: &[(String, Value)]) -> Result<Entities, GoldError> {
    let mut entities = Entities::default();
    for (entity_type, list) in types {
        let bad = || GoldError::NoList { entity_type: entity_type.clone() };
        if entities.has_type(entity_type) {
            return Err(GoldError::Twice { entity_type: entity_type.clone() });
        }
        entities.declare(entity_type);
        for entity in list.as_array().ok_or_else(bad)? {
            entities.push(entity_type, entity.as_str().ok_or_else(bad)?);
        }
    }
    Ok(entities)
}

fn of_value(value: &Value) -> Result<Entities, GoldError> {
    match value {
        Value::Array(pairs) if !pairs.is_empty() && pairs.iter().all(|p| pair(p).is_some()) => {
            Ok(pairs.iter().filter_map(pair).collect())
        }
        label => Ok(Entities::from_label_value(label)?),
    }
}

fn pair(value: &Value) -> Option<(&str, &str)> {
    match value.as_array()?.as_slice() {
        [entity_type, entity] => entity_type.as_str().zip(entity.as_str()),
        _ => None,
    }
}

/// The other forms as Python prints them: type → list, pairs, and tuples for lists.
fn python(text: &str) -> Option<Entities> {
    let mut entities = Entities::default();
    match literal(text).ok()? {
        Literal::Dict(pairs) => {
            for (entity_type, list) in &pairs {
                let entity_type = entity_type.text()?;
                entities.declare(entity_type);
                for entity in items(list)? {
                    entities.push(entity_type, entity.text()?);
                }
            }
        }
        list => {
            for item in items(&list)? {
                let (entity_type, entity) = match item {
                    Literal::Dict(fields) => {
                        let of = |name| fields.iter().find(|(key, _)| key.text() == Some(name));
                        (&of("entity_type")?.1, &of("entity")?.1)
                    }
                    pair => match items(pair)? {
                        [entity_type, entity] => (entity_type, entity),
                        _ => return None,
                    },
                };
                entities.push(entity_type.text()?, entity.text()?);
            }
        }
    }
    Some(entities)
}

/// The items of a list or tuple.
fn items(value: &Literal) -> Option<&[Literal]> {
    match value {
        Literal::List(items) | Literal::Tuple(items) => Some(items),
        _ => None,
    }
}
