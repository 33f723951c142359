//! What the tensor library is asked for.

use std::path::Path;

use super::TaggerConfig;
use crate::corpus;
use crate::error::Result;

/// Sentences as token ids, with gold labels.
pub type Batch<'a> = corpus::Batch<'a, Vec<Vec<u32>>>;

/// A tagger with its optimiser.
pub trait Tagger: Sized {
    /// An untrained network; its numbers depend on `seed` only.
    ///
    /// # Errors
    /// A size of the configuration cannot work.
    fn new(config: TaggerConfig, seed: u64) -> Result<Self>;

    /// One step of training on a batch; gives its loss.
    ///
    /// What is random in it depends on the seed and on `step` only, so that a resumed run repeats
    /// what an uninterrupted one would have done.
    ///
    /// # Errors
    /// The batch does not fit the network, or a number is no longer finite.
    fn train(&mut self, batch: &Batch<'_>, step: u64, learning_rate: f64) -> Result<f64>;

    /// The best label ids of each sentence of a batch, found by Viterbi.
    ///
    /// # Errors
    /// The batch does not fit the network, or a number is no longer finite.
    fn decode(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u32>>>;

    /// Writes the weights as safetensors.
    ///
    /// # Errors
    /// The file cannot be written.
    fn save_weights(&self, path: &Path) -> Result<()>;

    /// Reads what [`save_weights`](Tagger::save_weights) wrote.
    ///
    /// # Errors
    /// The file cannot be read or belongs to another network.
    fn load_weights(&mut self, path: &Path) -> Result<()>;

    /// Writes the state of the optimiser as safetensors.
    ///
    /// # Errors
    /// The file cannot be written.
    fn save_optimizer(&self, path: &Path) -> Result<()>;

    /// Reads what [`save_optimizer`](Tagger::save_optimizer) wrote.
    ///
    /// # Errors
    /// The file cannot be read or belongs to another network.
    fn load_optimizer(&mut self, path: &Path) -> Result<()>;

    /// How many numbers are trained.
    fn parameters(&self) -> usize;
}
