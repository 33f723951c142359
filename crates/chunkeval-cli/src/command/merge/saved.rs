//! A state in a file.

use std::fs;
use std::path::{Path, PathBuf};

use chunkeval_core::{RowCounts, SideBySideState, Snapshot, TokenCounts};
use serde::{Deserialize, Serialize};

use crate::tags::{Reading, Scored};
use crate::unusable::Unusable;
use crate::{Error, Result};

/// What the file calls itself; another number where the fields are others.
const FORMAT: &str = "chunkeval tags state 1";

/// What `tags` has counted, with everything that it depends on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    format: String,
    reading: Reading,
    /// All labels, sorted by code point.
    labels: Vec<String>,
    state: Snapshot<SideBySideState>,
    tokens: TokenCounts,
    /// The counts of each sentence, where intervals were asked for.
    rows: Option<RowCounts>,
    /// Sentences that could not be used.
    left_out: u64,
    /// Whether it is a part only, since Ctrl-C ended it.
    interrupted: bool,
}

impl Saved {
    /// The state of a result.
    ///
    /// # Errors
    /// Counts overflow.
    pub(crate) fn new(reading: &Reading, scored: &Scored) -> Result<Self> {
        Ok(Self {
            format: FORMAT.to_owned(),
            reading: reading.clone(),
            labels: scored.labels.clone(),
            state: Snapshot::of(&scored.metric()?),
            tokens: scored.tokens,
            rows: scored.rows.clone(),
            left_out: scored.unusable.sentences,
            interrupted: scored.interrupted,
        })
    }

    pub(crate) fn load(path: &Path) -> Result<Self> {
        let text = fs::read(path).map_err(|e| Error::read(path, e))?;
        let refused = |reason: String| {
            let hint = "chunkeval tags --save-state FILE writes such files";
            Error::content(path, reason).with_hint(hint)
        };
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|e| refused(format!("no state: {e}")))?;
        match value["format"].as_str() {
            Some(FORMAT) => {}
            Some(other) => return Err(refused(format!("the format is {other:?}, not {FORMAT:?}"))),
            None => return Err(refused("no state: it has no format".to_owned())),
        }
        serde_json::from_value(value).map_err(|e| refused(format!("a damaged state: {e}")))
    }

    /// The result of which this is the state.
    ///
    /// # Errors
    /// The state is not one that can have been counted.
    pub(crate) fn scored(&self) -> Result<Scored> {
        let mut metric = self.reading.metric(&self.labels)?;
        self.state.restore_into(&mut metric)?;
        Ok(Scored {
            labels: self.labels.clone(),
            buckets: vec![("all".to_owned(), metric)],
            tokens: self.tokens,
            errors: None,
            rows: self.rows.clone(),
            unusable: Unusable { sentences: self.left_out, first: Vec::new() },
            interrupted: self.interrupted,
        })
    }

    /// The sum of two, under all labels of both.
    fn plus(&self, other: &Self) -> Result<Self> {
        let mut labels: Vec<String> = self.labels.iter().chain(&other.labels).cloned().collect();
        labels.sort_unstable();
        labels.dedup();
        let mut sum = self.reading.metric(&labels)?;
        let parts = [self.scored()?, other.scored()?];
        for part in &parts {
            sum.absorb(&part.metric()?)?;
        }
        let rows = match (&self.rows, &other.rows, sum.readings().first()) {
            (Some(mine), Some(theirs), Some(whole)) => {
                let mut rows = RowCounts::new(whole);
                for (counted, part) in [mine, theirs].into_iter().zip(&parts) {
                    let metric = part.metric()?;
                    if let Some(part) = metric.readings().first() {
                        rows.append(&counted.clone().moved(part, whole)?)?;
                    }
                }
                Some(rows)
            }
            _ => None,
        };
        let (a, b) = (self.tokens, other.tokens);
        Ok(Self {
            format: FORMAT.to_owned(),
            reading: self.reading.clone(),
            state: Snapshot::of(&sum),
            labels,
            tokens: TokenCounts {
                true_positive: a.true_positive.saturating_add(b.true_positive),
                false_positive: a.false_positive.saturating_add(b.false_positive),
                false_negative: a.false_negative.saturating_add(b.false_negative),
                true_negative: a.true_negative.saturating_add(b.true_negative),
            },
            rows,
            left_out: self.left_out.saturating_add(other.left_out),
            interrupted: self.interrupted || other.interrupted,
        })
    }
}

/// The sum of the states in files.
///
/// # Errors
/// One cannot be read, or was made in another way than the first one; the difference is named.
pub(super) fn merge(paths: &[PathBuf]) -> Result<Saved> {
    let mut sum: Option<(&PathBuf, Saved)> = None;
    for path in paths {
        let next = Saved::load(path)?;
        sum = Some(match sum {
            None => (path, next),
            Some((first, sum)) => {
                if let Some(difference) = sum.reading.difference(&next.reading) {
                    let (first, path) = (first.display(), path.display());
                    let reason =
                        format!("{first} and {path} were scored in different ways: {difference}");
                    let hint = Some("score both with the same options".to_owned());
                    return Err(Error::Mismatch { reason, hint });
                }
                (first, sum.plus(&next)?)
            }
        });
    }
    sum.map(|(_, sum)| sum).ok_or_else(|| Error::Usage("name a state".to_owned()))
}
