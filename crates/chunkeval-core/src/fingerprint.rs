//! What tells one configuration from another.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ErrorKind, Result};

/// The configuration of a metric, written out.
///
/// A snapshot is taken back only by a metric with the same fingerprint. It is a text rather than a
/// hash, so two configurations can not clash by chance and an error can show what differs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// A fingerprint from a text that names the metric and everything its counts depend on.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// That what was measured under another fingerprint, or this one, may be taken here.
    pub(crate) fn takes(&self, found: &Self) -> Result<()> {
        if self == found {
            return Ok(());
        }
        let (expected, found) = (self.clone(), found.clone());
        Err(ErrorKind::Incompatible { expected, found }.into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
