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
    /// One, or some of which the right one is found out at the end.
    readings: &'r [Reading],
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    ids: HashMap<String, i32>,
    list: Vec<String>,
    /// For each reading, whether it reads all of them.
    fits: Vec<bool>,
}

impl<'r> Labels<'r> {
    pub(super) fn new(readings: &'r [Reading]) -> Self {
        let fits = vec![true; readings.len()];
        Self { readings, known: Mutex::new(Known { fits, ..Known::default() }) }
    }

    pub(super) fn readings(&self) -> &'r [Reading] {
        self.readings
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Both fields change together or not at all, whatever a thread died of.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of a label; a new one if it was not met before.
    ///
    /// # Errors
    /// No reading reads it; the reason, and a hint.
    pub(super) fn id(&self, label: &str) -> Result<i32, (String, Option<String>)> {
        let label = match self.readings {
            [only] => only.same_as(label),
            _ => label,
        };
        if let Some(&id) = self.lock().ids.get(label) {
            return Ok(id);
        }
        let reads: Vec<bool> = self.readings.iter().map(|reading| reading.reads(label)).collect();
        let is_tag = |label| self.readings.iter().any(|reading| reading.reads(label));
        if let Some(refusal) = super::reading::unseen(self.readings, label)
            && is_tag(label.trim())
        {
            return Err(refusal);
        }
        if !reads.contains(&true) {
            return Err(super::reading::refusal(self.readings, label));
        }
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
        known.fits.iter_mut().zip(reads).for_each(|(fits, reads)| *fits &= reads);
        Ok(id)
    }

    /// All labels met so far, by id.
    pub(super) fn list(&self) -> Vec<String> {
        self.lock().list.clone()
    }
    /// The same, for a reading that reads all of them; `None` for another one.
    pub(super) fn list_for(&self, reading: usize) -> Option<Vec<String>> {
        let known = self.lock();
        known.fits.get(reading).copied().unwrap_or(false).then(|| known.list.clone())
    }
}
