//! The labels seen so far, which all threads share.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Reading;

/// More different tags than any scheme has: that is then no column of tags, and memory must not
/// grow with the data.
const MOST: usize = 1 << 16;

/// Labels with their ids, in the order in which threads met them.
#[derive(Debug)]
pub(super) struct Labels<'r> {
    reading: &'r Reading,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    ids: HashMap<String, i32>,
    list: Vec<String>,
}

impl<'r> Labels<'r> {
    pub(super) fn new(reading: &'r Reading) -> Self {
        Self { reading, known: Mutex::default() }
    }

    pub(super) fn reading(&self) -> &'r Reading {
        self.reading
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Both fields change together or not at all, whatever a thread died of.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of a label; a new one if it was not met before.
    ///
    /// # Errors
    /// It cannot be read; the reason, and a hint.
    pub(super) fn id(&self, label: &str) -> Result<i32, (String, Option<String>)> {
        if let Some(&id) = self.lock().ids.get(label) {
            return Ok(id);
        }
        self.reading.read(label)?;
        let mut known = self.lock();
        if let Some(&id) = known.ids.get(label) {
            return Ok(id); // another thread was faster
        }
        let id = known.list.len();
        if id >= MOST {
            let hint = "is that the column of tags? --layout says which one is";
            return Err((format!("more than {MOST} different tags"), Some(hint.to_owned())));
        }
        let id = i32::try_from(id).unwrap_or(i32::MAX);
        known.list.push(label.to_owned());
        known.ids.insert(label.to_owned(), id);
        Ok(id)
    }

    /// All labels met so far, by id.
    pub(super) fn list(&self) -> Vec<String> {
        self.lock().list.clone()
    }
}
