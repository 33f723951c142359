//! Gold entities in the forms in which files have them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::error::{LineErrorKind, ValueError};
use super::fields::text_of;
use super::half_pair;
use crate::label::twice;
use crate::members::Members;
use crate::strict::{Literal, literal};
use crate::{Entities, LabelError};

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
        Ok(Item {
            entity: entity.ok_or_else(|| missing("entity"))?,
            entity_type: entity_type.ok_or_else(|| missing("entity_type"))?,
        })
    }
}

/// The entities of a field, given by its JSON text.
pub(super) fn read(raw: &str) -> Result<Entities, ValueError> {
    let text = text_of(raw);
    if text.is_none() && raw.starts_with('"') {
        half_pair::refuse(raw)?;
    }
    let json = text.as_deref().unwrap_or(raw);
    if let Ok(items) = serde_json::from_str::<Vec<Item<'_>>>(json) {
        let mut entities = Entities::default();
        items.into_iter().for_each(|item| entities.push(&item.entity_type, item.entity));
        return Ok(entities);
    }
    if let Ok(Members(types)) = serde_json::from_str(json) {
        return Ok(of_types(&types)?);
    }
    match serde_json::from_str(json) {
        Ok(value) => {
            twice(json)?;
            Ok(of_value(&value)?)
        }
        Err(_) => {
            if serde_json::from_str::<IgnoredAny>(json).is_ok() {
                // JSON in all but that
                let refuse =
                    if text.is_some() { half_pair::refuse_inside } else { half_pair::refuse };
                refuse(json)?;
            }
            Ok(Entities::from_label(json).or_else(|error| python(json, error))?)
        }
    }
}

/// Type → list. Of two equal types either list could be meant, or both.
fn of_types(types: &[(String, Value)]) -> Result<Entities, LineErrorKind> {
    let mut entities = Entities::default();
    for (entity_type, list) in types {
        let bad = || LineErrorKind::NoList { entity_type: entity_type.clone() };
        if entities.has_type(entity_type) {
            return Err(LineErrorKind::TypeTwice { entity_type: entity_type.clone() });
        }
        entities.declare(entity_type);
        for entity in list.as_array().ok_or_else(bad)? {
            entities.push(entity_type, entity.as_str().ok_or_else(bad)?);
        }
    }
    Ok(entities)
}

fn of_value(value: &Value) -> Result<Entities, LabelError> {
    match value {
        Value::Array(pairs) if !pairs.is_empty() && pairs.iter().all(|p| pair(p).is_some()) => {
            Ok(pairs.iter().filter_map(pair).collect())
        }
        label => Entities::from_label_value(label),
    }
}

fn pair(value: &Value) -> Option<(&str, &str)> {
    match value.as_array()?.as_slice() {
        [entity_type, entity] => entity_type.as_str().zip(entity.as_str()),
        _ => None,
    }
}

/// The other forms as Python prints them: type → list, pairs, and tuples for lists. What is none of
/// them is no label either, for the reason that is given.
fn python(text: &str, no_label: LabelError) -> Result<Entities, LineErrorKind> {
    let Ok(value) = literal(text) else { return Err(no_label.into()) };
    half_pair::refuse_in(&value)?;
    match &value {
        Literal::Dict(pairs) => dict(pairs),
        list => pairs(list).ok_or_else(|| no_label.into()),
    }
}

fn dict(pairs: &[(Literal, Literal)]) -> Result<Entities, LineErrorKind> {
    let mut entities = Entities::default();
    for (key, list) in pairs {
        let name = || key.text().unwrap_or(key.name()).to_owned();
        let bad = || LineErrorKind::NoList { entity_type: name() };
        let entity_type = key.text().ok_or_else(bad)?;
        entities.declare(entity_type);
        for entity in items(list).ok_or_else(bad)? {
            entities.push(entity_type, entity.text().ok_or_else(bad)?);
        }
    }
    Ok(entities)
}

fn pairs(list: &Literal) -> Option<Entities> {
    let mut entities = Entities::default();
    for item in items(list)? {
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
    Some(entities)
}

/// The items of a list or tuple.
fn items(value: &Literal) -> Option<&[Literal]> {
    match value {
        Literal::List(items) | Literal::Tuple(items) => Some(items),
        _ => None,
    }
}
