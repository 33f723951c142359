//! Two systems on the same units.

use crate::{Result, Units};

/// The units of two systems, drawn together.
pub(crate) struct Pair<'a, U> {
    pub(crate) first: &'a U,
    pub(crate) second: &'a U,
}

impl<'a, U: Units> Pair<'a, U> {
    pub(crate) fn new(first: &'a U, second: &'a U) -> Result<Self> {
        first.check_pair(second)?;
        Ok(Self { first, second })
    }
}

impl<U: Units> Units for Pair<'_, U> {
    type Sum = (U::Sum, U::Sum);

    fn len(&self) -> usize {
        self.first.len()
    }

    fn zero(&self) -> Self::Sum {
        (self.first.zero(), self.second.zero())
    }

    fn add(&self, unit: usize, times: u32, (first, second): &mut Self::Sum) -> Result<()> {
        self.first.add(unit, times, first)?;
        self.second.add(unit, times, second)
    }

    fn add_all(&self, times: &[u32], (first, second): &mut Self::Sum) -> Result<()> {
        self.first.add_all(times, first)?;
        self.second.add_all(times, second)
    }
}
