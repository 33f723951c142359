//! The names of fields that answers use, and what an object is by them.

use super::signs::is_space;
use super::value::{Item, Pair, Value};

/// The fields that name the type of an entity object, the first of them first; of gold ones, too.
pub(crate) const TYPES: [&str; 5] = ["entity_type", "type", "label", "category", "tag"];

/// The fields that hold an entity, the first of them first; of gold ones, too.
pub(crate) const ENTITIES: [&str; 7] =
    ["entity", "text", "name", "word", "span", "mention", "value"];

/// The lone keys around a whole answer.
pub(crate) const WRAPPERS: [&str; 4] = ["entities", "output", "result", "answer"];

/// The last value of a field, as in JSON.
fn field<'a, 't>(pairs: &'a [Pair<'t>], name: &str) -> Option<&'a Item<'t>> {
    pairs.iter().rev().find(|pair| is(pair, name)).map(|pair| &pair.value)
}

/// Whether a key is this one.
pub(crate) fn is(pair: &Pair<'_>, name: &str) -> bool {
    pair.key.trim_matches(is_space) == name
}

/// The entity that an object holds, if there is one.
pub(crate) fn entity<'a, 't>(pairs: &'a [Pair<'t>]) -> Option<&'a Item<'t>> {
    ENTITIES.iter().filter_map(|name| field(pairs, name)).find(|item| !item.is_null())
}

/// An entity with its type, as a label has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntityObject<'a, 't> {
    /// The type, if it is a text.
    pub(crate) entity_type: Option<&'a str>,
    /// The entity, if there is one.
    pub(crate) entity: Option<&'a Item<'t>>,
}

impl<'a, 't> EntityObject<'a, 't> {
    /// The object, if it is one: with a type and an entity, or with nothing but a type. Without a
    /// text for a type the entity must be plain, since types may be called `tag` or `name`, too.
    pub(crate) fn of(pairs: &'a [Pair<'t>]) -> Option<Self> {
        let types = || TYPES.iter().filter_map(|name| field(pairs, name));
        let entity = entity(pairs);
        let has_entity = || ENTITIES.iter().any(|name| pairs.iter().any(|pair| is(pair, name)));
        let only_types = || pairs.iter().all(|pair| TYPES.iter().any(|name| is(pair, name)));
        let text = types().find_map(|item| match &item.value {
            Value::Text(text) => Some(&**text),
            _ => None,
        });
        let is_one = match text {
            Some(_) => has_entity() || only_types(),
            None => types().any(Item::is_scalar) && entity.is_some_and(Item::is_scalar),
        };
        is_one.then_some(Self { entity_type: text, entity })
    }
}

/// What a lone wrapper key holds.
pub(crate) fn wrapped<'a, 't>(pairs: &'a [Pair<'t>]) -> Option<&'a Item<'t>> {
    match pairs {
        [pair] if WRAPPERS.iter().any(|name| is(pair, name)) => Some(&pair.value),
        _ => None,
    }
}

/// Whether an object looks like an entity whose type was forgotten.
pub(crate) fn lacks_its_type(pairs: &[Pair<'_>]) -> bool {
    // Not `name` and `value`, which may be types.
    let told = ["entity", "text", "word", "span", "mention"];
    told.iter().any(|name| field(pairs, name).is_some_and(Item::is_scalar))
}
