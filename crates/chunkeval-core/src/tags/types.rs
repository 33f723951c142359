//! Entity types that are merged into others, or left out.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::{Error, Result};

/// What becomes of some entity types before anything is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeMap {
    /// In the order in which they were named.
    named: Vec<(String, Becomes)>,
    /// Where each type is named first.
    index: HashMap<String, usize>,
}

/// What becomes of an entity type.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Becomes {
    Other(String),
    /// Its labels read as `O`.
    Nothing,
}

impl TypeMap {
    pub(super) fn merge(&mut self, from: String, into: String) {
        self.push(from, Becomes::Other(into));
    }

    pub(super) fn ignore(&mut self, entity_type: String) {
        self.push(entity_type, Becomes::Nothing);
    }

    fn push(&mut self, from: String, becomes: Becomes) {
        self.index.entry(from.clone()).or_insert(self.named.len());
        self.named.push((from, becomes));
    }

    /// What becomes of a type, if it is named.
    fn get(&self, entity_type: &str) -> Option<&Becomes> {
        let at = *self.index.get(entity_type)?;
        self.named.get(at).map(|(_, becomes)| becomes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// The type in place of `found`; `None` if it is left out.
    pub(super) fn apply<'a>(&'a self, found: &'a str) -> Option<&'a str> {
        match self.get(found) {
            None => Some(found),
            Some(Becomes::Other(into)) => Some(into),
            Some(Becomes::Nothing) => None,
        }
    }

    /// That the types are named once each and are in the list, and that none is merged into
    /// nothing.
    pub(super) fn check(&self, types: &HashSet<&str>) -> Result<()> {
        for (at, (from, becomes)) in self.named.iter().enumerate() {
            let option = match becomes {
                Becomes::Other(_) => "merge_types",
                Becomes::Nothing => "ignore_types",
            };
            if self.index.get(from) != Some(&at) {
                let reason = format!("the entity type {from:?} is named twice");
                return Err(Error::config(option, reason));
            }
            if !types.contains(&**from) {
                let reason = format!("no label has the entity type {from:?}");
                return Err(Error::config(option, reason));
            }
            let Becomes::Other(into) = becomes else { continue };
            if into.is_empty() {
                let reason = format!("the entity type {from:?} would become an empty one");
                return Err(Error::config(option, reason));
            }
            if self.get(into) == Some(&Becomes::Nothing) {
                let reason =
                    format!("the entity type {from:?} would become {into:?}, which is left out");
                return Err(Error::config(option, reason));
            }
        }
        Ok(())
    }
}

/// `"actor"="PER","MISC"=O`, in the order in which they were named.
impl fmt::Display for TypeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (from, becomes)) in self.named.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match becomes {
                Becomes::Other(into) => write!(f, "{comma}{from:?}={into:?}")?,
                Becomes::Nothing => write!(f, "{comma}{from:?}=O")?,
            }
        }
        Ok(())
    }
}
