//! Label lists that are parts of others.

use super::TagSet;
use crate::{ErrorKind, Result};

impl TagSet {
    /// Of each type index of this list, the one in another list that has all of these labels and
    /// reads them in the same way.
    pub(crate) fn types_in(&self, whole: &Self) -> Result<Vec<usize>> {
        let all_there = self.labels().iter().all(|label| whole.id(label).is_some());
        if !all_there || self.options() != whole.options() {
            let (expected, found) = (whole.fingerprint(), self.fingerprint());
            return Err(ErrorKind::Incompatible { expected, found }.into());
        }
        // That of labels without a type is the first in any list; the others are sorted, and all
        // of them are in the longer list.
        let mut types = vec![0];
        let mut at = 1;
        for index in 1..self.type_count() {
            let name = self.type_name(index as u32);
            while at < whole.type_count() && whole.type_name(at as u32) < name {
                at += 1;
            }
            types.push(at);
        }
        Ok(types)
    }
}
