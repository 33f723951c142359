//! Entities as numbers: which type, and where the text stands.

use super::Stop;
use super::quoted::Text;

/// More types or entities of one side of a record are counted in the plain way: here each is
/// compared with each.
const MOST: usize = 48;

/// The entities of one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// The types that are named, with an entity or without, each once.
    pub(super) types: Vec<u32>,
    pub(super) entities: Vec<Entity>,
    /// The text they stand in, if it is not the line.
    pub(super) decoded: Option<String>,
    /// How many texts stand in single quotes, one that is cut among them.
    pub(super) single_quotes: u64,
    /// Where it is cut, a key stands without its value.
    pub(super) unpaired: bool,
}

/// An entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entity {
    pub(super) entity_type: u32,
    pub(super) text: Text,
}

impl Listed {
    pub(super) fn clear(&mut self) {
        self.types.clear();
        self.entities.clear();
        self.decoded = None;
        self.single_quotes = 0;
        self.unpaired = false;
    }

    /// Adds a type; says whether it is new.
    #[inline(always)]
    pub(super) fn declare(&mut self, entity_type: u32) -> Result<bool, Stop> {
        if self.types.contains(&entity_type) {
            return Ok(false);
        }
        if self.types.len() == MOST {
            return Err(Stop::Unusual);
        }
        self.types.push(entity_type);
        Ok(true)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entity_type: u32, text: Text) -> Result<(), Stop> {
        if self.entities.len() == MOST {
            return Err(Stop::Unusual);
        }
        self.entities.push(Entity { entity_type, text });
        Ok(())
    }

    /// The text of an entity.
    #[inline(always)]
    pub(super) fn text<'l>(&'l self, entity: &Entity, line: &'l str) -> &'l str {
        let text = self.decoded.as_deref().unwrap_or(line);
        text.get(entity.text.start..entity.text.end).unwrap_or_default()
    }

    /// Its bytes.
    #[inline(always)]
    pub(super) fn bytes<'l>(&'l self, entity: &Entity, line: &'l str) -> &'l [u8] {
        let text = self.decoded.as_deref().unwrap_or(line).as_bytes();
        text.get(entity.text.start..entity.text.end).unwrap_or_default()
    }
}
