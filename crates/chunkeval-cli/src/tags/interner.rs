//! From the bytes of a tag to its id, as fast as may be: this is done twice a line.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::labels::Labels;

/// A thread's own table of the labels it has met.
#[derive(Debug)]
pub(super) struct Interner<'l> {
    labels: &'l Labels<'l>,
    /// Tags of up to 16 bytes; a power of two of places, at most half of them taken.
    short: Vec<Short>,
    taken: usize,
    long: HashMap<Box<[u8]>, i32, FxBuildHasher>,
}

/// A tag of up to 16 bytes: its first eight, its last eight if there are more, and how many, which
/// together are the tag.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Key {
    first: u64,
    last: u64,
    length: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Short {
    /// Of length 0 if the place is free: no tag is empty.
    key: Key,
    id: i32,
}

const WORD: usize = size_of::<u64>();

impl Key {
    /// The key of `bytes[start..end]`, which is not empty; `None` if it is longer than 16 bytes.
    #[inline(always)]
    fn of(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        if length > 2 * WORD {
            return None;
        }
        let word = |at: usize| -> Option<u64> {
            bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
        };
        if length > WORD {
            return Some(Self {
                first: word(start)?,
                last: word(end - WORD)?,
                length: length as u64,
            });
        }
        // What stands behind the tag is cut off. At the end of the block there may be less.
        let first = word(start).unwrap_or_else(|| {
            let rest = bytes.get(start..).unwrap_or_default().iter().rev();
            rest.fold(0, |word, &byte| word << 8 | u64::from(byte))
        });
        let first = first & (u64::MAX >> (8 * (WORD - length)));
        Some(Self { first, last: 0, length: length as u64 })
    }

    #[inline(always)]
    fn hash(self) -> usize {
        // Multiplication carries every bit up, so the upper ones are mixed best.
        let mixed = (self.first ^ self.last.rotate_left(32)).wrapping_add(self.length);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
    }
}

impl<'l> Interner<'l> {
    pub(super) fn new(labels: &'l Labels<'l>) -> Self {
        Self { labels, short: vec![Short::default(); 256], taken: 0, long: HashMap::default() }
    }

    /// The id of the tag `bytes[start..end]`, which is not empty and UTF-8.
    ///
    /// # Errors
    /// It is new and cannot be read; the reason, and a hint.
    #[inline(always)]
    pub(super) fn id(
        &mut self,
        bytes: &[u8],
        start: usize,
        end: usize,
    ) -> Result<i32, (String, Option<String>)> {
        let Some(key) = Key::of(bytes, start, end) else {
            return self.long(bytes.get(start..end).unwrap_or_default());
        };
        match self.find(key) {
            Ok(id) => Ok(id),
            Err(place) => self.add(key, place, bytes.get(start..end).unwrap_or_default()),
        }
    }

    /// The id of a key, or the place where it belongs.
    #[inline(always)]
    fn find(&self, key: Key) -> Result<i32, usize> {
        let mask = self.short.len() - 1;
        let mut place = key.hash() & mask;
        loop {
            let here = &self.short[place & mask];
            if here.key == key {
                return Ok(here.id);
            }
            if here.key.length == 0 {
                return Err(place);
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn add(&mut self, key: Key, place: usize, tag: &[u8]) -> Result<i32, (String, Option<String>)> {
        let id = self.labels.id(&String::from_utf8_lossy(tag))?;
        self.put(place, Short { key, id });
        self.taken += 1;
        if 2 * self.taken > self.short.len() {
            let larger = vec![Short::default(); 4 * self.short.len()];
            for old in std::mem::replace(&mut self.short, larger) {
                if old.key.length > 0
                    && let Err(place) = self.find(old.key)
                {
                    self.put(place, old);
                }
            }
        }
        Ok(id)
    }

    fn put(&mut self, place: usize, entry: Short) {
        if let Some(free) = self.short.get_mut(place) {
            *free = entry;
        }
    }

    #[cold]
    fn long(&mut self, tag: &[u8]) -> Result<i32, (String, Option<String>)> {
        if let Some(&id) = self.long.get(tag) {
            return Ok(id);
        }
        let id = self.labels.id(&String::from_utf8_lossy(tag))?;
        self.long.insert(tag.into(), id);
        Ok(id)
    }
}
