//! Points 6 to 8: what the values mean.

use std::collections::HashSet;

use super::fields::{self, EntityObject};
use super::repairs::Repairs;
use super::signs::is_space;
use super::value::{Item, Pair, Value};
use crate::{Entities, Malformed, MalformedKind, RepairKind};

/// The most characters of a malformed item that are shown.
const SHOWN: usize = 60;

/// What an answer says.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) entities: Entities,
    pub(crate) malformed: Vec<Malformed>,
    pub(crate) repairs: Repairs,
    /// Whether it names a type.
    pub(crate) names_a_type: bool,
}

/// Where a list of objects stands.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    Nothing,
    /// The key of the answer, or a lone wrapper key, so that its objects are entities.
    Wrapper,
}

/// Whether numbers, `true` and `false` are entities.
#[derive(Clone, Copy)]
enum Constants {
    /// Of a type: yes, by their source text.
    Count,
    /// Of an entity object: no, its entity must be a text.
    Malformed,
}

/// What the groups of a run mean, or what stands under a key of their one object; `Err` says what
/// they are if none of them is an answer.
pub(crate) fn meaning(
    source: &str,
    groups: &[Item<'_>],
    key: Option<&str>,
) -> Result<Found, &'static str> {
    let mut reader = Reader { source, found: Found::default() };
    if let [item @ Item { value: Value::Object(pairs), .. }] = groups {
        let under = |pair: &&Pair<'_>| key.is_some_and(|key| fields::is(pair, key));
        let mut inner = pairs.iter().filter(under).map(|pair| &pair.value).peekable();
        if inner.peek().is_none() {
            reader.object(item, pairs);
        }
        for (at, inner) in inner.enumerate() {
            if at > 0 {
                reader.found.repairs.note(RepairKind::EqualKeys, inner.start);
            }
            reader.under_key(inner)?;
        }
        return Ok(reader.found);
    }
    let mut items = Vec::new();
    let mut answers = 0;
    for group in groups {
        let before = items.len();
        flatten(group, &mut items);
        if is_answer(items.get(before..).unwrap_or_default()) {
            answers += 1;
        } else {
            items.truncate(before);
            reader.found.repairs.note(RepairKind::Surroundings, group.start);
        }
    }
    if answers == 0 {
        return Err("a list without objects");
    }
    reader.list(&items, Around::Nothing);
    Ok(reader.found)
}

/// Whether there are objects in a list, or nothing at all.
fn is_answer(items: &[&Item<'_>]) -> bool {
    items.iter().any(|item| pairs(item).is_some()) || items.iter().all(|item| item.is_null())
}

struct Reader<'s> {
    source: &'s str,
    found: Found,
}

impl Reader<'_> {
    /// What stands under the key of the answer; `Err` says what it is if that is no answer.
    fn under_key(&mut self, inner: &Item<'_>) -> Result<(), &'static str> {
        match &inner.value {
            Value::Null => {}
            Value::Object(pairs) => self.object(inner, pairs),
            Value::List(_) => {
                let mut items = Vec::new();
                flatten(inner, &mut items);
                if !is_answer(&items) {
                    return Err("a list without objects under the key of the answer");
                }
                self.list(&items, Around::Wrapper);
            }
            Value::Text(_) => return Err("a text under the key of the answer"),
            Value::Constant(_) => {
                return Err("a number, true or false under the key of the answer");
            }
        }
        Ok(())
    }

    /// An entity object, an answer in a wrapper, or types with their values.
    fn object(&mut self, item: &Item<'_>, pairs: &[Pair<'_>]) {
        if let Some(object) = EntityObject::of(pairs) {
            return self.entity_object(item, object);
        }
        let Some(inner) = fields::wrapped(pairs) else { return self.types(pairs) };
        let mut items = Vec::new();
        match &inner.value {
            Value::Null => {}
            Value::Object(pairs) => self.object(inner, pairs),
            Value::List(_) => {
                flatten(inner, &mut items);
                if is_answer(&items) {
                    self.list(&items, Around::Wrapper);
                } else {
                    // A list of strings: `entities` is a type like any other.
                    self.types(pairs);
                }
            }
            Value::Text(_) | Value::Constant(_) => self.types(pairs),
        }
    }

    /// Entity objects, or objects from types to values.
    fn list(&mut self, items: &[&Item<'_>], around: Around) {
        let objects = || items.iter().filter_map(|item| pairs(item));
        let of_entities = objects().any(|pairs| EntityObject::of(pairs).is_some())
            || around == Around::Wrapper && objects().all(fields::lacks_its_type);
        for item in items {
            match pairs(item) {
                Some(pairs) if of_entities => match EntityObject::of(pairs) {
                    Some(object) => self.entity_object(item, object),
                    None => self.malformed(MalformedKind::NoType, None, item),
                },
                Some(pairs) => self.object(item, pairs),
                None if item.is_null() => self.malformed(MalformedKind::Null, None, item),
                None => self.malformed(MalformedKind::NotAnObject, None, item),
            }
        }
    }

    fn entity_object(&mut self, item: &Item<'_>, object: EntityObject<'_, '_>) {
        let Some(entity_type) = object.entity_type else {
            return self.malformed(MalformedKind::NoType, None, item);
        };
        let entity_type = self.trimmed(entity_type, item.start);
        if entity_type.is_empty() {
            return self.malformed(MalformedKind::EmptyType, None, item);
        }
        self.found.names_a_type = true;
        match object.entity {
            Some(entity) => self.values(entity_type, entity, Constants::Malformed),
            None => self.malformed(MalformedKind::NoEntity, Some(entity_type), item),
        }
    }

    fn types(&mut self, pairs: &[Pair<'_>]) {
        let mut seen = HashSet::new();
        for pair in pairs {
            let entity_type = self.trimmed(&pair.key, pair.value.start);
            if entity_type.is_empty() {
                self.malformed(MalformedKind::EmptyType, None, &pair.value);
                continue;
            }
            if !seen.insert(entity_type) {
                self.found.repairs.note(RepairKind::EqualKeys, pair.value.start);
            }
            self.found.names_a_type = true;
            self.found.entities.declare(entity_type);
            self.values(entity_type, &pair.value, Constants::Count);
        }
    }

    /// Adds the entities of a value to a type.
    fn values(&mut self, entity_type: &str, item: &Item<'_>, constants: Constants) {
        let kind = match &item.value {
            Value::Null => MalformedKind::Null,
            Value::Text(text) => {
                let entity = self.trimmed(text, item.start);
                if !entity.is_empty() {
                    return self.found.entities.push(entity_type, entity);
                }
                MalformedKind::EmptyEntity
            }
            Value::Constant(text) => match constants {
                Constants::Count => return self.found.entities.push(entity_type, *text),
                Constants::Malformed => MalformedKind::NotText,
            },
            Value::List(items) => {
                return items.iter().for_each(|item| self.values(entity_type, item, constants));
            }
            Value::Object(pairs) if pairs.is_empty() => return,
            Value::Object(pairs) => match fields::entity(pairs) {
                Some(entity) => return self.values(entity_type, entity, constants),
                None => MalformedKind::NoEntity,
            },
        };
        self.malformed(kind, Some(entity_type), item);
    }

    /// A type or entity without outer space.
    fn trimmed<'a>(&mut self, text: &'a str, offset: usize) -> &'a str {
        let trimmed = text.trim_matches(is_space);
        if trimmed.len() < text.len() {
            self.found.repairs.note(RepairKind::Trimmed, offset);
        }
        trimmed
    }

    fn malformed(&mut self, kind: MalformedKind, entity_type: Option<&str>, item: &Item<'_>) {
        let text = self.source.get(item.start..item.end).unwrap_or_default();
        self.found.malformed.push(Malformed {
            kind,
            entity_type: entity_type.map(str::to_owned),
            offset: item.start,
            shown: text.chars().take(SHOWN).collect(),
        });
    }
}

fn pairs<'a, 't>(item: &'a Item<'t>) -> Option<&'a [Pair<'t>]> {
    match &item.value {
        Value::Object(pairs) => Some(pairs),
        _ => None,
    }
}

/// An item, or the items of a list and of the lists in it, in order.
fn flatten<'a, 't>(item: &'a Item<'t>, flat: &mut Vec<&'a Item<'t>>) {
    match &item.value {
        Value::List(items) => items.iter().for_each(|item| flatten(item, flat)),
        _ => flat.push(item),
    }
}
