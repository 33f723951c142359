//! [`Asked`]: which types a record asks for.

use std::collections::HashSet;

use crate::Record;

/// So many types are looked through one by one, which needs no memory.
const FEW: usize = 16;

/// The types that a record asks for.
pub(crate) enum Asked<'r> {
    /// Every type, since the record does not say.
    All,
    Few(&'r [String]),
    Many(HashSet<&'r str>),
}

impl<'r> Asked<'r> {
    pub(crate) fn of(record: &'r Record) -> Self {
        match record.schema.as_deref() {
            None => Self::All,
            Some(few) if few.len() <= FEW => Self::Few(few),
            Some(many) => Self::Many(many.iter().map(String::as_str).collect()),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Few(types) => types.iter().any(|asked| asked == name),
            Self::Many(types) => types.contains(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entities;

    #[test]
    fn many_types_are_asked_for_like_few() {
        for types in [1, FEW, FEW + 1, 99] {
            let names = (0..types).map(|number| format!("T{number}"));
            let record = Record::new(Entities::default(), "{}").schema(names);
            let asked = Asked::of(&record);
            assert!((0..types).all(|number| asked.has(&format!("T{number}"))));
            assert!(!asked.has("T") && !asked.has(&format!("T{types}")));
        }
        assert!(Asked::of(&Record::default()).has("T"));
    }
}
