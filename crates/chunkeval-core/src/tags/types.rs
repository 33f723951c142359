//! Entity types that are merged into others, or left out.

use std::fmt;

use crate::{Error, Result};

/// What becomes of some entity types before anything is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeMap(Vec<(String, Becomes)>);

/// What becomes of an entity type.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Becomes {
    Other(String),
    /// Its labels read as `O`.
    Nothing,
}

impl TypeMap {
    pub(super) fn merge(&mut self, from: String, into: String) {
        self.0.push((from, Becomes::Other(into)));
    }

    pub(super) fn ignore(&mut self, entity_type: String) {
        self.0.push((entity_type, Becomes::Nothing));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The type in place of `found`; `None` if it is left out.
    pub(super) fn apply<'a>(&'a self, found: &'a str) -> Option<&'a str> {
        match self.0.iter().find(|(from, _)| from == found) {
            None => Some(found),
            Some((_, Becomes::Other(into))) => Some(into),
            Some((_, Becomes::Nothing)) => None,
        }
    }

    /// That the types are named once each, and are in the list.
    pub(super) fn check(&self, types: &[&str]) -> Result<()> {
        for (at, (from, becomes)) in self.0.iter().enumerate() {
            let option = match becomes {
                Becomes::Other(_) => "merge_types",
                Becomes::Nothing => "ignore_types",
            };
            if self.0[..at].iter().any(|(earlier, _)| earlier == from) {
                let reason = format!("the entity type {from:?} is named twice");
                return Err(Error::config(option, reason));
            }
            if !types.contains(&&**from) {
                let reason = format!("no label has the entity type {from:?}");
                return Err(Error::config(option, reason));
            }
            if *becomes == Becomes::Other(String::new()) {
                let reason = format!("the entity type {from:?} would become an empty one");
                return Err(Error::config(option, reason));
            }
        }
        Ok(())
    }
}

/// `"actor"="PER","MISC"=O`, in the order in which they were named.
impl fmt::Display for TypeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (from, becomes)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match becomes {
                Becomes::Other(into) => write!(f, "{comma}{from:?}={into:?}")?,
                Becomes::Nothing => write!(f, "{comma}{from:?}=O")?,
            }
        }
        Ok(())
    }
}
