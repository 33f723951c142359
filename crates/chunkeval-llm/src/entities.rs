//! Entities by type: what a label asks for and what an answer gives.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Entity type → list of entities. Types are in order of first appearance; lists keep order and
/// repeats. A type may be there without an entity.
///
/// As JSON an object of lists. Two are equal whatever the order of their types.
///
/// ```
/// use chunkeval_llm::Entities;
///
/// let mut entities = Entities::default();
/// entities.push("LOC", "美");
/// entities.push("LOC", "台");
/// entities.declare("PER");
/// assert_eq!(entities.get("LOC"), ["美", "台"]);
/// assert_eq!((entities.len(), entities.types().len()), (2, 2));
/// assert_eq!(serde_json::to_string(&entities)?, r#"{"LOC":["美","台"],"PER":[]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Entities(IndexMap<String, Vec<String>>);

impl Entities {
    /// Adds an entity to the end of the list of its type.
    pub fn push(&mut self, entity_type: &str, entity: impl Into<String>) {
        self.list(entity_type).push(entity.into());
    }

    /// Adds a type, without an entity, unless it is there.
    pub fn declare(&mut self, entity_type: &str) {
        self.list(entity_type);
    }

    fn list(&mut self, entity_type: &str) -> &mut Vec<String> {
        // Not `entry`, which wants a `String` even of a type that is there.
        let index = match self.0.get_index_of(entity_type) {
            Some(index) => index,
            None => self.0.insert_full(entity_type.to_owned(), Vec::new()).0,
        };
        &mut self.0[index]
    }

    /// The entities of a type; none of a type that is not there.
    #[must_use]
    pub fn get(&self, entity_type: &str) -> &[String] {
        self.0.get(entity_type).map_or(&[], Vec::as_slice)
    }

    /// Whether a type is there, with an entity or without.
    #[must_use]
    pub fn has_type(&self, entity_type: &str) -> bool {
        self.0.contains_key(entity_type)
    }

    /// The types, in order of first appearance.
    pub fn types(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The types with their entities, in order of first appearance.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[String])> {
        self.0.iter().map(|(entity_type, list)| (entity_type.as_str(), list.as_slice()))
    }

    /// The number of entities, repeats included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether there is no entity, whatever types there are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Vec::is_empty)
    }
}

impl<T: AsRef<str>, E: Into<String>> FromIterator<(T, E)> for Entities {
    fn from_iter<I: IntoIterator<Item = (T, E)>>(pairs: I) -> Self {
        let mut entities = Self::default();
        for (entity_type, entity) in pairs {
            entities.push(entity_type.as_ref(), entity);
        }
        entities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_keep_their_order_and_lists_their_repeats() {
        let entities: Entities =
            [("PER", "Ann"), ("LOC", "Rome"), ("PER", "Ann"), ("PER", "Bo")].into_iter().collect();
        assert_eq!(entities.types().collect::<Vec<_>>(), ["PER", "LOC"]);
        assert_eq!(entities.get("PER"), ["Ann", "Ann", "Bo"]);
        assert_eq!(entities.get("ORG"), [""; 0]);
        assert_eq!(entities.len(), 4);
        let saved = serde_json::to_string(&entities).unwrap();
        assert_eq!(saved, r#"{"PER":["Ann","Ann","Bo"],"LOC":["Rome"]}"#);
        assert_eq!(serde_json::from_str::<Entities>(&saved).unwrap(), entities);
    }

    #[test]
    fn a_type_without_an_entity_is_a_type() {
        let mut entities = Entities::default();
        entities.declare("PER");
        entities.declare("PER");
        assert!(entities.is_empty());
        assert_eq!(entities.iter().collect::<Vec<_>>(), [("PER", [].as_slice())]);
    }
}
