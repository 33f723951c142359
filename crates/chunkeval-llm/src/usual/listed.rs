//! Entities as numbers: which type, and where the text stands.

use wide::u32x8;

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
    /// A bit for each of them with a low number.
    low_types: u64,
    pub(super) entities: Vec<Entity>,
    /// For each entity a number that equal ones have, too, and few others.
    keys: [[u32; 8]; MOST / 8],
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

impl Entity {
    /// A number that equal entities have, too, and few others.
    #[inline(always)]
    pub(super) fn key(&self) -> u32 {
        let Self { entity_type, text: Text { head, .. } } = *self;
        let mixed = head as u64 ^ ((head >> 64) as u64).rotate_left(32);
        let mixed = mixed.wrapping_add(u64::from(entity_type));
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
}

impl Listed {
    pub(super) fn clear(&mut self) {
        self.types.clear();
        self.low_types = 0;
        self.entities.clear();
        self.decoded = None;
        self.single_quotes = 0;
        self.unpaired = false;
    }

    /// Adds a type; says whether it is new.
    #[inline(always)]
    pub(super) fn declare(&mut self, entity_type: u32) -> Result<bool, Stop> {
        let low = 1_u64.checked_shl(entity_type).unwrap_or(0);
        let known = match low {
            0 => self.types.contains(&entity_type),
            low => self.low_types & low != 0,
        };
        if known {
            return Ok(false);
        }
        if self.types.len() == MOST {
            return Err(Stop::Unusual);
        }
        self.low_types |= low;
        self.types.push(entity_type);
        Ok(true)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entity_type: u32, text: Text) -> Result<(), Stop> {
        let entity = Entity { entity_type, text };
        let key = self.keys.as_flattened_mut().get_mut(self.entities.len());
        let Some(key) = key else { return Err(Stop::Unusual) };
        *key = entity.key();
        self.entities.push(entity);
        Ok(())
    }

    /// A bit for each entity with such a key.
    #[inline(always)]
    pub(super) fn with_key(&self, key: u32) -> u64 {
        let key = u32x8::splat(key);
        let eights = self.keys.iter().zip((0..).step_by(8));
        let some = eights.take(self.entities.len().div_ceil(8));
        let found = some.fold(0, |found, (keys, at)| {
            found | u64::from(u32x8::new(*keys).simd_eq(key).to_bitmask()) << at
        });
        found & !(u64::MAX << self.entities.len()) // no older ones
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
