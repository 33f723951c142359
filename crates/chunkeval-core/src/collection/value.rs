//! The value of a collection.

use crate::Scalars;

/// Scalars by name, in a fixed order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedScalars(Vec<(String, Option<f64>)>);

impl NamedScalars {
    pub(super) fn push(&mut self, name: &str, value: Option<f64>) {
        self.0.push((name.to_owned(), value));
    }

    /// A scalar; `None` if it is undefined or there is none of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(n, _)| n == name)?.1
    }
}

impl Scalars for NamedScalars {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        self.0.iter().for_each(|(name, value)| each(name, *value));
    }
}
