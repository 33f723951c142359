//! An item of a list of gold entities: an object, by the names that answers use, too.

use super::node::Node;
use crate::LabelError;
use crate::lenient::{ENTITIES, TYPES};

/// The item of a list, for errors, and its fields.
#[derive(Clone, Copy)]
pub(crate) struct Item<'n> {
    pub(crate) index: usize,
    pub(crate) fields: &'n [(String, Node)],
}

/// An entity as an item has it.
pub(super) enum Told<'n> {
    Text(&'n str),
    /// By its first character, and the one after its last.
    Place(usize, usize),
}

impl<'n> Item<'n> {
    /// Type and entity by their names in the published form.
    pub(crate) fn published(self) -> Result<(Option<&'n str>, Option<&'n str>), LabelError> {
        Ok((self.text("entity_type")?, self.text("entity")?))
    }

    /// Type and entity. Of the published form, `entity` and `entity_type`, other fields are passed
    /// over; among other names none may contradict another.
    pub(super) fn read(self) -> Result<(&'n str, Told<'n>), LabelError> {
        if let (Some(entity_type), Some(entity)) = self.published()? {
            return Ok((entity_type, Told::Text(entity)));
        }
        let missing = |field| LabelError::Missing { index: self.index, field };
        let entity_type = self.one_of(&TYPES)?.ok_or(missing("entity_type"))?;
        if let Some(entity) = self.one_of(&ENTITIES)? {
            return Ok((entity_type, Told::Text(entity)));
        }
        match (self.offset("start")?, self.offset("end")?) {
            (Some(start), Some(end)) => Ok((entity_type, Told::Place(start, end))),
            (None, None) => Err(missing("entity")),
            (None, Some(_)) => Err(missing("start")),
            (Some(_), None) => Err(missing("end")),
        }
    }

    /// The text of the fields that are there: they must have the same.
    fn one_of(self, names: &[&'static str]) -> Result<Option<&'n str>, LabelError> {
        let mut found: Option<(&'static str, &str)> = None;
        for &name in names {
            let Some(text) = self.text(name)? else { continue };
            match found {
                Some((first, other)) if other != text => {
                    let (index, fields) = (self.index, [first, name]);
                    return Err(LabelError::Contradiction { index, fields });
                }
                Some(_) => {}
                None => found = Some((name, text)),
            }
        }
        Ok(found.map(|(_, text)| text))
    }

    fn text(self, field: &'static str) -> Result<Option<&'n str>, LabelError> {
        let text = |value: &'n Node| {
            let (index, found) = (self.index, value.name());
            value.text().ok_or(LabelError::NotText { index, field, found })
        };
        self.once(field)?.map(text).transpose()
    }

    fn offset(self, field: &'static str) -> Result<Option<usize>, LabelError> {
        let offset = |value: &'n Node| match value {
            Node::Number(Some(offset)) => Ok(*offset),
            _ => Err(LabelError::NotAnOffset { index: self.index, field }),
        };
        self.once(field)?.map(offset).transpose()
    }

    /// The value of a field.
    fn once(self, field: &'static str) -> Result<Option<&'n Node>, LabelError> {
        let mut values = self.fields.iter().filter(|(key, _)| key == field);
        let value = values.next().map(|(_, value)| value);
        match values.next() {
            Some(_) => Err(LabelError::Twice { index: self.index, field }),
            None => Ok(value),
        }
    }
}
