//! Where the files of a run are.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::State;
use crate::error::{Error, Result};

pub(super) const STATE: &str = "state.json";

/// The files of a run, by name.
#[derive(Clone, Debug)]
pub struct Files(PathBuf);

impl Files {
    /// Those in this folder.
    pub fn of(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// The state, as last written.
    ///
    /// # Errors
    /// There is none, or it is none of this program's version.
    pub fn read_state<C: DeserializeOwned>(&self) -> Result<State<C>> {
        let file = self.state();
        let text = fs::read_to_string(&file).map_err(|e| Error::io(&file, e))?;
        State::read(&text, &file)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The file of the state.
    pub fn state(&self) -> PathBuf {
        self.0.join(STATE)
    }

    /// The weights that were best on dev, as written at `step`.
    pub fn best(&self, step: u64) -> PathBuf {
        self.0.join(format!("best-{step}.safetensors"))
    }

    /// The last weights, as written at `step`.
    pub fn last(&self, step: u64) -> PathBuf {
        self.0.join(format!("last-{step}.safetensors"))
    }

    /// The optimiser that belongs to the last weights.
    pub fn optimizer(&self, step: u64) -> PathBuf {
        self.0.join(format!("last-{step}.adam.safetensors"))
    }

    /// Every scalar and text that was logged.
    pub fn metrics(&self) -> PathBuf {
        self.0.join("metrics.jsonl")
    }

    /// Tokens of the test set with gold and predicted labels.
    pub fn predictions(&self) -> PathBuf {
        self.0.join("predictions.tsv")
    }
}
