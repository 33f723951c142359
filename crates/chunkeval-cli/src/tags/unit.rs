//! What intervals and tests resample.

use chunkeval_core::RowCounts;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What is drawn as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Resampled {
    /// Each sentence by itself
    #[default]
    Sentence,
    /// All sentences of a document together: they have topic, names and author in common
    Document,
}

impl Resampled {
    /// One of them, for signatures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Document => "document",
        }
    }

    /// Many of them.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Sentence => "sentences",
            Self::Document => "documents",
        }
    }

    /// The counts of each unit, where documents begin with those rows; one begins with the first
    /// row whatever is said.
    ///
    /// # Errors
    /// There is no beginning of a document.
    pub(crate) fn of(self, rows: RowCounts, begins: &[usize]) -> Result<RowCounts> {
        match self {
            Self::Sentence => Ok(rows),
            Self::Document if begins.is_empty() => Err(Error::Mismatch {
                reason: "there are no documents: no -DOCSTART- line begins one".to_owned(),
                hint: Some(
                    "--document-start names what other lines begin with; --unit sentence needs none"
                        .to_owned(),
                ),
            }),
            Self::Document => {
                let mut ends: Vec<usize> = begins.to_vec();
                ends.retain(|&row| row > 0 && row < rows.len());
                ends.dedup();
                if !rows.is_empty() {
                    ends.push(rows.len());
                }
                Ok(rows.documents(&ends)?)
            }
        }
    }
}
