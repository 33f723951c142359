//! Rows counted under a part of a label list.

use super::RowCounts;
use crate::{ChunkEvaluator, Mergeable, Result};

impl RowCounts {
    /// The same rows for a label list that has all labels of the one they were counted under.
    ///
    /// What is in the total of a row only stays so, even if the longer list has its type.
    ///
    /// # Errors
    /// They were not counted by an evaluator of `from`'s configuration, or as for
    /// [`ChunkEvaluator::absorb`].
    pub fn moved(self, from: &ChunkEvaluator, to: &ChunkEvaluator) -> Result<Self> {
        self.fits(&from.fingerprint(), from.tags().types())?;
        from.tags().types_in(to.tags())?;
        let mut moved = Self { ends: self.ends, entries: self.entries, ..Self::new(to) };
        let at = |name: &String| moved.types.binary_search(name).unwrap_or(moved.types.len());
        let places: Vec<u32> = self.types.iter().map(|name| at(name) as u32).collect();
        for entry in &mut moved.entries {
            // One beyond the types is what is in the total only.
            entry[0] = places.get(entry[0] as usize).copied().unwrap_or(moved.types.len() as u32);
        }
        Ok(moved)
    }
}
